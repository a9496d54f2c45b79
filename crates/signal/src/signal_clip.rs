//! A clip to edit as signals. Anything that moves can be one, a person or not: unlike a [`Take`], it may lack a body map.

use surefoot_contact::{Contacts, Take};
use surefoot_motion::{BodyMap, Clip};

/// A clip with its contacts, and its body map if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalClip {
    /// The motion.
    pub clip: Clip,
    /// When its feet are planted; none without a body.
    pub contacts: Contacts,
    /// Which joint is which, if that is known.
    pub body: Option<BodyMap>,
}

impl SignalClip {
    /// As a take, if it has a body.
    pub fn to_take(&self) -> Option<Take> {
        let body = self.body.clone()?;
        Some(Take { clip: self.clip.clone(), body, contacts: self.contacts.clone() })
    }

    /// Other poses, with the same contacts and body.
    pub fn with_clip(&self, clip: Clip) -> SignalClip {
        SignalClip { clip, contacts: self.contacts.clone(), body: self.body.clone() }
    }
}

impl From<Take> for SignalClip {
    fn from(take: Take) -> SignalClip {
        SignalClip { clip: take.clip, contacts: take.contacts, body: Some(take.body) }
    }
}
