//! The contents of a binary file number by number, so that tests can change one and leave the rest as it is.
//!
//! A serde serializer that writes what postcard writes, but keeps each stored number apart: postcard's bytes alone do
//! not say where a double begins. [`StoredScalars::contents`] joins them again.

use serde::ser::{self, Serialize};
use std::fmt::Display;

/// What a stored number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarKind {
    F64,
    F32,
    /// An index, a count or a code, with its largest value.
    Unsigned(u64),
    /// How long a list or a text is.
    Length,
    /// `None` or `Some`, a boolean, which variant of an enum.
    Tag,
    /// Bytes of a text.
    Text,
}

/// One stored number.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) kind: ScalarKind,
    bytes: Vec<u8>,
}

/// All numbers of a file, in order.
#[derive(Debug, Default)]
pub(super) struct StoredScalars {
    pub(super) scalars: Vec<Scalar>,
}

impl StoredScalars {
    pub(super) fn of(stored: &impl Serialize) -> StoredScalars {
        let mut scalars = StoredScalars::default();
        stored.serialize(&mut scalars).expect("memory takes any number");
        scalars
    }

    /// The contents with one number replaced.
    pub(super) fn contents_with(&self, changed: usize, bytes: &[u8]) -> Vec<u8> {
        self.replace(bytes, |index, _| index == changed)
    }

    /// The contents with every number of a kind replaced.
    pub(super) fn contents_with_all(&self, changed: ScalarKind, bytes: &[u8]) -> Vec<u8> {
        self.replace(bytes, |_, scalar| scalar.kind == changed)
    }

    fn replace(&self, bytes: &[u8], is_changed: impl Fn(usize, &Scalar) -> bool) -> Vec<u8> {
        let mut contents = Vec::new();
        for (index, scalar) in self.scalars.iter().enumerate() {
            contents.extend_from_slice(if is_changed(index, scalar) { bytes } else { &scalar.bytes });
        }
        contents
    }

    /// The contents as they are.
    pub(super) fn contents(&self) -> Vec<u8> {
        self.contents_with(usize::MAX, &[])
    }

    fn keep(&mut self, kind: ScalarKind, bytes: impl Into<Vec<u8>>) -> Result<(), Never> {
        self.scalars.push(Scalar { kind, bytes: bytes.into() });
        Ok(())
    }
}

/// postcard's varint: seven bits a byte, the lowest first.
pub(super) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Nothing can go wrong but a type that no file of ours stores.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Never(String);

impl ser::Error for Never {
    fn custom<T: Display>(what: T) -> Never {
        Never(what.to_string())
    }
}

fn not_stored<T>(what: &str) -> Result<T, Never> {
    Err(Never(format!("no file of ours stores {what}")))
}

impl<'a> ser::Serializer for &'a mut StoredScalars {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = &'a mut StoredScalars;
    type SerializeTuple = &'a mut StoredScalars;
    type SerializeTupleStruct = &'a mut StoredScalars;
    type SerializeTupleVariant = ser::Impossible<(), Never>;
    type SerializeMap = ser::Impossible<(), Never>;
    type SerializeStruct = &'a mut StoredScalars;
    type SerializeStructVariant = ser::Impossible<(), Never>;

    fn serialize_bool(self, value: bool) -> Result<(), Never> {
        self.keep(ScalarKind::Tag, [u8::from(value)])
    }
    fn serialize_u8(self, value: u8) -> Result<(), Never> {
        self.keep(ScalarKind::Unsigned(u64::from(u8::MAX)), [value])
    }
    fn serialize_u32(self, value: u32) -> Result<(), Never> {
        self.keep(ScalarKind::Unsigned(u64::from(u32::MAX)), varint(u64::from(value)))
    }
    fn serialize_u64(self, value: u64) -> Result<(), Never> {
        self.keep(ScalarKind::Unsigned(u64::MAX), varint(value))
    }
    fn serialize_f32(self, value: f32) -> Result<(), Never> {
        self.keep(ScalarKind::F32, value.to_le_bytes())
    }
    fn serialize_f64(self, value: f64) -> Result<(), Never> {
        self.keep(ScalarKind::F64, value.to_le_bytes())
    }
    fn serialize_str(self, value: &str) -> Result<(), Never> {
        self.keep(ScalarKind::Length, varint(value.len() as u64))?;
        self.keep(ScalarKind::Text, value.as_bytes())
    }
    fn serialize_none(self) -> Result<(), Never> {
        self.keep(ScalarKind::Tag, [0])
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        self.keep(ScalarKind::Tag, [1])?;
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.keep(ScalarKind::Tag, varint(u64::from(index)))?;
        value.serialize(self)
    }
    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), Never> {
        self.keep(ScalarKind::Tag, varint(u64::from(index)))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }
    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Never> {
        self.keep(ScalarKind::Length, varint(length.expect("lists know their lengths") as u64))?;
        Ok(self)
    }
    fn serialize_tuple(self, _: usize) -> Result<Self, Never> {
        Ok(self)
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self)
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self)
    }
    fn serialize_unit(self) -> Result<(), Never> {
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Never> {
        Ok(())
    }
    fn serialize_i8(self, _: i8) -> Result<(), Never> {
        not_stored("signed numbers")
    }
    fn serialize_i16(self, _: i16) -> Result<(), Never> {
        not_stored("signed numbers")
    }
    fn serialize_i32(self, _: i32) -> Result<(), Never> {
        not_stored("signed numbers")
    }
    fn serialize_i64(self, _: i64) -> Result<(), Never> {
        not_stored("signed numbers")
    }
    fn serialize_u16(self, _: u16) -> Result<(), Never> {
        not_stored("numbers of 16 bits")
    }
    fn serialize_char(self, _: char) -> Result<(), Never> {
        not_stored("single characters")
    }
    fn serialize_bytes(self, _: &[u8]) -> Result<(), Never> {
        not_stored("bytes")
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Never> {
        not_stored("variants of several fields")
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Never> {
        not_stored("variants of several fields")
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Never> {
        not_stored("maps")
    }
}

impl ser::SerializeSeq for &mut StoredScalars {
    type Ok = ();
    type Error = Never;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        value.serialize(&mut **self)
    }
    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

impl ser::SerializeTuple for &mut StoredScalars {
    type Ok = ();
    type Error = Never;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        value.serialize(&mut **self)
    }
    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

impl ser::SerializeTupleStruct for &mut StoredScalars {
    type Ok = ();
    type Error = Never;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        value.serialize(&mut **self)
    }
    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

impl ser::SerializeStruct for &mut StoredScalars {
    type Ok = ();
    type Error = Never;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), Never> {
        value.serialize(&mut **self)
    }
    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}
