//! What an output consists of: bytes, with parts of existing files between them.
//!
//! A character of 50 MB that gets an animation of 200 KB is mostly a copy of itself. The parts that stay are named here, not
//! read: the system copies them from file to file when the output is written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;

/// The content of one output.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    /// A part of a file that was opened when the part was looked up, so that replacing its name changes nothing.
    Part(Arc<File>, Range<u64>),
}

impl Content {
    /// Appends bytes.
    pub fn push_bytes(&mut self, bytes: Vec<u8>) {
        self.pieces.push(Piece::Bytes(bytes));
    }

    /// Appends a part of a file.
    pub fn push_part(&mut self, file: Arc<File>, range: Range<u64>) {
        self.pieces.push(Piece::Part(file, range));
    }

    /// How many bytes there are.
    pub fn n_bytes(&self) -> u64 {
        self.pieces.iter().map(Piece::n_bytes).sum()
    }

    /// Writes everything; a file that became shorter since it was looked at is an error.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Bytes(bytes) => out.write_all(bytes),
            Piece::Part(..) => out.write_all(&piece.read()?),
        })
    }

    /// [`Content::write_to`] a file: parts of other files go from file to file without passing through our memory.
    pub fn write_to_file(&self, out: &mut File) -> io::Result<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => out.write_all(bytes)?,
                Piece::Part(file, range) => {
                    let mut source: &File = file;
                    source.seek(SeekFrom::Start(range.start))?;
                    let expected = range.end - range.start;
                    let copied = io::copy(&mut source.take(expected), out)?;
                    check_length(copied, expected)?;
                }
            }
        }
        Ok(())
    }

    /// Everything in memory.
    pub fn into_bytes(self) -> io::Result<Vec<u8>> {
        let mut pieces = self.pieces;
        if let [Piece::Bytes(bytes)] = &mut pieces[..] {
            return Ok(std::mem::take(bytes));
        }
        let mut bytes = Vec::new();
        Content { pieces }.write_to(&mut bytes)?;
        Ok(bytes)
    }
}

impl Piece {
    fn n_bytes(&self) -> u64 {
        match self {
            Piece::Bytes(bytes) => bytes.len() as u64,
            Piece::Part(_, range) => range.end - range.start,
        }
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Piece::Bytes(bytes) => Ok(bytes.clone()),
            Piece::Part(file, range) => read_part(file, range.clone()),
        }
    }
}

/// Reads a part of a file.
pub(crate) fn read_part(mut file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(range.start))?;
    let expected = range.end - range.start;
    let mut bytes = Vec::new();
    file.take(expected).read_to_end(&mut bytes)?;
    check_length(bytes.len() as u64, expected)?;
    Ok(bytes)
}

fn check_length(found: u64, expected: u64) -> io::Result<()> {
    match found == expected {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a file that is copied changed meanwhile")),
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Content { pieces: vec![Piece::Bytes(bytes)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_file_come_out_between_bytes_whatever_happens_to_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let [source, target] = ["a", "b"].map(|name| folder.path().join(name));
        std::fs::write(&source, b"0123456789").unwrap();
        let file = Arc::new(File::open(&source).unwrap());
        let mut content = Content::from(b"<".to_vec());
        content.push_part(file.clone(), 2..5);
        content.push_bytes(b"|".to_vec());
        content.push_part(file, 0..1);
        std::fs::remove_file(&source).unwrap();
        let mut out = File::create(&target).unwrap();
        content.write_to_file(&mut out).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"<234|0");
        assert_eq!((content.n_bytes(), content.into_bytes().unwrap()), (6, b"<234|0".to_vec()));
    }

    #[test]
    fn a_file_that_shrank_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("a");
        std::fs::write(&source, b"0123").unwrap();
        let mut content = Content::default();
        content.push_part(Arc::new(File::open(&source).unwrap()), 2..9);
        let mut out = File::create(folder.path().join("b")).unwrap();
        assert!(content.write_to_file(&mut out).is_err() && content.into_bytes().is_err());
    }
}
