//! The container of a binary FBX, version 7400: nodes with a name, properties and children.
//!
//! ```text
//! "Kaydara FBX Binary  \0" 1A 00 | version | node ... | empty node | footer
//! node:  end (u32) | number of properties | their bytes | length of the name, name | properties | children | empty node
//! ```
//!
//! Written here because the one crate that writes it (`fbxcel`) has had no release since 2022, and the container is these
//! hundred lines. Layout and footer are those that Autodesk's own reader asks for, as described by the Blender Foundation
//! ("FBX binary file format specification") and written by Blender's exporter. Arrays are not compressed.

/// A value of a node.
#[derive(Clone, Debug)]
pub(super) enum Property {
    Bool(bool),
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    /// Bytes that are no text.
    Raw(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    name: &'static str,
    properties: Vec<Property>,
    children: Vec<Node>,
}

impl Node {
    pub(super) fn new(name: &'static str) -> Node {
        Node { name, properties: Vec::new(), children: Vec::new() }
    }

    /// What it is called.
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// With one more property.
    pub(super) fn with(mut self, property: impl Into<Property>) -> Node {
        self.properties.push(property.into());
        self
    }

    /// With one more child.
    pub(super) fn child(mut self, child: Node) -> Node {
        self.children.push(child);
        self
    }

    /// With more children.
    pub(super) fn children(mut self, children: impl IntoIterator<Item = Node>) -> Node {
        self.children.extend(children);
        self
    }

    fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 12]);
        out.push(self.name.len() as u8);
        out.extend(self.name.as_bytes());
        let properties = out.len();
        self.properties.iter().for_each(|property| property.write(out));
        let n_property_bytes = (out.len() - properties) as u32;
        // Nodes that may have children and have none end with an empty node all the same, as Autodesk writes them.
        let is_block = !self.children.is_empty() || self.properties.is_empty() || EMPTY_BLOCKS.contains(&self.name);
        self.children.iter().for_each(|child| child.write(out));
        if is_block {
            out.extend([0; EMPTY_NODE_BYTES]);
        }
        let header = [out.len() as u32, self.properties.len() as u32, n_property_bytes];
        out[start..start + 12].copy_from_slice(header.map(u32::to_le_bytes).as_flattened());
    }
}

const EMPTY_NODE_BYTES: usize = 13;
const EMPTY_BLOCKS: [&str; 2] = ["AnimationStack", "AnimationLayer"];

impl Property {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Property::Bool(value) => out.extend([b'C', u8::from(*value)]),
            Property::Int(value) => put(out, b'I', &value.to_le_bytes()),
            Property::Long(value) => put(out, b'L', &value.to_le_bytes()),
            Property::Double(value) => put(out, b'D', &value.to_le_bytes()),
            Property::Text(text) => put_block(out, b'S', text.as_bytes()),
            Property::Raw(bytes) => put_block(out, b'R', bytes),
            Property::Ints(values) => put_array(out, b'i', values, i32::to_le_bytes),
            Property::Longs(values) => put_array(out, b'l', values, i64::to_le_bytes),
            Property::Floats(values) => put_array(out, b'f', values, f32::to_le_bytes),
            Property::Doubles(values) => put_array(out, b'd', values, f64::to_le_bytes),
        }
    }
}

fn put(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend(bytes);
}

fn put_block(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    put(out, kind, &(bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

fn put_array<T: Copy, const N: usize>(out: &mut Vec<u8>, kind: u8, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    // Length, encoding (0: as they are), bytes.
    let header = [values.len() as u32, 0, (values.len() * N) as u32];
    put(out, kind, header.map(u32::to_le_bytes).as_flattened());
    values.iter().for_each(|&value| out.extend(bytes(value)));
}

macro_rules! from {
    ($($type:ty => $kind:ident),+) => {
        $(impl From<$type> for Property {
            fn from(value: $type) -> Property {
                Property::$kind(value)
            }
        })+
    };
}
from!(bool => Bool, i32 => Int, i64 => Long, f64 => Double, String => Text);
from!(Vec<u8> => Raw, Vec<i32> => Ints, Vec<i64> => Longs, Vec<f32> => Floats, Vec<f64> => Doubles);

impl From<&str> for Property {
    fn from(text: &str) -> Property {
        Property::Text(text.to_string())
    }
}

pub(super) const VERSION: i32 = 7400;
const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";
/// Autodesk's reader compares these with the creation time; they belong to [`CREATION_TIME`].
pub(super) const FILE_ID: [u8; 16] =
    [0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1];
pub(super) const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
const FOOTER_ID: [u8; 16] =
    [0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e];
const FOOTER_END: [u8; 16] =
    [0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b];

/// A file of nodes.
pub(super) fn write_binary(nodes: &[Node]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    nodes.iter().for_each(|node| node.write(&mut out));
    out.extend([0; EMPTY_NODE_BYTES]);
    out.extend(FOOTER_ID);
    out.extend([0; 4]);
    // To a multiple of 16, by 16 if it is one.
    out.resize(out.len() + 16 - out.len() % 16, 0);
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 120]);
    out.extend(FOOTER_END);
    out
}
