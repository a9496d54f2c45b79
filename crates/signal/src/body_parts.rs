//! Joints of a body by what anatomy calls them.

use surefoot_motion::{Arm, BodyMap, JointId, Leg, Side, Skeleton};

/// A kind of joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Hip,
    Knee,
    Ankle,
    Toes,
    Clavicle,
    Shoulder,
    Elbow,
    Wrist,
    Pelvis,
    /// From above the pelvis up to the joint that carries the arms.
    Spine,
    /// From above that up to the head.
    Neck,
    Head,
}

/// Words for parts; limbs take `left-` and `right-` before them, or an `s` behind.
const WORDS: [(&str, Part); 12] = [
    ("hip", Part::Hip),
    ("knee", Part::Knee),
    ("ankle", Part::Ankle),
    ("toe", Part::Toes),
    ("clavicle", Part::Clavicle),
    ("shoulder", Part::Shoulder),
    ("elbow", Part::Elbow),
    ("wrist", Part::Wrist),
    ("pelvis", Part::Pelvis),
    ("spine", Part::Spine),
    ("neck", Part::Neck),
    ("head", Part::Head),
];

/// A kind of joint, on one side or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SidedPart {
    part: Part,
    side: Option<Side>,
}

/// All words for parts, for messages.
pub(crate) fn part_names() -> String {
    let words: Vec<String> =
        WORDS.iter().map(|(word, part)| if part.is_sided() { format!("{word}s") } else { word.to_string() }).collect();
    format!("{}; limbs also `left-knee` and the like", words.join(", "))
}

/// The part that a word names: `knees`, `left-knee`, `LeftKnee`, `neck`.
pub(crate) fn find_part(word: &str) -> Option<SidedPart> {
    let word: String = word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let sided = |side: &str| word.strip_prefix(side).map(str::to_string);
    let (side, word) = match (sided("left"), sided("right")) {
        (Some(rest), _) => (Some(Side::Left), rest),
        (_, Some(rest)) => (Some(Side::Right), rest),
        _ => (None, word),
    };
    let found =
        WORDS.iter().find(|(name, part)| word == *name || (part.is_sided() && word.strip_suffix('s') == Some(name)));
    found.map(|(_, part)| SidedPart { part: *part, side }).filter(|found| found.part.is_sided() || side.is_none())
}

impl Part {
    fn is_sided(self) -> bool {
        !matches!(self, Part::Pelvis | Part::Spine | Part::Neck | Part::Head)
    }

    /// The joints of this kind, on both sides.
    pub(crate) fn joints(self, skeleton: &Skeleton, body: &BodyMap) -> Vec<JointId> {
        SidedPart { part: self, side: None }.joints(skeleton, body)
    }

    fn of_limbs(self, leg: &Leg, arm: Option<Arm>) -> Option<JointId> {
        match self {
            Part::Hip => Some(leg.hip),
            Part::Knee => Some(leg.knee),
            Part::Ankle => Some(leg.ankle),
            Part::Toes => leg.ball,
            Part::Clavicle => arm?.clavicle,
            Part::Shoulder => Some(arm?.shoulder),
            Part::Elbow => Some(arm?.elbow),
            Part::Wrist => arm?.wrist,
            Part::Pelvis | Part::Spine | Part::Neck | Part::Head => None,
        }
    }
}

impl SidedPart {
    /// Its joints; none if the body has none.
    pub(crate) fn joints(self, skeleton: &Skeleton, body: &BodyMap) -> Vec<JointId> {
        let (spine, neck) = body.spine.split_at(n_trunk(skeleton, body));
        match self.part {
            Part::Pelvis => vec![body.pelvis],
            Part::Spine => spine.to_vec(),
            Part::Neck => neck.to_vec(),
            Part::Head => body.head.into_iter().collect(),
            part => {
                let sides = Side::BOTH.into_iter().filter(|side| self.side.is_none_or(|only| only == *side));
                sides.filter_map(|side| part.of_limbs(&body.legs[side], body.arms[side])).collect()
            }
        }
    }
}

/// How many joints of the spine are below the neck: up to the highest that carries both arms, or all without arms.
fn n_trunk(skeleton: &Skeleton, body: &BodyMap) -> usize {
    let first = |arm: Arm| arm.clavicle.unwrap_or(arm.shoulder);
    let arms: Vec<JointId> = body.arms.iter().filter_map(|(_, arm)| arm.map(first)).collect();
    let carries_arms = |joint: &JointId| arms.iter().all(|&arm| skeleton.is_at_or_above(*joint, arm));
    body.spine.iter().rposition(carries_arms).map_or(0, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_motion::{PersonOptions, person};

    #[test]
    fn words_find_joints() {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let find = |word: &str| find_part(word).map(|part| part.joints(&skeleton, &body));
        let legs = &body.legs;
        for (word, joints) in [
            ("knees", vec![legs.left.knee, legs.right.knee]),
            ("knee", vec![legs.left.knee, legs.right.knee]),
            ("LeftKnee", vec![legs.left.knee]),
            ("right-elbow", vec![body.arms.right.unwrap().elbow]),
            ("pelvis", vec![body.pelvis]),
            ("head", vec![body.head.unwrap()]),
        ] {
            assert_eq!(find(word), Some(joints), "{word}");
        }
        assert_eq!(find("spine").unwrap().len() + find("neck").unwrap().len(), body.spine.len());
        assert!(!find("neck").unwrap().is_empty());
        for word in ["", "left", "left-neck", "knie", "tail"] {
            assert_eq!(find_part(word), None, "{word}");
        }
    }
}
