//! What a joint's name says: a side of the body, and roughly which part.
//!
//! Names are the second witness. [`crate::find_body`] decides by topology and geometry and asks the names only to
//! label sides, to break ties and to tell real joints from helpers (twist, control, end). The vocabulary is therefore
//! coarse on purpose: `LeftLeg` is a shin in most families and a thigh in one, `LeftShoulder` a clavicle or an upper
//! arm, `left_foot` an ankle or a ball, so a word is only trusted to name a limb, never a joint within it.
//!
//! A name is cut into lower-case words at separators, at digits and where the case changes: `mixamorig:LeftUpLeg`,
//! `Bip01 L Thigh`, `thigh_l`, `LThigh` and `lfemur` all yield a side and a leg word.

use crate::Side;

/// The part of the body that a name speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedPart {
    /// Thigh, knee, shin, ankle, foot.
    Leg,
    /// The ball of a foot or its toes.
    Toe,
    /// The back of a foot.
    Heel,
    /// Clavicle, upper arm, elbow, forearm, wrist.
    Arm,
    /// Hand and fingers.
    Hand,
    /// Pelvis or hips, without a side.
    Pelvis,
    /// Spine, chest, abdomen.
    Spine,
    /// Neck.
    Neck,
    /// Head.
    Head,
    /// Eyes, jaw, hair, tail, clothes, breasts, props: what hangs on a body without carrying it.
    Attachment,
}

/// A name taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NameFacts {
    /// The side it names.
    pub side: Option<Side>,
    /// The part it names.
    pub part: Option<NamedPart>,
    /// Whether it calls itself a helper: twist, roll, IK, control, pole.
    pub is_helper: bool,
    /// Whether it calls itself the end of a chain: `HeadTop_End`, `LeftToeTip`, `..Nub`.
    pub is_end: bool,
}

/// Takes a joint's name apart.
pub fn read_joint_name(name: &str) -> NameFacts {
    let words = words_of(name);
    let mut side = None;
    let mut stems = Vec::new();
    for word in &words {
        let (named, stem) = split_side(word);
        side = side.or(named);
        let is_number = stem.chars().all(|c| c.is_ascii_digit());
        if !is_number && !is_rig_prefix(stem) {
            stems.push(stem);
        }
    }
    let is_helper = stems.iter().any(|stem| HELPER_WORDS.contains(stem));
    let is_end = stems.last().is_some_and(|last| END_WORDS.contains(last) || last.ends_with("end"));
    NameFacts { side, part: part_of(&stems, side), is_helper, is_end }
}

/// A joint's name without its side, in lower case and without separators: equal for `LeftFoot` and `RightFoot`.
pub fn name_without_side(name: &str) -> String {
    words_of(name).iter().map(|word| split_side(word).1).collect()
}

/// Words that mark a joint which only spreads or steers the motion of others.
const HELPER_WORDS: &[&str] =
    &["twist", "roll", "ik", "fk", "pole", "poletarget", "target", "ctrl", "control", "helper", "mch", "corrective"];

/// Words that mark the last point of a chain.
const END_WORDS: &[&str] = &["end", "tip", "nub", "effector", "site", "leaf"];

/// Words that stand before the name of every joint of a rig, whatever the joint is.
fn is_rig_prefix(stem: &str) -> bool {
    matches!(
        stem,
        "model" | "character" | "valvebiped" | "bip" | "cc" | "base" | "def" | "org" | "skeleton" | "joint" | "j"
    ) || stem.starts_with("mixamorig")
}

/// Which part each word names. The first entry that occurs in a name decides, so that `forefoot` is a toe before it is
/// a foot, `hand thumb` a hand, `up leg` a leg.
const VOCABULARY: &[(NamedPart, &[&str])] = &[
    (
        NamedPart::Attachment,
        &[
            "eye", "jaw", "tongue", "hair", "tail", "skirt", "cape", "breast", "bust", "ear", "brow", "lip", "teeth",
            "cloth", "weapon", "prop", "wing", "cheek", "eyelid", "nose",
        ],
    ),
    (NamedPart::Heel, &["heel"]),
    (NamedPart::Toe, &["toe", "toes", "toebase", "forefoot", "ball", "metatarsal", "metatarsals", "bigtoe"]),
    (
        NamedPart::Hand,
        &[
            "hand",
            "finger",
            "fingers",
            "thumb",
            "index",
            "middle",
            "mid",
            "ring",
            "pinky",
            "little",
            "palm",
            "metacarpal",
        ],
    ),
    (
        NamedPart::Arm,
        &[
            "arm", "uparm", "loarm", "upperarm", "lowerarm", "forearm", "elbow", "wrist", "shoulder", "shldr",
            "collar", "clavicle", "clav", "humerus", "radius", "ulna", "scapula",
        ],
    ),
    (
        NamedPart::Leg,
        &[
            "leg", "upleg", "loleg", "upperleg", "lowerleg", "thigh", "femur", "knee", "calf", "shin", "tibia",
            "ankle", "foot", "feet", "hipjoint", "buttock", "talus", "fibula",
        ],
    ),
    (NamedPart::Neck, &["neck", "lowerneck", "upperneck"]),
    (NamedPart::Head, &["head", "headtop", "skull"]),
    (
        NamedPart::Spine,
        &[
            "spine",
            "chest",
            "abdomen",
            "ab",
            "torso",
            "thorax",
            "lowerback",
            "upperback",
            "back",
            "waist",
            "upperchest",
            "rib",
        ],
    ),
    (NamedPart::Pelvis, &["pelvis", "hips", "hip", "cog"]),
];

fn part_of(stems: &[&str], side: Option<Side>) -> Option<NamedPart> {
    // `ForeFoot` is cut into two words, but known as one.
    let joined: Vec<String> = stems.windows(2).map(<[&str]>::concat).collect();
    let is_in_name = |word: &&str| stems.contains(word) || joined.iter().any(|pair| pair == word);
    let listed = VOCABULARY.iter().find(|(_, words)| words.iter().any(is_in_name));
    match listed.map(|(part, _)| *part) {
        // `LeftHip` is a thigh joint; only a hip without a side is the pelvis.
        Some(NamedPart::Pelvis) if side.is_some() => Some(NamedPart::Leg),
        part => part,
    }
}

/// Lower-case words of a name. Whatever stands before the last `:` or `|` is a namespace and dropped.
fn words_of(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|k| letters[k]);
        let after = letters.get(i + 1);
        let starts_word = c.is_uppercase()
            && before
                .is_some_and(|b| b.is_lowercase() || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase())));
        // A digit stays with a single letter: `L5` is a vertebra, not a left side.
        let starts_number = c.is_ascii_digit() && before.is_some_and(char::is_alphabetic) && word.chars().count() > 1;
        if !c.is_alphanumeric() || starts_word || starts_number {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|w| !w.is_empty());
    words
}

/// The side that a word names and what is left of the word. A lone `l` is a side; an `l` in front of a word is one
/// only if the rest is in the vocabulary (`lfemur`, not `lower`).
fn split_side(word: &str) -> (Option<Side>, &str) {
    for (side, long, short) in [(Side::Left, "left", 'l'), (Side::Right, "right", 'r')] {
        if let Some(rest) = word.strip_prefix(long).or_else(|| word.strip_suffix(long)) {
            return (Some(side), rest);
        }
        match word.strip_prefix(short) {
            Some("") => return (Some(side), ""),
            Some(rest) if is_in_vocabulary(rest) && !is_in_vocabulary(word) => return (Some(side), rest),
            _ => {}
        }
    }
    (None, word)
}

fn is_in_vocabulary(word: &str) -> bool {
    VOCABULARY.iter().any(|(_, words)| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read_in_every_spelling() {
        let left = [
            "LeftUpLeg",
            "mixamorig:LeftUpLeg",
            "mixamorigLeftLeg",
            "lfemur",
            "lThigh",
            "LThigh",
            "thigh_l",
            "Foot_L",
            "thigh.L",
            "Bip01 L Thigh",
            "CC_Base_L_Thigh",
            "left_foot",
            "leftToes",
            "LHipJoint",
            "l_tibia",
            "ltoes",
            "leg_joint_L_1",
            "J_Bip_L_UpperLeg",
            "Character1_LeftFoot",
            "LEFTFOOT",
            "thigh_twist_01_l",
        ];
        for name in left {
            assert_eq!(read_joint_name(name).side, Some(Side::Left), "{name}");
            let mirrored = name.replace("LEFT", "RIGHT").replace("Left", "Right").replace("left", "right");
            let mirrored = if mirrored == name { swap_letter(name) } else { mirrored };
            assert_eq!(read_joint_name(&mirrored).side, Some(Side::Right), "{mirrored}");
        }
    }

    /// The one letter that makes these names left ones, turned to the right.
    fn swap_letter(name: &str) -> String {
        for (from, to) in [("_L", "_R"), ("_l", "_r"), (".L", ".R"), (" L ", " R ")] {
            if name.contains(from) {
                return name.replacen(from, to, 1);
            }
        }
        let first = if name.starts_with('l') { "r" } else { "R" };
        format!("{first}{}", &name[1..])
    }

    #[test]
    fn names_of_both_sides_are_one_without_it() {
        let twins =
            [("LeftFoot", "RightFoot"), ("lfemur", "rfemur"), ("Bip01 L Toe0", "Bip01 R Toe0"), ("thigh.L", "thigh.R")];
        for (left, right) in twins {
            assert_eq!(name_without_side(left), name_without_side(right));
        }
        assert_ne!(name_without_side("LeftHandThumb1"), name_without_side("RightHandThumb2"));
    }

    #[test]
    fn words_that_begin_like_a_side_name_none() {
        for name in [
            "L5",
            "L3",
            "T12",
            "LowerBack",
            "lowerback",
            "root",
            "Root",
            "radius",
            "Reference",
            "Spine",
            "joint17",
            "rib",
        ] {
            assert_eq!(read_joint_name(name).side, None, "{name}");
        }
    }

    #[test]
    fn parts_and_helpers_are_told_apart() {
        let cases = [
            ("LeftHip", Some(NamedPart::Leg)),
            ("hip", Some(NamedPart::Pelvis)),
            ("Hips", Some(NamedPart::Pelvis)),
            ("LeftForeFoot", Some(NamedPart::Toe)),
            ("LeftForeArm", Some(NamedPart::Arm)),
            ("LeftHandThumb1", Some(NamedPart::Hand)),
            ("ball_l", Some(NamedPart::Toe)),
            ("Bip01 L Toe0", Some(NamedPart::Toe)),
            ("rShldr", Some(NamedPart::Arm)),
            ("heel.02.L", Some(NamedPart::Heel)),
            ("ToSpine", Some(NamedPart::Spine)),
            ("joint17", None),
        ];
        for (name, part) in cases {
            assert_eq!(read_joint_name(name).part, part, "{name}");
        }
        assert!(read_joint_name("thigh_twist_01_l").is_helper && read_joint_name("ik_foot_l").is_helper);
        for name in ["HeadTop_End", "LeftToeBaseEnd", "LeftToeTip", "LowerLeg.L_end"] {
            assert!(read_joint_name(name).is_end, "{name}");
        }
        assert!(!read_joint_name("LeftToeBase").is_end);
    }
}
