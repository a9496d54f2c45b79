//! Opening a motion file and deciding what it means, in one call.

use std::path::{Path, PathBuf};
use surefoot_contact::Contacts;
use surefoot_formats::own::ContactRanges;
use surefoot_formats::{
    AnimationChoice, ErrorKind, Import, ImportOptions, OpenOptions, ReadError, import, import_again, open_bytes, own,
    read_bytes,
};

/// What the user knows better than the file; the default finds everything and reports it.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The skeleton of an AMC.
    pub asf: Option<PathBuf>,
    /// Which of several animations.
    pub animation: Option<AnimationChoice>,
    /// Rate to sample glTF and FBX animations at, whose keys lie anywhere in time. Default: the rate of the keys.
    pub sample_rate: Option<f64>,
    /// A body file that overrides the body map.
    pub body: Option<PathBuf>,
    /// Unit, axes, frame rate, first frames, floor.
    pub import: ImportOptions,
}

/// Reads a motion file of any format into metres and Y up. The clip has the name of its animation, or of the file.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Import, ReadError> {
    let open_options = OpenOptions {
        asf: options.asf.clone(),
        animation: options.animation.clone(),
        sample_rate: options.sample_rate,
    };
    let bytes = read_bytes(path)?;
    if bytes.is_empty() && path.as_os_str() == "-" {
        let message = "nothing came from standard input; did the command in front of it fail?";
        return Err(ReadError::new(ErrorKind::Empty, message).in_file(path));
    }
    let mut import_options = options.import.clone();
    if let Some(body) = &options.body {
        import_options.body_file = Some(read_bytes(body)?);
    }
    let mut character = None;
    let imported = if is_take(path, &bytes) {
        if options.animation.is_some() {
            let message = "a take holds no animations to choose from";
            return Err(ReadError::new(ErrorKind::NoAnimation, message).in_file(path));
        }
        let take = own::read_take(&bytes).map_err(|error| error.in_file(path))?;
        import_again(take, &import_options)
    } else {
        let document = open_bytes(&bytes, path, &open_options)?;
        character = (document.is_character && path.as_os_str() != "-").then(|| path.to_path_buf());
        import(document, &import_options)
    };
    let mut import = imported.map_err(|error| match error.kind {
        ErrorKind::Take => error.in_file(path),
        // Past reading, only the body file can be wrong.
        _ => error.in_file(options.body.as_deref().unwrap_or(path)),
    })?;
    if import.clip.name.is_empty() {
        import.clip.name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    }
    import.character = character;
    Ok(import)
}

/// Reads a motion from the bytes of a file of that name, with every guess left to the import.
pub(crate) fn load_bytes(name: &str, bytes: &[u8]) -> Result<Import, ReadError> {
    import(open_bytes(bytes, Path::new(name), &OpenOptions::default())?, &ImportOptions::default())
}

/// Whether a file is a take, by its name or by its first bytes.
fn is_take(path: &Path, bytes: &[u8]) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(own::TAKE_ENDING)) || own::is_take(bytes)
}

/// Reads a contacts file for a loaded clip. Its frames may count with the first frames that the import dropped, or without.
pub fn load_contacts(path: &Path, import: &Import) -> Result<Contacts, ReadError> {
    let body = import
        .body
        .as_ref()
        .map_err(|error| ReadError::new(ErrorKind::Body, format!("contacts need feet: {error}")).in_file(path))?;
    let ranges = own::read_contacts(&read_bytes(path)?).map(|ranges| {
        let dropped = import.assumed.dropped_frames;
        let counts_all = dropped > 0 && ranges.n_frames == import.clip.n_frames() + dropped;
        if counts_all { without_first(&ranges, dropped) } else { ranges }
    });
    ranges.and_then(|ranges| ranges.of_clip(&import.clip, body)).map_err(|error| error.in_file(path))
}

/// Contacts of a clip whose first frames are gone.
fn without_first(ranges: &ContactRanges, dropped: usize) -> ContactRanges {
    let shifted = ranges.ranges.iter().map(|(side, part, frames)| {
        (*side, *part, frames.start.saturating_sub(dropped)..frames.end.saturating_sub(dropped))
    });
    ContactRanges {
        n_frames: ranges.n_frames - dropped,
        ranges: shifted.filter(|(_, _, frames)| !frames.is_empty()).collect(),
    }
}
