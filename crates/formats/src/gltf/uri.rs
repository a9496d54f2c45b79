//! Where the bytes of a buffer come from, and where they must not.
//!
//! A glTF from anywhere may name any place as its buffer. Bytes are taken from inside the URI itself (`data:`) or
//! from a file in the glTF's own folder or below; parent folders, absolute paths, other schemes, backslashes and
//! links that lead out are refused. Nothing is fetched from a network.

use crate::{ErrorKind, ReadError};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::path::Path;

/// Standard base64 that forgives missing padding, as browsers do.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What a buffer's URI stands for.
pub(super) enum Source {
    /// Bytes from a `data:` URI.
    Bytes(Vec<u8>),
    /// A file below the glTF's folder, percent-decoded.
    Relative(String),
}

/// Decodes a `data:` URI or checks a relative one.
pub(super) fn resolve(uri: &str) -> Result<Source, ReadError> {
    match uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")) {
        Some(_) => decode_data(&uri[5..]).map(Source::Bytes),
        None => check_relative(uri).map(Source::Relative),
    }
}

fn decode_data(data: &str) -> Result<Vec<u8>, ReadError> {
    let broken = |what: &str| ReadError::new(ErrorKind::Uri, format!("a data URI {what}"));
    let (kind, text) = data.split_once(',').ok_or_else(|| broken("has no comma before its data"))?;
    if !kind.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64")) {
        return Err(broken("is not base64"));
    }
    let text = percent_decode(text).ok_or_else(|| broken("has a broken percent code"))?;
    BASE64.decode(text.as_bytes()).map_err(|error| broken(&format!("is broken base64: {error}")))
}

fn check_relative(uri: &str) -> Result<String, ReadError> {
    let refuse = |why: &str| {
        let message = format!("the buffer `{}` {why}; only files in the glTF's own folder are read", shorten(uri));
        Err(ReadError::new(ErrorKind::Uri, message))
    };
    let Some(path) = percent_decode(uri) else {
        return refuse("is no percent-encoded UTF-8");
    };
    if path.is_empty() {
        return refuse("has no name");
    }
    if path.contains(':') {
        return refuse("names a scheme or drive");
    }
    if path.starts_with('/') {
        return refuse("is an absolute path");
    }
    if path.contains('\\') {
        return refuse("contains a backslash");
    }
    if path.chars().any(char::is_control) {
        return refuse("contains a control character");
    }
    if path.split('/').any(|part| part == "..") {
        return refuse("leads to a parent folder");
    }
    Ok(path.into_owned())
}

/// Enough of a URI for a message; it may be megabytes long.
fn shorten(uri: &str) -> String {
    const SHOWN: usize = 80;
    if uri.chars().count() <= SHOWN { uri.to_string() } else { uri.chars().take(SHOWN).chain("...".chars()).collect() }
}

/// `None` for a broken code or bytes that are no UTF-8.
fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(*rest.next()?).to_digit(16)?;
            let low = char::from(*rest.next()?).to_digit(16)?;
            bytes.push((16 * high + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Reads a file below `folder`, by a path that [`resolve`] has passed. Links are followed only while they stay inside.
pub(super) fn load_beside(folder: &Path, relative: &str) -> Result<Vec<u8>, ReadError> {
    // An empty folder is what `Path::parent` gives for a bare file name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let io_error = |path: &Path, error: &std::io::Error| {
        ReadError::new(ErrorKind::Io, format!("cannot read the buffer {}: {error}", path.display()))
    };
    let wanted = folder.join(relative);
    let folder = folder.canonicalize().map_err(|error| io_error(folder, &error))?;
    let target = wanted.canonicalize().map_err(|error| io_error(&wanted, &error))?;
    if !target.starts_with(&folder) {
        let message = format!("the buffer `{relative}` is a link that leads out of the glTF's folder");
        return Err(ReadError::new(ErrorKind::Uri, message));
    }
    if !target.is_file() {
        return Err(ReadError::new(ErrorKind::Io, format!("the buffer `{relative}` is no file")));
    }
    std::fs::read(&target).map_err(|error| io_error(&wanted, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(uri: &str) -> Result<String, ErrorKind> {
        match resolve(uri) {
            Ok(Source::Relative(path)) => Ok(path),
            Ok(Source::Bytes(bytes)) => Ok(format!("{bytes:?}")),
            Err(error) => Err(error.kind),
        }
    }

    #[test]
    fn uris_that_lead_out_are_refused() {
        for uri in [
            "../a.bin",
            "a/../../b.bin",
            "%2e%2e/a.bin",
            "%2E%2E%2Fa.bin",
            "..%5ca.bin",
            "a\\b.bin",
            "/etc/passwd",
            "//host/a.bin",
            "%2Fetc/passwd",
            "file:///etc/passwd",
            "http://127.0.0.1:1/x.bin",
            "C:/a.bin",
            "c:a.bin",
            "a.bin%00",
            "a%0a.bin",
            "%zz.bin",
            "%f",
            "%ff.bin",
            "",
            "data:,abc",
            "data:application/octet-stream;base64",
            "data:application/octet-stream;base64,@@@@",
            "data:application/octet-stream;base64,%4",
        ] {
            assert_eq!(kind_of(uri), Err(ErrorKind::Uri), "{uri}");
        }
    }

    #[test]
    fn files_beside_and_data_are_read() {
        for (uri, path) in [
            ("a.bin", "a.bin"),
            ("buffers/a%20b.bin", "buffers/a b.bin"),
            ("..a/b...bin", "..a/b...bin"),
            ("./a.bin", "./a.bin"),
            ("d%C3%A9.bin", "d\u{e9}.bin"),
            ("data:application/octet-stream;base64,AAEC", "[0, 1, 2]"),
            ("DATA:application/gltf-buffer;charset=x;base64,AAE=", "[0, 1]"),
            ("data:;base64,AAE", "[0, 1]"),
            ("data:;base64,AAE%3D", "[0, 1]"),
        ] {
            assert_eq!(kind_of(uri).as_deref(), Ok(path), "{uri}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_while_they_stay_inside() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("model");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(outer.path().join("secret.bin"), [1]).expect("a file");
        std::fs::write(folder.join("own.bin"), [2]).expect("a file");
        std::os::unix::fs::symlink("../secret.bin", folder.join("out.bin")).expect("a link");
        std::os::unix::fs::symlink("own.bin", folder.join("in.bin")).expect("a link");
        std::os::unix::fs::symlink("..", folder.join("up")).expect("a link");
        assert_eq!(load_beside(&folder, "own.bin"), Ok(vec![2]));
        assert_eq!(load_beside(&folder, "in.bin"), Ok(vec![2]));
        assert_eq!(load_beside(&folder, "out.bin").map_err(|error| error.kind), Err(ErrorKind::Uri));
        assert_eq!(load_beside(&folder, "up/secret.bin").map_err(|error| error.kind), Err(ErrorKind::Uri));
        assert_eq!(load_beside(&folder, "none.bin").map_err(|error| error.kind), Err(ErrorKind::Io));
        assert_eq!(load_beside(&folder, ".").map_err(|error| error.kind), Err(ErrorKind::Io));
    }
}
