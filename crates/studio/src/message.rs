//! What the server sends: JSON, and bytes where there are any.
//!
//! ```text
//! u32 length of the JSON, little-endian | JSON | bytes
//! ```

use axum::body::Bytes;
use serde::Serialize;
use serde_json::Value;

/// A message to windows; clones share it.
pub(crate) type Packed = Bytes;

/// Packs a message.
pub(crate) fn pack(head: &impl Serialize, bytes: &[u8]) -> Packed {
    let json = serde_json::to_vec(head).unwrap_or_else(|error| {
        let text = format!("the answer could not be written: {error}");
        Value::from_iter([("kind", "error"), ("message", text.as_str())]).to_string().into_bytes()
    });
    let mut packed = Vec::with_capacity(4 + json.len() + bytes.len());
    packed.extend((json.len() as u32).to_le_bytes());
    packed.extend(json);
    packed.extend(bytes);
    packed.into()
}
