//! glTF 2.0, text and binary.
