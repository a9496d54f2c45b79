//! Builds people with known bodies: a table of names per family, human proportions, and motion.

use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{EndSite, Joint, JointId, Pose, Skeleton, WorldPose};

/// How a family writes the joints of one side; `%` stands for the side.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) title: &'static str,
    /// What stands for `%` on the left and on the right.
    pub(crate) side: [&'static str; 2],
    /// Joints above the pelvis, root first; the first lies on the ground.
    pub(crate) above: &'static [&'static str],
    pub(crate) pelvis: &'static str,
    /// From after the pelvis up to the neck, then the head.
    pub(crate) spine: &'static [&'static str],
    pub(crate) head: &'static str,
    /// Joints between pelvis and hip.
    pub(crate) before_hip: &'static [&'static str],
    pub(crate) hip: &'static str,
    pub(crate) knee: &'static str,
    pub(crate) ankle: &'static str,
    pub(crate) ball: Option<&'static str>,
    pub(crate) toe: Toe,
    pub(crate) collar: &'static [&'static str],
    /// Upper arm, forearm, hand.
    pub(crate) arm: [&'static str; 3],
    pub(crate) extras: &'static [Extra],
    /// Units per metre.
    pub(crate) scale: f64,
    pub(crate) up: Up,
    pub(crate) rest: Rest,
    /// By how much the right knee stands higher than the left, in metres: real people are never quite even.
    pub(crate) uneven: f64,
}

/// What ends a foot.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Toe {
    EndSite,
    /// An end site at the joint itself, as some writers put it.
    ZeroEndSite,
    Joint(&'static str),
    Nothing,
}

/// Joints beside the plain tree.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Extra {
    Fingers,
    /// Leaf joints beside knee and elbow: thigh and forearm twist.
    TwistLeaves,
    /// Joints in the middle of thigh and upper arm, in line.
    TwistInLine,
    /// `ik_foot` joints on the root.
    IkBranches,
    /// Eyes and a jaw on the head.
    Face,
    /// A leaf joint at the heel.
    Heel(&'static str),
    /// The spine hangs on the pelvis' parent, beside it.
    SpineBeside,
    /// The joints before the hip lie in the pelvis.
    ZeroBeforeHip,
    /// A joint between ankle and ball.
    Metatarsal,
    /// Short helper bones on the pelvis, one a side.
    PelvisStubs,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Up {
    Y,
    Z,
}

/// The rest pose that the family's files have.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Rest {
    /// A standing person with arms spread.
    Standing,
    /// Every segment along X, left ones forward and right ones backward.
    AlongX,
}

/// What the person does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Act {
    Walk,
    Crouch,
    Sit,
    Handstand,
    Crawl,
}

/// A built person: the skeleton, its motion, and the joints as they must be found, left then right.
pub(crate) struct Person {
    pub(crate) skeleton: Skeleton,
    pub(crate) poses: Vec<WorldPose>,
    pub(crate) pelvis: JointId,
    pub(crate) legs: [[JointId; 3]; 2],
    pub(crate) balls: [Option<JointId>; 2],
}

/// How the joints are called.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Names {
    OfFamily,
    /// `joint17`.
    Anonymous,
    /// Left called right and right called left.
    Swapped,
}

struct Place {
    /// With `%` for the side, if it has one.
    text: String,
    side: Option<usize>,
    parent: Option<usize>,
    /// In the standing pose: metres, Y up, facing +Z.
    at: Vec3,
    turn: Turn,
    /// -1 for a segment that runs along -X in [`Rest::AlongX`].
    along: f64,
}

/// Which turn of the motion a joint makes.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    None,
    Root,
    Hip(usize),
    Knee(usize),
    Ankle(usize),
    Ball(usize),
    Shoulder(usize),
    Elbow(usize),
    Back,
}

#[derive(Default)]
struct Builder {
    places: Vec<Place>,
    /// Joint and where the site is in the standing pose.
    sites: Vec<(usize, Vec3)>,
}

impl Builder {
    fn add(&mut self, text: &str, parent: Option<usize>, at: Vec3, turn: Turn) -> usize {
        let along = if at.x < -0.01 { -1.0 } else { 1.0 };
        self.places.push(Place { text: text.to_string(), side: None, parent, at, turn, along });
        self.places.len() - 1
    }

    fn add_on(&mut self, side: usize, text: &str, parent: usize, at: Vec3, turn: Turn) -> usize {
        let joint = self.add(text, Some(parent), at, turn);
        self.places[joint].side = Some(side);
        joint
    }
}

/// Left is +X.
fn on_side(side: usize, x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(if side == 0 { x } else { -x }, y, z)
}

pub(crate) fn build(family: &Family, names: Names, act: Act) -> Person {
    let mut b = Builder::default();
    let has = |extra: Extra| family.extras.contains(&extra);
    let mut root = None;
    for (i, name) in family.above.iter().enumerate() {
        let at = if i == 0 { Vec3::ZERO } else { Vec3::new(0.0, 0.95, 0.0) };
        root = Some(b.add(name, root, at, if i == 0 { Turn::Root } else { Turn::None }));
    }
    let turn = if root.is_none() { Turn::Root } else { Turn::None };
    let pelvis = b.add(family.pelvis, root, Vec3::new(0.0, 0.95, 0.0), turn);
    let mut legs = [[0; 3]; 2];
    let mut balls = [None; 2];
    for side in 0..2 {
        if has(Extra::PelvisStubs) {
            let stub = b.add_on(side, "pelvis.%", pelvis, on_side(side, 0.02, 0.97, 0.0), Turn::None);
            b.sites.push((stub, on_side(side, 0.12, 1.05, 0.05)));
        }
        (legs[side], balls[side]) = add_leg(&mut b, family, side, pelvis);
    }
    let spine_root = if has(Extra::SpineBeside) { root.unwrap_or(pelvis) } else { pelvis };
    add_upper_body(&mut b, family, spine_root);
    if let Some(root) = root.filter(|_| has(Extra::IkBranches)) {
        let feet = b.add("ik_foot_root", Some(root), Vec3::ZERO, Turn::None);
        for side in 0..2 {
            b.add_on(side, "ik_foot_%", feet, on_side(side, 0.1, 0.08, -0.02), Turn::None);
        }
    }
    finish(&b, family, names, act, pelvis, legs, balls)
}

fn add_leg(b: &mut Builder, family: &Family, side: usize, pelvis: usize) -> ([usize; 3], Option<usize>) {
    let has = |extra: Extra| family.extras.contains(&extra);
    let mut parent = pelvis;
    for text in family.before_hip {
        let at = if has(Extra::ZeroBeforeHip) { Vec3::new(0.0, 0.95, 0.0) } else { on_side(side, 0.05, 0.93, 0.0) };
        parent = b.add_on(side, text, parent, at, Turn::None);
    }
    let hip = b.add_on(side, family.hip, parent, on_side(side, 0.09, 0.9, 0.0), Turn::Hip(side));
    let mut above_knee = hip;
    if has(Extra::TwistInLine) {
        above_knee = b.add_on(side, "%ThighTwist", hip, on_side(side, 0.095, 0.69, 0.01), Turn::None);
    }
    if has(Extra::TwistLeaves) {
        b.add_on(side, "thigh_twist_01_%", hip, on_side(side, 0.093, 0.76, 0.007), Turn::None);
        b.add_on(side, "thigh_twist_02_%", hip, on_side(side, 0.097, 0.62, 0.013), Turn::None);
    }
    let uneven = if side == 0 { 0.0 } else { family.uneven };
    let knee = b.add_on(side, family.knee, above_knee, on_side(side, 0.1, 0.48 + uneven, 0.02), Turn::Knee(side));
    let ankle = b.add_on(side, family.ankle, knee, on_side(side, 0.1, 0.08, -0.02), Turn::Ankle(side));
    for extra in family.extras {
        if let Extra::Heel(text) = extra {
            b.add_on(side, text, ankle, on_side(side, 0.1, 0.0, -0.07), Turn::None);
        }
    }
    let mut above_ball = ankle;
    if has(Extra::Metatarsal) {
        above_ball = b.add_on(side, "%Metatarsals", ankle, on_side(side, 0.105, 0.05, 0.03), Turn::None);
    }
    let ball =
        family.ball.map(|text| b.add_on(side, text, above_ball, on_side(side, 0.11, 0.02, 0.11), Turn::Ball(side)));
    let (last, tip) = (ball.unwrap_or(ankle), on_side(side, 0.115, 0.015, 0.18));
    match family.toe {
        Toe::EndSite => b.sites.push((last, tip)),
        Toe::ZeroEndSite => b.sites.push((last, b.places[last].at)),
        Toe::Joint(text) => {
            b.add_on(side, text, last, tip, Turn::None);
        }
        Toe::Nothing => {}
    }
    ([hip, knee, ankle], ball)
}

fn add_upper_body(b: &mut Builder, family: &Family, spine_root: usize) {
    let has = |extra: Extra| family.extras.contains(&extra);
    // The last joint of the list is the neck, the one before carries the arms.
    let n = family.spine.len();
    let mut parent = spine_root;
    let mut chest = spine_root;
    for (i, text) in family.spine.iter().enumerate() {
        let height = 0.95 + 0.5 * (i + 1) as f64 / n as f64;
        parent = b.add(text, Some(parent), Vec3::new(0.0, height, -0.01), if i == 0 { Turn::Back } else { Turn::None });
        if i + 2 == n || n == 1 {
            chest = parent;
        }
    }
    for side in 0..2 {
        add_arm(b, family, side, chest);
    }
    let head = b.add(family.head, Some(parent), Vec3::new(0.0, 1.58, 0.02), Turn::None);
    b.sites.push((head, Vec3::new(0.0, 1.78, 0.02)));
    if has(Extra::Face) {
        for side in 0..2 {
            b.add_on(side, "%Eye", head, on_side(side, 0.03, 1.68, 0.1), Turn::None);
        }
        b.add("jaw", Some(head), Vec3::new(0.0, 1.6, 0.05), Turn::None);
    }
}

fn add_arm(b: &mut Builder, family: &Family, side: usize, chest: usize) {
    let has = |extra: Extra| family.extras.contains(&extra);
    let mut parent = chest;
    for (i, text) in family.collar.iter().enumerate() {
        parent = b.add_on(side, text, parent, on_side(side, 0.03 + 0.06 * i as f64, 1.4, 0.0), Turn::None);
    }
    let shoulder = b.add_on(side, family.arm[0], parent, on_side(side, 0.18, 1.41, -0.02), Turn::Shoulder(side));
    let mut above_elbow = shoulder;
    if has(Extra::TwistInLine) {
        above_elbow = b.add_on(side, "%ShldrTwist", shoulder, on_side(side, 0.32, 1.41, -0.02), Turn::None);
    }
    let elbow = b.add_on(side, family.arm[1], above_elbow, on_side(side, 0.46, 1.41, -0.02), Turn::Elbow(side));
    if has(Extra::TwistLeaves) {
        b.add_on(side, "lowerarm_twist_01_%", elbow, on_side(side, 0.6, 1.41, -0.02), Turn::None);
    }
    let hand = b.add_on(side, family.arm[2], elbow, on_side(side, 0.71, 1.41, -0.02), Turn::None);
    if !has(Extra::Fingers) {
        b.sites.push((hand, on_side(side, 0.88, 1.41, -0.02)));
        return;
    }
    for (finger, z) in [("Thumb", 0.05), ("Index", 0.03), ("Middle", 0.0), ("Ring", -0.02), ("Pinky", -0.04)] {
        let mut parent = hand;
        for i in 1..4 {
            let x = if finger == "Thumb" { 0.73 + 0.03 * f64::from(i) } else { 0.76 + 0.035 * f64::from(i) };
            parent = b.add_on(side, &format!("%{finger}{i}"), parent, on_side(side, x, 1.41, z), Turn::None);
        }
        b.sites.push((parent, b.places[parent].at + on_side(side, 0.02, 0.0, 0.0)));
    }
}

const N_FRAMES: usize = 40;

fn finish(
    b: &Builder,
    family: &Family,
    names: Names,
    act: Act,
    pelvis: usize,
    legs: [[usize; 3]; 2],
    balls: [Option<usize>; 2],
) -> Person {
    // Frames of the joints in the standing pose: the world's own, or along the segment to the first child.
    let frames: Vec<Quat> = (0..b.places.len()).map(|j| standing_frame(b, j, family.rest)).collect();
    let to_file = match family.up {
        Up::Y => Quat::IDENTITY,
        Up::Z => Quat::from_rotation_x(FRAC_PI_2),
    };
    let offset = |parent: Option<usize>, at: Vec3| match parent {
        Some(p) => frames[p].conjugate() * (at - b.places[p].at) * family.scale,
        None => to_file * at * family.scale,
    };
    let joints = b.places.iter().enumerate().map(|(j, place)| {
        let token = |side: Option<usize>| side.map_or("", |side| family.side[side]);
        let name = match names {
            Names::OfFamily => place.text.replace('%', token(place.side)),
            Names::Anonymous => format!("joint{j}"),
            Names::Swapped => place.text.replace('%', token(place.side.map(|side| 1 - side))),
        };
        // At rest no joint turns; a root brings the file's axes where the rest pose is a person.
        let turns = place.parent.is_none() && family.rest == Rest::Standing;
        let rotation = if turns { to_file } else { Quat::IDENTITY };
        let rest = Transform::new(rotation, offset(place.parent, place.at));
        Joint { name, parent: place.parent.map(JointId::new), rest }
    });
    let sites = b.sites.iter().map(|&(parent, at)| EndSite {
        name: None,
        parent: JointId::new(parent),
        offset: offset(Some(parent), at),
    });
    let skeleton = Skeleton::new(joints.collect(), sites.collect()).unwrap();
    let poses = (0..N_FRAMES).map(|frame| {
        let mut moved = vec![Quat::IDENTITY; b.places.len()];
        let mut local = Vec::new();
        for (j, place) in b.places.iter().enumerate() {
            let above = place.parent.map_or(to_file, |p| moved[p]);
            moved[j] = above * turn(place.turn, act, frame);
            let parent_frame = place.parent.map_or(Quat::IDENTITY, |p| moved[p] * frames[p]);
            let travel = if place.parent.is_none() {
                to_file * Vec3::new(0.0, 0.0, 0.001 * frame as f64) * family.scale
            } else {
                Vec3::ZERO
            };
            local.push(Transform::new(
                parent_frame.conjugate() * moved[j] * frames[j],
                skeleton.joints()[j].rest.translation + travel,
            ));
        }
        WorldPose::new(&skeleton, &Pose { local })
    });
    let poses = poses.collect();
    Person {
        skeleton,
        poses,
        pelvis: JointId::new(pelvis),
        legs: legs.map(|leg| leg.map(JointId::new)),
        balls: balls.map(|ball| ball.map(JointId::new)),
    }
}

fn standing_frame(b: &Builder, j: usize, rest: Rest) -> Quat {
    let child = b.places.iter().find(|place| place.parent == Some(j) && place.at.distance(b.places[j].at) > 1e-9);
    match (rest, child) {
        (Rest::AlongX, Some(child)) if b.places[j].parent.is_some() => {
            Quat::from_rotation_arc(Vec3::X * child.along, (child.at - b.places[j].at).normalize())
        }
        _ => Quat::IDENTITY,
    }
}

/// The turn of a joint from its standing pose, about the axes of the standing world.
fn turn(turn: Turn, act: Act, frame: usize) -> Quat {
    let phase = frame as f64 / 20.0 * std::f64::consts::TAU;
    let swing = |side: usize| if side == 0 { phase.sin() } else { -phase.sin() };
    let about_x = Quat::from_rotation_x;
    // The arms hang down from the spread arms of the rest pose.
    let hang = |side: usize| Quat::from_rotation_z(if side == 0 { -1.25 } else { 1.25 });
    match (act, turn) {
        (_, Turn::None) => Quat::IDENTITY,
        (Act::Handstand, Turn::Root) => about_x(3.0) * Quat::from_rotation_y(0.3),
        (Act::Crawl, Turn::Root) => about_x(1.35),
        (_, Turn::Root) => Quat::from_rotation_y(0.4 + 0.05 * phase.sin()),
        (Act::Walk, Turn::Hip(side)) => {
            about_x(-0.4 * swing(side)) * Quat::from_rotation_y(if side == 0 { 0.1 } else { -0.1 })
        }
        (Act::Walk, Turn::Knee(side)) => about_x(0.25 + 0.25 * swing(side)),
        (Act::Crouch, Turn::Hip(side)) => about_x(-1.7 - 0.1 * swing(side)),
        (Act::Crouch, Turn::Knee(_)) => about_x(2.1),
        (Act::Sit, Turn::Hip(side)) => about_x(-1.5 - 0.05 * swing(side)),
        (Act::Sit, Turn::Knee(_)) => about_x(1.5),
        (Act::Handstand, Turn::Hip(side)) => about_x(-0.2 * swing(side)),
        (Act::Crawl, Turn::Hip(side)) => about_x(-1.4 - 0.2 * swing(side)),
        (Act::Crawl, Turn::Knee(side)) => about_x(1.4 + 0.2 * swing(side)),
        (_, Turn::Knee(_)) => about_x(0.1),
        (Act::Crawl, Turn::Ankle(_)) => about_x(0.9),
        // Flat on the ground at both ends of a swing, tipped up in between.
        (Act::Walk, Turn::Ankle(side)) => {
            let tip = if side == 0 { phase.cos() } else { -phase.cos() };
            about_x(0.15 * swing(side) - 0.25 + 0.6 * tip.max(0.0))
        }
        (_, Turn::Ankle(side)) => about_x(-0.2 * swing(side) - 0.05),
        (_, Turn::Ball(side)) => about_x(-0.2 - 0.2 * swing(side)),
        (Act::Handstand, Turn::Shoulder(side)) => Quat::from_rotation_z(if side == 0 { 1.4 } else { -1.4 }),
        (Act::Crawl, Turn::Shoulder(side)) => about_x(-1.4) * hang(side),
        (_, Turn::Shoulder(side)) => about_x(0.3 * swing(side)) * hang(side),
        (_, Turn::Elbow(side)) => Quat::from_rotation_y(if side == 0 { -0.4 } else { 0.4 }),
        (_, Turn::Back) => about_x(0.05),
    }
}
