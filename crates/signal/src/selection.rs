//! Which joints an edit is for, by words: groups of the body, and joints by name.

use crate::curves::{Quantity, Track};
use surefoot_motion::{BodyMap, JointId, Side, Skeleton, closest_names};

/// Which channels an edit may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each joint.
    joints: Vec<bool>,
    /// The root trajectory: place and heading of the root.
    travel: bool,
}

/// Words for groups of joints, and what they mean.
pub const GROUPS: [(&str, &str); 12] = [
    ("all", "every joint; not the root trajectory"),
    ("travel", "the root trajectory: place and heading"),
    ("trunk", "pelvis, spine and neck"),
    ("head", "the head and what hangs on it"),
    ("arms", "both arms with hands and fingers"),
    ("left-arm", "the left arm"),
    ("right-arm", "the right arm"),
    ("legs", "both legs with feet and toes"),
    ("left-leg", "the left leg"),
    ("right-leg", "the right leg"),
    ("feet", "ankles and toes"),
    ("hands", "wrists and fingers"),
];

/// Why words are no selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Neither a group nor a joint.
    #[error("`{word}` is neither a group nor a joint{}; groups are {}", or_closest(closest), group_names())]
    Unknown {
        /// As given.
        word: String,
        /// Joints with names like it.
        closest: Vec<String>,
    },
    /// A group of a body that was not found.
    #[error("`{word}` needs a body map, and no body was found; name joints, or give --body")]
    NoBody {
        /// As given.
        word: String,
    },
    /// A group that this body does not have.
    #[error("this body has no joint of `{word}`")]
    Empty {
        /// As given.
        word: String,
    },
    /// Nothing at all.
    #[error("no joint is selected; a group or a joint's name would be right; groups are {}", group_names())]
    Nothing,
}

fn or_closest(closest: &[String]) -> String {
    if closest.is_empty() { String::new() } else { format!(" (near: {})", closest.join(", ")) }
}

fn group_names() -> String {
    GROUPS.map(|(name, _)| name).join(", ")
}

impl Selection {
    /// Every joint, but not the root trajectory.
    pub fn all(skeleton: &Skeleton) -> Selection {
        Selection { joints: vec![true; skeleton.n_joints()], travel: false }
    }

    /// Every channel there is.
    pub fn everything(skeleton: &Skeleton) -> Selection {
        Selection { travel: true, ..Selection::all(skeleton) }
    }

    /// Joints alone.
    pub fn of_joints(skeleton: &Skeleton, joints: impl IntoIterator<Item = JointId>) -> Selection {
        let mut selection = Selection { joints: vec![false; skeleton.n_joints()], travel: false };
        for joint in joints {
            selection.joints[joint.index()] = true;
        }
        selection
    }

    /// From words: groups ([`GROUPS`]), joints by name, and `Name..` for a joint and all below it. Names may differ in case if
    /// only one joint has them.
    pub fn parse<'a>(
        words: impl IntoIterator<Item = &'a str>,
        skeleton: &Skeleton,
        body: Option<&BodyMap>,
    ) -> Result<Selection, SelectionError> {
        let mut selection = Selection::of_joints(skeleton, []);
        for word in words {
            let word = word.trim();
            match word {
                "" => continue,
                "all" => selection.joints.fill(true),
                "travel" => selection.travel = true,
                _ if GROUPS.iter().any(|(name, _)| *name == word) => {
                    let body = body.ok_or_else(|| SelectionError::NoBody { word: word.to_string() })?;
                    let members = members(word, skeleton, body);
                    if members.is_empty() {
                        return Err(SelectionError::Empty { word: word.to_string() });
                    }
                    members.into_iter().for_each(|joint| selection.joints[joint.index()] = true);
                }
                _ => {
                    let (name, below) = word.strip_suffix("..").map_or((word, false), |name| (name, true));
                    let joint = find_joint(name, skeleton).ok_or_else(|| unknown(name, skeleton))?;
                    selection.joints[joint.index()] = true;
                    if below {
                        at_or_below(skeleton, joint).for_each(|joint| selection.joints[joint.index()] = true);
                    }
                }
            }
        }
        if selection.is_empty() { Err(SelectionError::Nothing) } else { Ok(selection) }
    }

    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        !self.travel && !self.joints.contains(&true)
    }

    /// Whether a joint is in it.
    pub fn has_joint(&self, joint: JointId) -> bool {
        self.joints[joint.index()]
    }

    /// Whether the root trajectory is in it.
    pub fn has_travel(&self) -> bool {
        self.travel
    }

    /// Whether a channel is in it. The height of the root belongs to the joint, its place and heading to the root trajectory.
    pub fn covers(&self, track: Track) -> bool {
        match track.quantity {
            Quantity::Heading | Quantity::Ground(_) => self.travel,
            Quantity::Rotation(_) | Quantity::Translation(_) | Quantity::Height => self.has_joint(track.joint),
        }
    }

    /// The joints in it, in the skeleton's order.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.joints.iter().enumerate().filter(|(_, is_in)| **is_in).map(|(index, _)| JointId::new(index))
    }
}

fn at_or_below(skeleton: &Skeleton, top: JointId) -> impl Iterator<Item = JointId> + '_ {
    skeleton.ids().filter(move |joint| skeleton.is_at_or_above(top, *joint))
}

fn members(group: &str, skeleton: &Skeleton, body: &BodyMap) -> Vec<JointId> {
    let below = |top: JointId| at_or_below(skeleton, top).collect::<Vec<JointId>>();
    let leg = |side: Side| below(body.legs[side].hip);
    let arm = |side: Side| body.arms[side].map_or(Vec::new(), |arm| below(arm.clavicle.unwrap_or(arm.shoulder)));
    let hand = |side: Side| body.arms[side].and_then(|arm| arm.wrist).map_or(Vec::new(), below);
    let both = |of: &dyn Fn(Side) -> Vec<JointId>| Side::BOTH.into_iter().flat_map(of).collect();
    match group {
        "trunk" => std::iter::once(body.pelvis).chain(body.spine.iter().copied()).collect(),
        "head" => body.head.map_or(Vec::new(), below),
        "arms" => both(&arm),
        "left-arm" => arm(Side::Left),
        "right-arm" => arm(Side::Right),
        "legs" => both(&leg),
        "left-leg" => leg(Side::Left),
        "right-leg" => leg(Side::Right),
        "feet" => both(&|side| below(body.legs[side].ankle)),
        "hands" => both(&hand),
        _ => Vec::new(),
    }
}

pub(crate) fn find_joint(name: &str, skeleton: &Skeleton) -> Option<JointId> {
    skeleton.find(name).or_else(|| {
        let mut alike = skeleton.ids().filter(|joint| skeleton.name(*joint).eq_ignore_ascii_case(name));
        alike.next().filter(|_| alike.next().is_none())
    })
}

fn unknown(name: &str, skeleton: &Skeleton) -> SelectionError {
    let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
    let closest = closest_names(name, names, 3).into_iter().map(str::to_string).collect();
    SelectionError::Unknown { word: name.to_string(), closest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn groups_and_names_select_and_wrong_words_say_what_would_be_right() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let (skeleton, body) = (&walk.take.clip.skeleton, &walk.take.body);
        let parse = |text: &str| Selection::parse(text.split(','), skeleton, Some(body));
        let legs = parse("legs").unwrap();
        assert!(legs.has_joint(body.legs.left.knee) && !legs.has_joint(body.pelvis) && !legs.has_travel());
        let name = skeleton.name(body.legs.left.ankle);
        let one = parse(name).unwrap();
        assert_eq!(one.joints().collect::<Vec<_>>(), [body.legs.left.ankle]);
        let lower = parse(&format!("{}..", name.to_lowercase())).unwrap();
        assert!(lower.joints().count() > 1);
        assert!(parse("all,travel").unwrap().has_travel());
        assert_eq!(parse(" ,"), Err(SelectionError::Nothing));
        let error = parse("LeftKnie").unwrap_err().to_string();
        assert!(error.contains("neither a group nor a joint"), "{error}");
        let error = Selection::parse(["legs"], skeleton, None).unwrap_err();
        assert!(error.to_string().contains("--body"));
    }
}
