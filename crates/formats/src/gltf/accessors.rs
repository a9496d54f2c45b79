//! Typed numbers out of buffers: every offset, length and stride is checked before a byte is read.
//!
//! ```text
//! accessor (type, count) -> buffer view (range, stride) -> buffer (data URI, file beside, BIN chunk)
//!       `-> sparse: other values at some indices
//! ```
//!
//! Ranges of all accessors are checked when the buffers are loaded, whether we use them or not; sparse indices when an
//! accessor is decoded. What one read may decode is bounded by a budget, because a small file may name the same bytes
//! many times, or ask for a billion zeros without naming any.

use super::schema::{Accessor, BufferView, Root, Sparse};
use super::uri::{self, Source};
use crate::{ErrorKind, ReadError};
use std::borrow::Cow;

/// How many numbers may be decoded beyond a share of the file's own bytes: zeros that no buffer holds.
const FREE_NUMBERS: usize = 1 << 20;
/// How many numbers may be decoded for each byte of the buffers; each is one byte at least, but may be named twice.
const NUMBERS_PER_BYTE: usize = 2;

/// A component's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: usize) -> Option<Component> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    fn n_bytes(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// One number at the start of `bytes`, which must be long enough; normalised integers become fractions of one.
    pub(super) fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let value = match self {
            Component::I8 => f64::from(bytes[0] as i8),
            Component::U8 => f64::from(bytes[0]),
            Component::I16 => f64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            Component::U16 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Component::U32 => f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            Component::F32 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        };
        if !normalized {
            return value;
        }
        // glTF 2.0, section 3.11: the most negative integer and its neighbour both stand for -1.
        match self {
            Component::I8 => (value / 127.0).max(-1.0),
            Component::U8 => value / 255.0,
            Component::I16 => (value / 32767.0).max(-1.0),
            Component::U16 => value / 65535.0,
            Component::U32 | Component::F32 => value,
        }
    }
}

/// How an element is laid out: rows of one column, and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    rows: usize,
    columns: usize,
}

impl Shape {
    pub(super) const SCALAR: Shape = Shape { rows: 1, columns: 1 };
    pub(super) const VEC2: Shape = Shape { rows: 2, columns: 1 };
    pub(super) const VEC3: Shape = Shape { rows: 3, columns: 1 };
    pub(super) const VEC4: Shape = Shape { rows: 4, columns: 1 };
    pub(super) const MAT4: Shape = Shape { rows: 4, columns: 4 };

    fn from_name(name: &str) -> Option<Shape> {
        let (rows, columns) = match name {
            "SCALAR" => (1, 1),
            "VEC2" => (2, 1),
            "VEC3" => (3, 1),
            "VEC4" => (4, 1),
            "MAT2" => (2, 2),
            "MAT3" => (3, 3),
            "MAT4" => (4, 4),
            _ => return None,
        };
        Some(Shape { rows, columns })
    }

    fn n_components(self) -> usize {
        self.rows * self.columns
    }

    /// Columns of matrices begin at multiples of four bytes.
    fn n_bytes(self, component: Component) -> usize {
        let column = self.rows * component.n_bytes();
        if self.columns == 1 { column } else { column.next_multiple_of(4) * self.columns }
    }
}

/// Component and shape of an accessor; an error for those that do not exist.
pub(super) fn layout(root: &Root<'_>, index: usize) -> Result<(Component, Shape), ReadError> {
    let accessor = &root.accessors[index];
    let code = accessor.component_type.0;
    let component = Component::from_code(code)
        .ok_or_else(|| type_error(format!("accessor {index} has the component type {code}, which does not exist")))?;
    let shape = Shape::from_name(&accessor.shape).ok_or_else(|| {
        type_error(format!("accessor {index} has the type `{}`, which does not exist", accessor.shape))
    })?;
    Ok((component, shape))
}

pub(super) fn type_error(message: String) -> ReadError {
    ReadError::new(ErrorKind::AccessorType, message)
}

/// The bytes of a file, all ranges checked.
pub(super) struct Buffers<'a> {
    root: &'a Root<'a>,
    bytes: Vec<Cow<'a, [u8]>>,
    /// Numbers that may still be decoded.
    budget: usize,
}

impl<'a> Buffers<'a> {
    /// Loads all buffers and checks all views and accessors. Indices must have been checked.
    pub(super) fn load(
        root: &'a Root<'a>,
        bin: Option<&'a [u8]>,
        load: &mut dyn FnMut(&str) -> Result<Vec<u8>, ReadError>,
    ) -> Result<Buffers<'a>, ReadError> {
        let mut bytes = Vec::with_capacity(root.buffers.len());
        for (i, buffer) in root.buffers.iter().enumerate() {
            let found = match &buffer.uri {
                Some(uri) => match uri::resolve(uri)? {
                    Source::Bytes(bytes) => Cow::Owned(bytes),
                    Source::Relative(path) => Cow::Owned(load(&path)?),
                },
                None => Cow::Borrowed(bin.filter(|_| i == 0).unwrap_or_default()),
            };
            let length = buffer.byte_length.0;
            if length > found.len() {
                return Err(range_error(format!("buffer {i} declares {length} bytes, but has {}", found.len())));
            }
            bytes.push(found);
        }
        for (i, view) in root.buffer_views.iter().enumerate() {
            let length = root.buffers[view.buffer.0].byte_length.0;
            if view.byte_offset.0.checked_add(view.byte_length.0).is_none_or(|end| end > length) {
                return Err(range_error(format!("view {i} reaches past the {length} bytes of its buffer")));
            }
        }
        let total: usize = bytes.iter().map(|buffer| buffer.len()).sum();
        let budget = total.saturating_mul(NUMBERS_PER_BYTE).saturating_add(FREE_NUMBERS);
        let buffers = Buffers { root, bytes, budget };
        for i in 0..root.accessors.len() {
            buffers.check_accessor(i)?;
        }
        Ok(buffers)
    }

    fn check_accessor(&self, index: usize) -> Result<(), ReadError> {
        let accessor = &self.root.accessors[index];
        let (component, shape) = layout(self.root, index)?;
        let n_bytes = shape.n_bytes(component);
        if let Some(view) = accessor.buffer_view {
            let view = &self.root.buffer_views[view.0];
            let stride = stride(view, n_bytes);
            if stride < n_bytes || !fits(view, accessor.byte_offset.0, accessor.count.0, stride, n_bytes) {
                let message = format!(
                    "accessor {index} reaches past its view: {} elements of {n_bytes} bytes, {stride} apart, in {} bytes",
                    accessor.count.0, view.byte_length.0
                );
                return Err(ReadError::new(ErrorKind::AccessorRange, message));
            }
        }
        if let Some(sparse) = &accessor.sparse {
            self.check_sparse(index, accessor, sparse, n_bytes)?;
        }
        Ok(())
    }

    fn check_sparse(
        &self,
        index: usize,
        accessor: &Accessor,
        sparse: &Sparse,
        n_bytes: usize,
    ) -> Result<(), ReadError> {
        let index_component = sparse_component(sparse)
            .ok_or_else(|| type_error(format!("accessor {index} has sparse indices that are no unsigned integers")))?;
        let indices_view = &self.root.buffer_views[sparse.indices.buffer_view.0];
        let values_view = &self.root.buffer_views[sparse.values.buffer_view.0];
        let (count, index_bytes) = (sparse.count.0, index_component.n_bytes());
        let good = count <= accessor.count.0
            && fits(indices_view, sparse.indices.byte_offset.0, count, index_bytes, index_bytes)
            && fits(values_view, sparse.values.byte_offset.0, count, n_bytes, n_bytes);
        if !good {
            let message = format!("the {count} sparse values of accessor {index} reach past its count or their views");
            return Err(ReadError::new(ErrorKind::Sparse, message));
        }
        Ok(())
    }

    /// All numbers of an accessor, element by element. Its layout must be one column (a scalar or vector).
    pub(super) fn decode(&mut self, index: usize) -> Result<Vec<f64>, ReadError> {
        let root = self.root;
        let accessor = &root.accessors[index];
        let (component, shape) = layout(root, index)?;
        let n_components = shape.n_components();
        let n_numbers = accessor.count.0.checked_mul(n_components).filter(|&n| n <= self.budget);
        let Some(n_numbers) = n_numbers else {
            let message =
                format!("the accessors in use hold far more numbers than the file has bytes (accessor {index})");
            return Err(ReadError::new(ErrorKind::Limit, message));
        };
        self.budget -= n_numbers;
        let element = Element { component, n_components, normalized: accessor.normalized };
        let mut out = match accessor.buffer_view {
            None => vec![0.0; n_numbers],
            Some(view) => {
                let view = &root.buffer_views[view.0];
                let stride = stride(view, shape.n_bytes(component));
                let bytes = &self.view_bytes(view)[accessor.byte_offset.0..];
                let mut out = Vec::with_capacity(n_numbers);
                (0..accessor.count.0).for_each(|i| element.read(&bytes[i * stride..], &mut out));
                out
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace_sparse(index, sparse, element, &mut out)?;
        }
        Ok(out)
    }

    fn replace_sparse(
        &self,
        index: usize,
        sparse: &Sparse,
        element: Element,
        out: &mut [f64],
    ) -> Result<(), ReadError> {
        let component = sparse_component(sparse).unwrap_or(Component::U8);
        let views = &self.root.buffer_views;
        let indices = &self.view_bytes(&views[sparse.indices.buffer_view.0])[sparse.indices.byte_offset.0..];
        let values = &self.view_bytes(&views[sparse.values.buffer_view.0])[sparse.values.byte_offset.0..];
        let n = element.n_components;
        let mut next = 0;
        let mut replaced = Vec::with_capacity(n);
        for i in 0..sparse.count.0 {
            let at = component.read(&indices[i * component.n_bytes()..], false) as usize;
            if at < next || at >= out.len() / n {
                let message = format!("sparse index {at} of accessor {index} is out of range or order");
                return Err(ReadError::new(ErrorKind::Sparse, message));
            }
            next = at + 1;
            replaced.clear();
            element.read(&values[i * n * element.component.n_bytes()..], &mut replaced);
            out[at * n..][..n].copy_from_slice(&replaced);
        }
        Ok(())
    }

    /// The bytes of a view.
    pub(super) fn view(&self, index: usize) -> &[u8] {
        self.view_bytes(&self.root.buffer_views[index])
    }

    fn view_bytes(&self, view: &BufferView) -> &[u8] {
        &self.bytes[view.buffer.0][view.byte_offset.0..][..view.byte_length.0]
    }
}

/// How to read one vector.
#[derive(Clone, Copy)]
struct Element {
    component: Component,
    n_components: usize,
    normalized: bool,
}

impl Element {
    fn read(self, bytes: &[u8], out: &mut Vec<f64>) {
        let n_bytes = self.component.n_bytes();
        out.extend((0..self.n_components).map(|i| self.component.read(&bytes[i * n_bytes..], self.normalized)));
    }
}

fn stride(view: &BufferView, n_bytes: usize) -> usize {
    view.byte_stride.map_or(n_bytes, |stride| stride.0)
}

/// Whether `count` elements of `n_bytes`, `stride` apart from `offset` on, lie inside a view.
fn fits(view: &BufferView, offset: usize, count: usize, stride: usize, n_bytes: usize) -> bool {
    let end = match count.checked_sub(1) {
        None => Some(offset),
        Some(last) => last
            .checked_mul(stride)
            .and_then(|start| start.checked_add(n_bytes))
            .and_then(|end| end.checked_add(offset)),
    };
    end.is_some_and(|end| end <= view.byte_length.0)
}

fn sparse_component(sparse: &Sparse) -> Option<Component> {
    Component::from_code(sparse.indices.component_type.0)
        .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32))
}

fn range_error(message: String) -> ReadError {
    ReadError::new(ErrorKind::BufferRange, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::schema;

    /// Decodes accessor 0 of a file with one buffer of the bytes 0, 1, 2, ... 31.
    fn decode(views: &str, accessor: &str) -> Result<Vec<f64>, ErrorKind> {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":32}}],"bufferViews":[{views}],"accessors":[{accessor}]}}"#
        );
        let bin: Vec<u8> = (0..32).collect();
        let root = schema::parse(json.as_bytes()).map_err(|error| error.kind)?;
        schema::check_indices(&root).map_err(|error| error.kind)?;
        let mut buffers = Buffers::load(&root, Some(&bin), &mut |_| unreachable!()).map_err(|error| error.kind)?;
        buffers.decode(0).map_err(|error| error.kind)
    }

    const VIEW: &str = r#"{"buffer":0,"byteOffset":4,"byteLength":12}"#;

    #[test]
    fn strides_offsets_and_sparse_values_are_honoured() {
        let strided = r#"{"buffer":0,"byteOffset":4,"byteLength":12,"byteStride":4}"#;
        let accessor = r#"{"bufferView":0,"byteOffset":1,"componentType":5121,"count":3,"type":"VEC3"}"#;
        let expected = [5, 6, 7, 9, 10, 11, 13, 14, 15].map(f64::from).to_vec();
        assert_eq!(decode(strided, accessor), Ok(expected));
        // Byte 1 of the first view is the index, byte 20 on are the values.
        let views = r#"{"buffer":0,"byteOffset":1,"byteLength":1},{"buffer":0,"byteOffset":20,"byteLength":3}"#;
        let sparse = r#"{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":1}}"#;
        let accessor = format!(r#"{{"componentType":5121,"count":2,"type":"VEC3","sparse":{sparse}}}"#);
        assert_eq!(decode(views, &accessor), Ok([0, 0, 0, 20, 21, 22].map(f64::from).to_vec()));
    }

    #[test]
    fn normalised_integers_are_fractions_of_one() {
        assert_eq!(Component::I8.read(&[0x80], true), -1.0);
        assert_eq!(Component::I8.read(&[0x81], true), -1.0);
        assert_eq!(Component::I16.read(&[0xFF, 0x7F], true), 1.0);
        assert_eq!(Component::U8.read(&[51], true), 0.2);
        assert_eq!(Component::U16.read(&[0xFF, 0xFF], true), 1.0);
        assert_eq!(Component::I16.read(&[0xFE, 0xFF], false), -2.0);
    }

    #[test]
    fn ranges_that_overflow_or_reach_out_are_refused() {
        let accessor = |fields: &str| format!(r#"{{"bufferView":0,"componentType":5126,"type":"VEC3",{fields}}}"#);
        let cases = [
            (VIEW, r#""count":1"#, None),
            (VIEW, r#""count":2"#, Some(ErrorKind::AccessorRange)),
            (VIEW, r#""count":1,"byteOffset":1"#, Some(ErrorKind::AccessorRange)),
            (VIEW, r#""count":-1"#, Some(ErrorKind::AccessorRange)),
            (VIEW, r#""count":18446744073709551615"#, Some(ErrorKind::AccessorRange)),
            (VIEW, r#""count":1,"byteOffset":18446744073709551615"#, Some(ErrorKind::AccessorRange)),
            (r#"{"buffer":0,"byteLength":32,"byteStride":0}"#, r#""count":2"#, Some(ErrorKind::AccessorRange)),
            (r#"{"buffer":0,"byteLength":32,"byteStride":4}"#, r#""count":2"#, Some(ErrorKind::AccessorRange)),
            (r#"{"buffer":0,"byteOffset":8,"byteLength":32}"#, r#""count":1"#, Some(ErrorKind::BufferRange)),
            (r#"{"buffer":0,"byteOffset":-1,"byteLength":2}"#, r#""count":1"#, Some(ErrorKind::BufferRange)),
            (r#"{"buffer":1,"byteLength":2}"#, r#""count":1"#, Some(ErrorKind::Index)),
        ];
        for (view, fields, expected) in cases {
            assert_eq!(decode(view, &accessor(fields)).err(), expected, "{view} {fields}");
        }
    }

    #[test]
    fn zeros_without_bytes_are_bounded() {
        let zeros = |count: usize| format!(r#"{{"componentType":5126,"type":"SCALAR","count":{count}}}"#);
        assert_eq!(decode("", &zeros(4)), Ok(vec![0.0; 4]));
        assert_eq!(decode("", &zeros(1 << 40)), Err(ErrorKind::Limit));
        assert_eq!(decode("", &zeros(usize::MAX)), Err(ErrorKind::Limit));
    }
}
