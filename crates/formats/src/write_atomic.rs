//! Outputs are written completely or not at all.
//!
//! Steps, each of which may fail and leaves the target as it was:
//! 1. Refuse what can be refused before any work: an existing file that may not be replaced, a folder, a missing folder.
//! 2. Write a temporary file beside the target, so that the last step stays within one file system.
//! 3. Sync it, so that a crash after the rename cannot leave an empty file under the right name.
//! 4. Rename it over the target. Without leave to replace, the file system itself refuses if something appeared meanwhile.
//! 5. On Unix, sync the folder, so that the new name outlives a crash as well.
//!
//! Links and devices: a link is followed and stays a link, what it points to is replaced. A device or pipe
//! (`/dev/stdout`, `>(...)` of a shell) cannot be replaced by a rename, nor should it: bytes go straight to it, and there
//! "not at all" cannot be promised.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What to do with a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// Keep it and refuse to write.
    Never,
    /// Replace it in one step; it keeps its permissions.
    Replace,
}

/// Why an output was not written. What was there before is there still.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct WriteError {
    /// The output.
    pub path: PathBuf,
    /// What is in the way.
    pub problem: WriteProblem,
}

/// What is in the way of an output.
#[derive(Debug, thiserror::Error)]
pub enum WriteProblem {
    /// A file is there and may not be replaced.
    #[error("exists already")]
    Exists,
    /// The path names a folder.
    #[error("is a folder; name a file in it")]
    IsFolder,
    /// The folder to write in does not exist, or is none.
    #[error("there is no folder {folder}; create it first", folder = folder.display())]
    NoFolder {
        /// Where it would be.
        folder: PathBuf,
    },
    /// The folder or file may not be written by this user.
    #[error("may not be written here ({0}); choose another folder or change its permissions")]
    NotAllowed(#[source] io::Error),
    /// The disk is full, or the user's share of it.
    #[error("no space left for it ({0}); free some or choose another disk")]
    Full(#[source] io::Error),
    /// Anything else that the system refuses.
    #[error("could not be written: {0}")]
    Io(#[source] io::Error),
}

impl WriteProblem {
    pub(crate) fn at(self, path: &Path) -> WriteError {
        WriteError { path: path.to_path_buf(), problem: self }
    }
}

impl From<io::Error> for WriteProblem {
    fn from(source: io::Error) -> WriteProblem {
        match source.kind() {
            io::ErrorKind::AlreadyExists => WriteProblem::Exists,
            io::ErrorKind::IsADirectory => WriteProblem::IsFolder,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => WriteProblem::NotAllowed(source),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                WriteProblem::Full(source)
            }
            _ => WriteProblem::Io(source),
        }
    }
}

/// Writes a file completely or not at all. See the module's head for the steps, and for links and devices.
pub fn write_atomic(path: &Path, bytes: &[u8], overwrite: Overwrite) -> Result<(), WriteError> {
    write_with(path, overwrite, |file| file.write_all(bytes))
}

/// [`write_atomic`] with the writing left to the caller: the seam through which tests fill the disk.
fn write_with(
    path: &Path,
    overwrite: Overwrite,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), WriteError> {
    match Place::find(path, overwrite)? {
        Place::Device => write_device(path, write),
        Place::File(place) => place.fill(path, write)?.persist(path, overwrite),
    }
}

/// Where the bytes of an output go.
pub(crate) enum Place {
    /// Straight to it.
    Device,
    /// To a temporary file beside the target.
    File(FilePlace),
}

/// The file that an output becomes.
#[derive(Debug)]
pub(crate) struct FilePlace {
    /// Where links lead.
    pub(crate) target: PathBuf,
    folder: PathBuf,
    /// Of the file that is replaced.
    permissions: Option<fs::Permissions>,
}

/// A filled temporary file that waits for its name.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) place: FilePlace,
    temporary: NamedTempFile,
}

impl Place {
    /// Step 1: what can be refused before any work.
    pub(crate) fn find(path: &Path, overwrite: Overwrite) -> Result<Place, WriteError> {
        let failed = |source: io::Error| WriteProblem::from(source).at(path);
        let existing = metadata_if_any(fs::symlink_metadata(path)).map_err(failed)?;
        let pointed_to = metadata_if_any(fs::metadata(path)).map_err(failed)?;
        if let Some(metadata) = &pointed_to {
            if metadata.is_dir() {
                return Err(WriteProblem::IsFolder.at(path));
            }
            if !metadata.is_file() {
                return Ok(Place::Device);
            }
        }
        if existing.is_some() && overwrite == Overwrite::Never {
            return Err(WriteProblem::Exists.at(path));
        }
        let target = link_target(path, existing.as_ref(), pointed_to.is_some()).map_err(failed)?;
        let folder = folder_of(&target);
        if path.file_name().is_none() || !folder.is_dir() {
            return Err(WriteProblem::NoFolder { folder }.at(path));
        }
        Ok(Place::File(FilePlace { target, folder, permissions: pointed_to.map(|metadata| metadata.permissions()) }))
    }
}

impl FilePlace {
    /// Steps 2 and 3: a temporary file beside the target, written and synced.
    pub(crate) fn fill(
        self,
        path: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<Filled, WriteError> {
        let failed = |source: io::Error| WriteProblem::from(source).at(path);
        let mut temporary = temporary_in(&self.folder).map_err(failed)?;
        write(temporary.as_file_mut()).map_err(failed)?;
        if let Some(permissions) = &self.permissions {
            fs::set_permissions(temporary.path(), permissions.clone()).map_err(failed)?;
        }
        temporary.as_file().sync_all().map_err(failed)?;
        Ok(Filled { place: self, temporary })
    }

    /// Whether the folder takes a new file, found by making one and removing it again.
    pub(crate) fn probe(&self, path: &Path) -> Result<(), WriteError> {
        temporary_in(&self.folder).map(drop).map_err(|source| WriteProblem::from(source).at(path))
    }

    /// Another name for the file that will be replaced, under which it outlives that; `None` if there is none.
    pub(crate) fn back_up(&self) -> io::Result<Option<tempfile::TempPath>> {
        if self.permissions.is_none() {
            return Ok(None);
        }
        let backup = temporary_in(&self.folder)?.into_temp_path();
        fs::copy(&self.target, &backup).map(|_| Some(backup))
    }
}

impl Filled {
    /// Steps 4 and 5: the temporary file takes the target's name.
    pub(crate) fn persist(self, path: &Path, overwrite: Overwrite) -> Result<(), WriteError> {
        let persisted = match overwrite {
            Overwrite::Never => self.temporary.persist_noclobber(&self.place.target),
            Overwrite::Replace => self.temporary.persist(&self.place.target),
        };
        persisted.map_err(|error| WriteProblem::from(error.error).at(path))?;
        sync_folder(&self.place.folder);
        Ok(())
    }
}

/// Writes to a device or pipe.
pub(crate) fn write_device(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), WriteError> {
    let failed = |source: io::Error| WriteProblem::from(source).at(path);
    let mut device = File::options().write(true).open(path).map_err(failed)?;
    write(&mut device).and_then(|()| device.flush()).map_err(failed)
}

/// `None` where nothing is at the path; a folder that is missing or no folder is found later, by name.
fn metadata_if_any(found: io::Result<Metadata>) -> io::Result<Option<Metadata>> {
    match found {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The file to rename over: what a link points to, so that the link survives; else the path itself. A link to nothing is
/// replaced.
fn link_target(path: &Path, existing: Option<&Metadata>, points_to_file: bool) -> io::Result<PathBuf> {
    match existing {
        Some(metadata) if metadata.is_symlink() && points_to_file => fs::canonicalize(path),
        _ => Ok(path.to_path_buf()),
    }
}

/// The folder of a file; a bare name's is the current one.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// A hidden file of a name nobody has; removed when it is dropped without being renamed.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".surefoot-").suffix(".part");
    // Temporary files are private by default; an output gets what the user's umask leaves of the usual permissions.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Makes the new name durable. Some file systems cannot sync a folder; the content is in place by then, so that is no
/// failure.
#[cfg(unix)]
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_file_is_written_and_nothing_else_is_left() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("walk.bvh");
        write_atomic(&path, b"HIERARCHY", Overwrite::Never).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"HIERARCHY");
        assert_eq!(names_in(folder.path()), ["walk.bvh"]);
    }

    #[test]
    fn an_existing_file_is_kept_unless_it_may_be_replaced() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("walk.bvh");
        fs::write(&path, b"old").unwrap();
        let error = write_atomic(&path, b"new", Overwrite::Never).unwrap_err();
        assert!(matches!(error.problem, WriteProblem::Exists));
        assert!(error.to_string().contains("walk.bvh: exists already"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_atomic(&path, b"new", Overwrite::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names_in(folder.path()), ["walk.bvh"]);
    }

    #[test]
    fn a_file_that_appears_while_ours_is_written_is_kept() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("walk.bvh");
        let result = write_with(&path, Overwrite::Never, |file| {
            fs::write(&path, b"theirs")?;
            file.write_all(b"ours")
        });
        assert!(matches!(result, Err(WriteError { problem: WriteProblem::Exists, .. })));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names_in(folder.path()), ["walk.bvh"]);
    }

    #[test]
    fn a_full_disk_leaves_what_was_there_and_no_temporary_file() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("walk.bvh");
        fs::write(&path, b"old").unwrap();
        let result = write_with(&path, Overwrite::Replace, |file| {
            file.write_all(b"half of it")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        let error = result.unwrap_err();
        assert!(matches!(error.problem, WriteProblem::Full(_)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names_in(folder.path()), ["walk.bvh"]);
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_target_are_named() {
        let folder = TempDir::new().unwrap();
        let missing = folder.path().join("out").join("walk.bvh");
        let error = write_atomic(&missing, b"x", Overwrite::Replace).unwrap_err();
        assert!(matches!(error.problem, WriteProblem::NoFolder { .. }));
        assert!(error.to_string().contains("create it first"), "{error}");
        let file = folder.path().join("file");
        fs::write(&file, b"x").unwrap();
        let below_a_file = write_atomic(&file.join("walk.bvh"), b"x", Overwrite::Never).unwrap_err();
        assert!(matches!(below_a_file.problem, WriteProblem::NoFolder { .. }), "{below_a_file}");
        for overwrite in [Overwrite::Never, Overwrite::Replace] {
            let error = write_atomic(folder.path(), b"x", overwrite).unwrap_err();
            assert!(matches!(error.problem, WriteProblem::IsFolder), "{error}");
            let error = write_atomic(Path::new(""), b"x", overwrite).unwrap_err();
            assert!(matches!(error.problem, WriteProblem::NoFolder { .. }), "{error}");
        }
        assert_eq!(names_in(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        #[test]
        fn a_folder_that_may_not_be_written_is_reported_and_left_alone() {
            let folder = TempDir::new().unwrap();
            let inner = folder.path().join("inner");
            fs::create_dir(&inner).unwrap();
            fs::write(inner.join("walk.bvh"), b"old").unwrap();
            fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).unwrap();
            if File::create(inner.join("probe")).is_ok() {
                println!("skipped: this user may write anywhere");
                return;
            }
            let error = write_atomic(&inner.join("walk.bvh"), b"new", Overwrite::Replace).unwrap_err();
            assert!(matches!(error.problem, WriteProblem::NotAllowed(_)), "{error}");
            assert_eq!(fs::read(inner.join("walk.bvh")).unwrap(), b"old");
            fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
            assert_eq!(names_in(&inner), ["walk.bvh"]);
        }

        #[test]
        fn a_replaced_file_keeps_its_permissions_and_a_new_one_has_the_usual() {
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("walk.bvh");
            let usual = folder.path().join("usual");
            fs::write(&usual, b"").unwrap();
            write_atomic(&path, b"new", Overwrite::Never).unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode(&path), mode(&usual));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            write_atomic(&path, b"newer", Overwrite::Replace).unwrap();
            assert_eq!(mode(&path), 0o640);
        }

        #[test]
        fn a_link_stays_a_link_and_its_file_is_replaced() {
            let folder = TempDir::new().unwrap();
            let (file, link) = (folder.path().join("file"), folder.path().join("link"));
            fs::write(&file, b"old").unwrap();
            symlink("file", &link).unwrap();
            assert!(matches!(
                write_atomic(&link, b"new", Overwrite::Never),
                Err(WriteError { problem: WriteProblem::Exists, .. })
            ));
            write_atomic(&link, b"new", Overwrite::Replace).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), b"new");
        }

        #[test]
        fn a_link_to_nothing_is_kept_unless_it_may_be_replaced() {
            let folder = TempDir::new().unwrap();
            let link = folder.path().join("link");
            symlink("nothing", &link).unwrap();
            assert!(matches!(
                write_atomic(&link, b"new", Overwrite::Never),
                Err(WriteError { problem: WriteProblem::Exists, .. })
            ));
            write_atomic(&link, b"new", Overwrite::Replace).unwrap();
            assert_eq!(fs::read(&link).unwrap(), b"new");
            assert_eq!(names_in(folder.path()), ["link"]);
        }

        #[test]
        #[cfg(target_os = "linux")]
        fn a_device_is_written_through_and_stays_a_device() {
            write_atomic(Path::new("/dev/null"), b"x", Overwrite::Never).unwrap();
            let error = write_atomic(Path::new("/dev/full"), b"x", Overwrite::Replace).unwrap_err();
            assert!(matches!(error.problem, WriteProblem::Full(_)), "{error}");
            assert!(!fs::metadata("/dev/full").unwrap().is_file());
        }
    }
}
