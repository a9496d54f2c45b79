//! A clip with its contacts.

use crate::Contacts;
use surefoot_motion::Clip;

/// A clip with its foot contacts: what every synthesiser returns and every analyser accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The motion.
    pub clip: Clip,
    /// When its feet stand.
    pub contacts: Contacts,
}
