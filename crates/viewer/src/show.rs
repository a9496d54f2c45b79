//! What a page shows, as its caller knows it.

use serde::Serialize;
use surefoot_contact::{Contacts, FootPlan};
use surefoot_ground::{Obstacle, Terrain};
use surefoot_motion::{BodyMap, CharacterMesh, Clip};

/// A page: shows that its reader chooses from.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// Of the window, and above everything.
    pub title: String,
    /// At least one.
    pub shows: Vec<Show<'a>>,
}

/// One or more motions on one ground, played together.
#[derive(Clone, Debug)]
pub struct Show<'a> {
    /// As the list of shows has it.
    pub name: String,
    /// What it shows, in a sentence; may be empty.
    pub about: String,
    /// Who moves, at least one. The first is who the plan and the plots are measured on at first.
    pub actors: Vec<Actor<'a>>,
    /// How actors are arranged at first.
    pub arrangement: Arrangement,
    /// The ground; `None` is the level floor at `floor`.
    pub terrain: Option<&'a Terrain>,
    /// Height of the level floor where no terrain is given, in metres.
    pub floor: f64,
    /// What stands in the way.
    pub obstacles: &'a [Obstacle],
    /// Footprints that the first actor should be planted on.
    pub plan: Option<&'a FootPlan>,
    /// How good it is, if somebody judged it.
    pub verdict: Option<Badge>,
    /// Numbers about the complete motion.
    pub facts: Vec<Fact>,
    /// Files that belong to it, relative to the page.
    pub links: Vec<String>,
}

/// Someone who moves.
#[derive(Clone, Copy, Debug)]
pub struct Actor<'a> {
    /// As the legend has it.
    pub name: &'a str,
    /// The motion.
    pub clip: &'a Clip,
    /// Which joint is which. Without it there are no feet, no contacts and no plots.
    pub body: Option<&'a BodyMap>,
    /// What they look like, on the clip's own skeleton; without it a body is made around the skeleton.
    pub mesh: Option<&'a CharacterMesh>,
    /// When feet are planted.
    pub contacts: Option<&'a Contacts>,
    /// Where the contacts come from.
    pub contacts_from: ContactsFrom,
}

/// Where contacts come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactsFrom {
    /// A file or a synthesizer.
    Given,
    /// Found in the motion.
    Detected,
}

/// How several actors are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// All where they are: before and after.
    Overlay,
    /// Each in a lane of its own.
    #[default]
    SideBySide,
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Badge {
    /// `good`, `check` or `poor`.
    pub grade: String,
    /// In words, worst first.
    pub reasons: Vec<String>,
}

/// A number with its meaning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// As it is printed, with its unit.
    pub value: String,
    /// The same before an edit, for a second column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}
