//! The numbers of a file that is written: bytes, and the views and accessors that find them.

use serde_json::{Map, Value, json};

/// Where new numbers begin in a file that has some already; all zeros for a new file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start {
    pub(super) buffer: usize,
    /// A multiple of four.
    pub(super) byte_offset: usize,
    pub(super) n_views: usize,
    pub(super) n_accessors: usize,
}

/// Bytes that grow, and the JSON that describes them.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) bin: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
    start: Start,
}

impl Numbers {
    /// Numbers behind those that a file has.
    pub(super) fn after(start: Start) -> Numbers {
        Numbers { start, ..Numbers::default() }
    }

    /// Opens a view at the next multiple of four bytes, and returns its index.
    pub(super) fn begin_view(&mut self) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.start.byte_offset + self.bin.len();
        self.views.push(json!({ "buffer": self.start.buffer, "byteOffset": offset }));
        self.start.n_views + self.views.len() - 1
    }

    /// Closes the last view at what was written since it began; `target` says what a graphics card will use it for.
    pub(super) fn end_view(&mut self, view: usize, target: Option<u32>) {
        let end = self.start.byte_offset + self.bin.len();
        let view = &mut self.views[view - self.start.n_views];
        let offset = view["byteOffset"].as_u64().unwrap_or_default() as usize;
        view["byteLength"] = json!(end - offset);
        if let Some(target) = target {
            view["target"] = json!(target);
        }
    }

    /// Describes `count` elements from `offset` on in a view; `extra` is any further field. Returns the accessor's
    /// index.
    pub(super) fn add_accessor(
        &mut self,
        view: usize,
        offset: usize,
        component: u32,
        count: usize,
        shape: &str,
        extra: Map<String, Value>,
    ) -> usize {
        let mut accessor =
            fields(json!({ "bufferView": view, "componentType": component, "count": count, "type": shape }));
        if offset > 0 {
            accessor.insert("byteOffset".into(), json!(offset));
        }
        accessor.extend(extra);
        self.accessors.push(Value::Object(accessor));
        self.start.n_accessors + self.accessors.len() - 1
    }

    /// Appends numbers to the open view.
    pub(super) fn put_floats(&mut self, numbers: &[f32]) {
        self.bin.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

/// The fields of an object; none for anything else.
pub(super) fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
