//! Pelvis, belly, chest, neck and head.
//!
//! ```text
//!        (__)          head: an egg, with a nose where the face is known
//!         ||           neck
//!    o--=======--o     girdle and clavicles
//!      \ | | /         ribs: two capsules that narrow towards the waist, and one between
//!       \| |/
//!        |||           belly: along the spine
//!      (=====)         pelvis: a capsule across
//!       o   o          hips
//! ```
//!
//! Trunks differ in where their joints stand (CMU's BVH files lack a third of the spine), so heights are shares of the
//! distance from hips to shoulders, and only thickness is anatomical.

use super::rest_body::RestBody;
use super::{Capsule, Region};
use crate::JointId;
use surefoot_geom::Vec3;

// Radii and half breadths in metres of an adult whose thigh and shin measure 0.83 m together.
const PELVIS_RADIUS: f64 = 0.094;
const PELVIS_HALF_BREADTH: f64 = 0.062;
const WAIST_RADIUS: f64 = 0.082;
const WAIST_HALF_BREADTH: f64 = 0.045;
/// Of a waist whose sideways is unknown.
const ROUND_WAIST_RADIUS: f64 = 0.098;
const RIB_RADIUS: f64 = 0.082;
const GIRDLE_RADIUS: f64 = 0.058;
const CLAVICLE_RADII: [f64; 2] = [0.05, 0.052];
const NECK_RADII: [f64; 2] = [0.054, 0.048];
/// From the top of the skull to the chin.
const HEAD_HEIGHT: f64 = 0.225;
const SKULL_RADIUS: f64 = 0.084;
const JAW_RADIUS: f64 = 0.058;
const NOSE_RADIUS: f64 = 0.014;

/// How far from the shoulders to the hips the ribs reach.
const RIB_SHARE: f64 = 0.44;
/// Bones of the trunk shorter than this (adult metres) get no capsule.
const SHORTEST: f64 = 0.01;

pub(super) fn add_trunk(person: &RestBody<'_>, capsules: &mut Vec<Capsule>) {
    let girdle = Girdle::new(person);
    add_pelvis(person, capsules);
    add_belly(person, capsules);
    if let Some(girdle) = &girdle {
        add_chest(person, girdle, capsules);
    }
    add_neck(person, girdle.as_ref(), capsules);
    add_head(person, capsules);
}

fn trunk(joint: JointId, start: Vec3, end: Vec3, radii: [f64; 2]) -> Capsule {
    Capsule { joint, start, end, start_radius: radii[0], end_radius: radii[1], region: Region::Trunk }
}

fn add_pelvis(person: &RestBody<'_>, capsules: &mut Vec<Capsule>) {
    let (scale, hips) = (person.scale, person.hips());
    let across = person.hips_across().normalize_or_zero();
    let centre = (hips.left + hips.right) / 2.0 + person.pelvis_up() * 0.035 * scale;
    let reach = across * PELVIS_HALF_BREADTH * scale;
    capsules.push(trunk(person.body.pelvis, centre + reach, centre - reach, [PELVIS_RADIUS * scale; 2]));
}

/// The spine from the pelvis to the chest joint: a capsule, and one to each side where sideways is known.
fn add_belly(person: &RestBody<'_>, capsules: &mut Vec<Capsule>) {
    let pelvis = person.body.pelvis;
    let across = person.hips_across().normalize_or_zero();
    let hips = person.hips();
    let (breadth, radius) =
        if person.is_upright { (WAIST_HALF_BREADTH, WAIST_RADIUS) } else { (0.0, ROUND_WAIST_RADIUS) };
    let mut below = pelvis;
    let mut start = (hips.left + hips.right) / 2.0 + person.pelvis_up() * 0.06 * person.scale;
    for above in person.column_to_chest() {
        let Some(joint) = person.carrier(below, above) else { break };
        let ends = [person.move_point(below, joint, start), person.in_joint(joint, above)];
        if ends[0].distance(ends[1]) > SHORTEST * person.scale {
            let reach = person.turn(pelvis, joint, across) * breadth * person.scale;
            let shifts = if breadth > 0.0 { &[Vec3::ZERO, reach, -reach][..] } else { &[Vec3::ZERO][..] };
            for &shift in shifts {
                capsules.push(trunk(joint, ends[0] + shift, ends[1] + shift, [radius * person.scale; 2]));
            }
        }
        (below, start) = (above, Vec3::ZERO);
    }
}

/// Where the arms begin, in the chest's space.
struct Girdle {
    middle: Vec3,
    /// Unit, to the left.
    across: Vec3,
    /// Unit, to the neck, square to `across`.
    up: Vec3,
    /// From the middle to a shoulder.
    half_breadth: f64,
    /// From the shoulders down to where the ribs end.
    rib_length: f64,
}

impl Girdle {
    /// `None` without two arms, or where they begin in one point.
    fn new(person: &RestBody<'_>) -> Option<Girdle> {
        let chest = person.chest;
        let (left, right) = (person.body.arms.left?, person.body.arms.right?);
        let pair = |left: JointId, right: JointId| [left, right].map(|joint| person.in_joint(chest, joint));
        let shoulders = pair(left.shoulder, right.shoulder);
        // In a rest pose that is no person the clavicles point anywhere, but where they begin is rigid in the chest.
        let begins = match (left.clavicle, right.clavicle) {
            (Some(left), Some(right)) if !person.is_upright => pair(left, right),
            _ => shoulders,
        };
        let apart = |[left, right]: [Vec3; 2]| left.distance(right) > 0.04 * person.scale;
        let [left_begin, right_begin] = if apart(begins) { begins } else { shoulders };
        let across = (left_begin - right_begin).try_normalize()?;
        let middle = (left_begin + right_begin) / 2.0;
        // Whatever the clavicles' rest rotation, they reach no further out than their length.
        let clavicle = shoulders[0].distance(left_begin) + shoulders[1].distance(right_begin);
        let half_breadth = (left_begin.distance(right_begin) + clavicle) / 2.0;
        let up = person.chest_up(middle).reject_from_normalized(across).try_normalize()?;
        let trunk_length = person.trunk_length(middle);
        Some(Girdle { middle, across, up, half_breadth, rib_length: RIB_SHARE * trunk_length })
    }
}

impl RestBody<'_> {
    /// In the chest's space, the direction up along the trunk: from the hips to the girdle where the rest pose is a person's, else
    /// towards the neck.
    fn chest_up(&self, girdle: Vec3) -> Vec3 {
        if self.is_upright {
            let hips = self.hips();
            let hips_world = self.to_world(self.body.pelvis, (hips.left + hips.right) / 2.0);
            return girdle - self.point_in_joint(self.chest, hips_world);
        }
        self.first_above(self.chest, 0.03).map_or(girdle, |neck| self.in_joint(self.chest, neck))
    }

    /// Along the spine from the hips' middle to a point in the chest's space: the same in every pose.
    fn trunk_length(&self, shoulders: Vec3) -> f64 {
        let hips = self.hips();
        let mut below = self.body.pelvis;
        let mut from = (hips.left + hips.right) / 2.0;
        let mut length = 0.0;
        for above in self.column_to_chest() {
            length += self.in_joint(below, above).distance(from);
            (below, from) = (above, Vec3::ZERO);
        }
        length + shoulders.distance(from)
    }
}

fn add_chest(person: &RestBody<'_>, girdle: &Girdle, capsules: &mut Vec<Capsule>) {
    let scale = person.scale;
    let &Girdle { middle, across, up, half_breadth, rib_length } = girdle;
    let rib_top = middle - up * 0.06 * scale;
    let rib_bottom = middle - up * rib_length;
    let top_reach = across * (half_breadth * 0.56);
    let bottom_reach = across * (WAIST_HALF_BREADTH * 1.1 * scale);
    for sign in [1.0, -1.0] {
        let (start, end) = (rib_top + top_reach * sign, rib_bottom + bottom_reach * sign);
        capsules.push(trunk(person.chest, start, end, [RIB_RADIUS * scale, WAIST_RADIUS * scale]));
    }
    // Between the two, so that breast and back have no groove.
    capsules.push(trunk(
        person.chest,
        rib_top,
        rib_bottom,
        [(RIB_RADIUS + 0.008) * scale, (WAIST_RADIUS + 0.004) * scale],
    ));
    if person.chest == person.body.pelvis {
        // A trunk without a spine: what would be the belly is rigid with the chest.
        let hips = person.hips();
        let belly = (hips.left + hips.right) / 2.0 + up * 0.06 * scale;
        capsules.push(trunk(person.chest, belly, rib_bottom, [ROUND_WAIST_RADIUS * scale; 2]));
    }
    let girdle_reach = across * (half_breadth * 0.6);
    let line = middle - up * 0.01 * scale;
    capsules.push(trunk(person.chest, line + girdle_reach, line - girdle_reach, [GIRDLE_RADIUS * scale; 2]));
    for (_, arm) in person.body.arms.iter() {
        let Some(arm) = arm else { continue };
        let joint = arm.clavicle.unwrap_or(person.chest);
        let end = person.in_joint(joint, arm.shoulder);
        // Without a clavicle the arm begins in the chest's own space, and the girdle leads there.
        let start = if arm.clavicle.is_some() { Vec3::ZERO } else { middle };
        if start.distance(end) > SHORTEST * scale {
            capsules.push(trunk(joint, start, end, CLAVICLE_RADII.map(|radius| radius * scale)));
        }
    }
}

/// The column from the chest to the head.
fn add_neck(person: &RestBody<'_>, girdle: Option<&Girdle>, capsules: &mut Vec<Capsule>) {
    let scale = person.scale;
    let mut below = person.chest;
    let mut start = girdle.map_or(Vec3::ZERO, |girdle| girdle.middle);
    for above in person.column_above(person.chest) {
        let Some(joint) = person.carrier(below, above) else { break };
        let ends = [person.move_point(below, joint, start), person.in_joint(joint, above)];
        if ends[0].distance(ends[1]) > SHORTEST * scale {
            capsules.push(trunk(joint, ends[0], ends[1], NECK_RADII.map(|radius| radius * scale)));
            start = Vec3::ZERO;
        } else {
            // A joint on top of the last one: the neck goes on from where it was.
            start = person.move_point(joint, above, ends[0]);
        }
        below = above;
    }
}

/// An egg around the head joint: skull above, jaw below and, where forward is known, a little ahead, with a nose.
fn add_head(person: &RestBody<'_>, capsules: &mut Vec<Capsule>) {
    let Some(head) = person.body.head else { return };
    let scale = person.scale;
    let Some((up, top)) = crown(person, head) else { return };
    let forward = if person.is_upright {
        let pelvis = person.body.pelvis;
        let facing = person.hips_across().cross(person.pelvis_up());
        person.turn(pelvis, head, facing).reject_from_normalized(up).normalize_or_zero()
    } else {
        Vec3::ZERO
    };
    let skull = up * (top - SKULL_RADIUS * scale);
    let jaw = up * (top - (HEAD_HEIGHT - JAW_RADIUS) * scale) + forward * 0.018 * scale;
    let egg = Capsule {
        joint: head,
        start: skull,
        end: jaw,
        start_radius: SKULL_RADIUS * scale,
        end_radius: JAW_RADIUS * scale,
        region: Region::Head,
    };
    capsules.push(egg);
    if forward != Vec3::ZERO {
        let bridge = up * (top - 0.105 * scale) + forward * 0.079 * scale;
        let tip = up * (top - 0.135 * scale) + forward * 0.092 * scale;
        let radius = NOSE_RADIUS * scale;
        capsules.push(Capsule { start: bridge, end: tip, start_radius: 0.7 * radius, end_radius: radius, ..egg });
    }
}

/// Up in the head's space, and how far above the head joint the skull ends. The skull's end is the head's furthest child
/// where that is a likely place for it; some skeletons have none, or put eyes and jaw there.
fn crown(person: &RestBody<'_>, head: JointId) -> Option<(Vec3, f64)> {
    let scale = person.scale;
    let children = person.skeleton.joints().iter().filter(|joint| joint.parent == Some(head));
    let sites = person.skeleton.end_sites().iter().filter(|site| site.parent == head);
    let ends = children.map(|joint| joint.rest.translation).chain(sites.map(|site| site.offset));
    let furthest = ends.fold(Vec3::ZERO, |best, end| if end.length() > best.length() { end } else { best });
    if furthest.length() > 0.06 * scale {
        return Some((furthest.normalize(), furthest.length().clamp(0.13 * scale, 0.23 * scale)));
    }
    // Straight on from the neck, as the rest pose has it.
    let joint = person.skeleton.joint(head);
    let up = (joint.rest.rotation.conjugate() * joint.rest.translation).try_normalize()?;
    Some((up, 0.19 * scale))
}
