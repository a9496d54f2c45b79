//! The first half of a BVH file: joints, offsets, channels, end sites.

use super::number::read_number;
use super::words::{Word, Words};
use super::{BvhEndSite, BvhJoint, Channel, MAX_JOINTS};
use crate::{ErrorKind, ReadError, Warning};
use std::collections::HashMap;
use surefoot_geom::Vec3;

/// What the hierarchy said.
pub(super) struct Hierarchy {
    pub(super) joints: Vec<BvhJoint>,
    pub(super) end_sites: Vec<BvhEndSite>,
    pub(super) warnings: Vec<Warning>,
}

/// A block whose closing brace is still to come.
struct Open {
    block: Block,
    line: usize,
    has_offset: bool,
    has_channels: bool,
    has_children: bool,
}

#[derive(Clone, Copy)]
enum Block {
    Joint(usize),
    EndSite(usize),
}

/// Takes the word HIERARCHY, or reports that this is no BVH.
pub(super) fn check_header(words: &mut Words<'_>) -> Result<(), ReadError> {
    match words.next() {
        None => Err(ReadError::new(ErrorKind::Empty, "the file is empty; a BVH begins with HIERARCHY")),
        Some(word) if word.is("HIERARCHY") => Ok(()),
        Some(word) => {
            let message = format!("a BVH begins with HIERARCHY, this file with {}", word.shown());
            Err(ReadError::at(ErrorKind::NotBvh, word.line, message))
        }
    }
}

/// Reads up to and with the word MOTION.
pub(super) fn read_hierarchy(words: &mut Words<'_>) -> Result<Hierarchy, ReadError> {
    let mut reader = Reader {
        out: Hierarchy { joints: Vec::new(), end_sites: Vec::new(), warnings: Vec::new() },
        open: Vec::new(),
        first_lines: HashMap::new(),
        repeated: None,
    };
    loop {
        let Some(word) = words.next() else { return Err(reader.end_of_file(words.line())) };
        if word.is("MOTION") {
            return reader.finish(word.line);
        }
        reader.take(word, words)?;
    }
}

struct Reader {
    out: Hierarchy,
    open: Vec<Open>,
    /// Line of the first joint of each name.
    first_lines: HashMap<String, usize>,
    /// The first name that came again, its line, and how many came again in all.
    repeated: Option<(String, usize, usize)>,
}

impl Reader {
    fn take(&mut self, word: Word<'_>, words: &mut Words<'_>) -> Result<(), ReadError> {
        if word.is("ROOT") {
            if let Some(open) = self.open.last() {
                let message = format!("ROOT inside the block opened on line {}; a closing brace is missing", open.line);
                return Err(ReadError::at(ErrorKind::Brace, word.line, message));
            }
            self.open_joint(word, words, None)
        } else if word.is("JOINT") {
            let parent = self.parent_for(word, "JOINT")?;
            self.open_joint(word, words, Some(parent))
        } else if word.is("End") {
            self.open_end_site(word, words)
        } else if word.is("OFFSET") {
            self.take_offset(word, words)
        } else if word.is("CHANNELS") {
            self.take_channels(word, words)
        } else if word.is("}") {
            self.close(word)
        } else if word.is("{") {
            Err(ReadError::at(
                ErrorKind::Brace,
                word.line,
                "an opening brace without ROOT, JOINT or End Site before it",
            ))
        } else {
            let message = format!(
                "{} is where ROOT, JOINT, End Site, OFFSET, CHANNELS, a closing brace or MOTION would be right",
                word.shown()
            );
            Err(ReadError::at(ErrorKind::Syntax, word.line, message))
        }
    }

    /// The joint that a JOINT or End Site belongs to. Its OFFSET must have come by now.
    fn parent_for(&mut self, word: Word<'_>, what: &str) -> Result<usize, ReadError> {
        let Some(open) = self.open.last_mut() else {
            let message = format!("{what} outside of any ROOT");
            return Err(ReadError::at(ErrorKind::Syntax, word.line, message));
        };
        let Block::Joint(parent) = open.block else {
            let message = format!("{what} inside an End Site, which holds just an OFFSET");
            return Err(ReadError::at(ErrorKind::Syntax, word.line, message));
        };
        if !open.has_offset {
            return Err(missing_offset(&self.out.joints[parent].name, word.line));
        }
        open.has_children = true;
        Ok(parent)
    }

    fn open_joint(&mut self, word: Word<'_>, words: &mut Words<'_>, parent: Option<usize>) -> Result<(), ReadError> {
        let mut written = words.rest_of_line();
        if written.text.is_empty() {
            // Some files put every word on a line of its own.
            match words.peek() {
                Some(next) if !next.is("{") && !next.is("}") => {
                    words.next();
                    written = next;
                }
                Some(_) => {
                    let message = format!("{} without a name", word.shown());
                    return Err(ReadError::at(ErrorKind::MissingName, word.line, message));
                }
                None => return Err(self.end_of_file(words.line())),
            }
        }
        if self.out.joints.len() >= MAX_JOINTS {
            let message = format!("more than {MAX_JOINTS} joints");
            return Err(ReadError::at(ErrorKind::Limit, word.line, message));
        }
        let name = self.take_name(written);
        let index = self.out.joints.len();
        self.out.joints.push(BvhJoint { name, parent, offset: Vec3::ZERO, channels: Vec::new() });
        self.open_block(Block::Joint(index), word.line, words)
    }

    fn take_name(&mut self, written: Word<'_>) -> String {
        let name = String::from_utf8_lossy(written.text).into_owned();
        if std::str::from_utf8(written.text).is_err() {
            let message = format!("joint name {} is not UTF-8; foreign bytes were replaced", written.shown());
            self.out.warnings.push(Warning { code: "name_encoding", line: Some(written.line), message });
        }
        if self.first_lines.contains_key(&name) {
            let repeated = self.repeated.get_or_insert((name.clone(), written.line, 0));
            repeated.2 += 1;
        } else {
            self.first_lines.insert(name.clone(), written.line);
        }
        name
    }

    fn open_end_site(&mut self, word: Word<'_>, words: &mut Words<'_>) -> Result<(), ReadError> {
        match words.next() {
            Some(site) if site.is("Site") => {}
            Some(other) => {
                let message = format!("`End Site` was expected, found `End` and {}", other.shown());
                return Err(ReadError::at(ErrorKind::Syntax, word.line, message));
            }
            None => return Err(self.end_of_file(words.line())),
        }
        let parent = self.parent_for(word, "End Site")?;
        let written = words.rest_of_line();
        let name = (!written.text.is_empty()).then(|| String::from_utf8_lossy(written.text).into_owned());
        let index = self.out.end_sites.len();
        self.out.end_sites.push(BvhEndSite { name, parent, offset: Vec3::ZERO });
        self.open_block(Block::EndSite(index), word.line, words)
    }

    fn open_block(&mut self, block: Block, line: usize, words: &mut Words<'_>) -> Result<(), ReadError> {
        self.open.push(Open { block, line, has_offset: false, has_channels: false, has_children: false });
        match words.next() {
            Some(brace) if brace.is("{") => Ok(()),
            Some(other) => {
                let message = format!("an opening brace was expected before {}", other.shown());
                Err(ReadError::at(ErrorKind::Brace, other.line, message))
            }
            None => Err(self.end_of_file(words.line())),
        }
    }

    fn take_offset(&mut self, word: Word<'_>, words: &mut Words<'_>) -> Result<(), ReadError> {
        let line = word.line;
        let Some(open) = self.open.last_mut() else {
            return Err(ReadError::at(ErrorKind::Syntax, line, "OFFSET outside of any joint"));
        };
        if open.has_offset {
            return Err(ReadError::at(ErrorKind::DuplicateSection, line, "a second OFFSET in one block"));
        }
        open.has_offset = true;
        let block = open.block;
        let mut offset = [0.0; 3];
        for (n, value) in offset.iter_mut().enumerate() {
            let next = words.next().ok_or_else(|| self.end_of_file(words.line()))?;
            if is_keyword(next) {
                let message = format!("OFFSET has {n} numbers; three are right");
                return Err(ReadError::at(ErrorKind::OffsetCount, line, message));
            }
            *value = read_number(next.text, next.line)?;
        }
        if words.peek().is_some_and(|next| read_number(next.text, next.line).is_ok()) {
            return Err(ReadError::at(ErrorKind::OffsetCount, line, "OFFSET has more than three numbers"));
        }
        match block {
            Block::Joint(index) => self.out.joints[index].offset = Vec3::from_array(offset),
            Block::EndSite(index) => self.out.end_sites[index].offset = Vec3::from_array(offset),
        }
        Ok(())
    }

    fn take_channels(&mut self, word: Word<'_>, words: &mut Words<'_>) -> Result<(), ReadError> {
        let line = word.line;
        let Some(open) = self.open.last_mut() else {
            return Err(ReadError::at(ErrorKind::Syntax, line, "CHANNELS outside of any joint"));
        };
        if open.has_channels {
            return Err(ReadError::at(ErrorKind::DuplicateSection, line, "a second CHANNELS in one block"));
        }
        if open.has_children {
            return Err(ReadError::at(ErrorKind::Syntax, line, "CHANNELS after a child; it belongs before the first"));
        }
        open.has_channels = true;
        let block = open.block;
        let channels = read_channels(line, words)?;
        match block {
            Block::Joint(index) => {
                if channels.iter().any(|channel| matches!(channel, Channel::Scale(_))) {
                    let message = format!("scale channels of `{}` are ignored", self.out.joints[index].name);
                    self.out.warnings.push(Warning { code: "scale_ignored", line: Some(line), message });
                }
                self.out.joints[index].channels = channels;
                Ok(())
            }
            Block::EndSite(_) if channels.is_empty() => Ok(()),
            Block::EndSite(_) => {
                let message = "an End Site has channels; it cannot move";
                Err(ReadError::at(ErrorKind::EndsiteChannels, line, message))
            }
        }
    }

    fn close(&mut self, word: Word<'_>) -> Result<(), ReadError> {
        let Some(open) = self.open.pop() else {
            return Err(ReadError::at(ErrorKind::Brace, word.line, "a closing brace without an open block"));
        };
        let joint = match open.block {
            Block::Joint(index) => index,
            Block::EndSite(index) => self.out.end_sites[index].parent,
        };
        let name = &self.out.joints[joint].name;
        if !open.has_offset {
            return Err(missing_offset(name, word.line));
        }
        if matches!(open.block, Block::Joint(_)) && !open.has_channels {
            let message = format!("joint `{name}` has no CHANNELS; it is taken as rigid");
            self.out.warnings.push(Warning { code: "no_channels", line: Some(open.line), message });
        }
        Ok(())
    }

    fn finish(mut self, line: usize) -> Result<Hierarchy, ReadError> {
        if let Some(open) = self.open.last() {
            let message = format!("MOTION before the block opened on line {} is closed", open.line);
            return Err(ReadError::at(ErrorKind::Brace, line, message));
        }
        if self.out.joints.is_empty() {
            return Err(ReadError::at(ErrorKind::NoRoot, line, "MOTION without a ROOT before it"));
        }
        if let Some((name, line, count)) = self.repeated.take() {
            let others = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            let message = format!("joint name `{name}`{others} stands for more than one joint");
            self.out.warnings.push(Warning { code: "duplicate_name", line: Some(line), message });
        }
        Ok(self.out)
    }

    fn end_of_file(&self, line: usize) -> ReadError {
        match self.open.last() {
            Some(open) => {
                let message = format!("the file ends inside the block opened on line {}", open.line);
                ReadError::at(ErrorKind::UnexpectedEof, line, message)
            }
            None if self.out.joints.is_empty() => {
                ReadError::at(ErrorKind::UnexpectedEof, line, "the file ends before its first ROOT")
            }
            None => ReadError::at(ErrorKind::NoMotion, line, "the file ends without MOTION"),
        }
    }
}

/// `CHANNELS` is taken; the count and the names follow.
fn read_channels(line: usize, words: &mut Words<'_>) -> Result<Vec<Channel>, ReadError> {
    let end_of_file = |line| ReadError::at(ErrorKind::UnexpectedEof, line, "the file ends inside CHANNELS");
    let written = words.next().ok_or_else(|| end_of_file(words.line()))?;
    let count: Option<usize> = std::str::from_utf8(written.text).ok().and_then(|text| text.parse().ok());
    let Some(count) = count else {
        let message = format!("CHANNELS needs the number of channels first, found {}", written.shown());
        return Err(ReadError::at(ErrorKind::ChannelCount, line, message));
    };
    let mut channels = Vec::new();
    while channels.len() < count {
        let next = words.next().ok_or_else(|| end_of_file(words.line()))?;
        let Some(channel) = channel_named(next) else {
            if is_keyword(next) {
                let message = format!("CHANNELS announces {count} channels and names {}", channels.len());
                return Err(ReadError::at(ErrorKind::ChannelCount, line, message));
            }
            let message = format!("{} is no channel; [XYZ]position, [XYZ]rotation or [XYZ]scale are", next.shown());
            return Err(ReadError::at(ErrorKind::UnknownChannel, next.line, message));
        };
        if matches!(channel, Channel::Position(_)) && channels.contains(&channel) {
            let message =
                format!("{} appears twice; a position replaces the offset and cannot do so again", next.shown());
            return Err(ReadError::at(ErrorKind::DuplicateChannel, next.line, message));
        }
        channels.push(channel);
    }
    if words.peek().is_some_and(|next| channel_named(next).is_some()) {
        let message = format!("CHANNELS announces {count} channels and names more");
        return Err(ReadError::at(ErrorKind::ChannelCount, line, message));
    }
    Ok(channels)
}

fn channel_named(word: Word<'_>) -> Option<Channel> {
    (0..3)
        .flat_map(|axis| [Channel::Position(axis), Channel::Rotation(axis), Channel::Scale(axis)])
        .find(|channel| word.is(channel.name()))
}

fn is_keyword(word: Word<'_>) -> bool {
    ["{", "}", "ROOT", "JOINT", "End", "OFFSET", "CHANNELS", "MOTION"].iter().any(|keyword| word.is(keyword))
}

fn missing_offset(joint: &str, line: usize) -> ReadError {
    ReadError::at(ErrorKind::MissingOffset, line, format!("no OFFSET for `{joint}` or its End Site"))
}
