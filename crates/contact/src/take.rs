//! A clip with its body map and its contacts.

use crate::Contacts;
use surefoot_motion::{BodyMap, Clip};

/// A person's motion with its foot contacts: what every synthesizer returns and every analyser accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The motion.
    pub clip: Clip,
    /// Which joint of the clip's skeleton is which, with the soles of the feet.
    pub body: BodyMap,
    /// When its feet are planted.
    pub contacts: Contacts,
}
