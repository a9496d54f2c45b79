//! An imported motion as a take: its body map, and contacts from the file or as detected.

use super::Import;
use surefoot_contact::{Contacts, DetectOptions, Take, detect_contacts};
use surefoot_motion::BodyError;

/// A take, and where its contacts come from.
#[derive(Clone, Debug)]
pub struct ImportedTake {
    /// The motion with its body map and its contacts.
    pub take: Take,
    /// Where the contacts come from.
    pub contacts_from: ContactsOrigin,
}

/// Where the contacts of an imported take come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactsOrigin {
    /// The file carries them.
    File,
    /// The file has none: they were detected from the motion.
    Detected,
}

impl Import {
    /// The motion as a take: with the contacts of the file if it carries any, else as detected; an error if no body was
    /// found in it.
    pub fn into_take(self, detect: &DetectOptions) -> Result<ImportedTake, BodyError> {
        let contacts = self.contacts.clone();
        self.into_take_with(contacts, detect)
    }

    /// As [`Import::into_take`], with contacts from elsewhere; detected if there are none.
    pub fn into_take_with(self, contacts: Option<Contacts>, detect: &DetectOptions) -> Result<ImportedTake, BodyError> {
        let (clip, body) = (self.clip, self.body?);
        let (contacts, contacts_from) = match contacts {
            Some(contacts) => (contacts, ContactsOrigin::File),
            None => {
                let found = detect_contacts(&clip.world(), &body, clip.frame_rate, detect);
                (found.contacts, ContactsOrigin::Detected)
            }
        };
        Ok(ImportedTake { take: Take { clip, body, contacts }, contacts_from })
    }
}
