//! What a picture shows, in the world: capsules, marks on the ground, a path.
//!
//! Pixels and SVG shapes are both made from a [`Scene`], so that the two show the same.

use crate::colour::{self, Colour};
use crate::relief::Relief;
use crate::subject::{Actor, FARTHEST, Moment};
use surefoot_contact::{Contacts, FootPart, Plant};
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_motion::{BodyMap, Region, Side};

/// A tapered capsule in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub(crate) start: Vec3,
    pub(crate) end: Vec3,
    pub(crate) start_radius: f64,
    pub(crate) end_radius: f64,
    pub(crate) colour: Colour,
    /// How far it recedes into the background: 0 not at all, 1 completely.
    pub(crate) fade: f64,
    /// How far in front of where it is it is drawn, in metres: figures that overlap are layers, not a tangle.
    pub(crate) layer: f64,
    /// Solids of one part form one shape: they run into each other, and share an outline.
    pub(crate) part: Part,
}

/// A figure of the picture and a part of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    pub(crate) figure: u32,
    /// 0 is the trunk, 1 the head, others are limbs by their joint.
    pub(crate) limb: u32,
}

/// How one of a picture's figures is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FigureLook {
    /// Counts the figures of the picture.
    pub(crate) figure: u32,
    /// See [`Solid::fade`] and [`Solid::layer`].
    pub(crate) fade: f64,
    pub(crate) layer: f64,
}

/// Something flat on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// A heel or ball that is planted: a ring around it.
    Planted { at: Vec2, height: f64, radius: f64, colour: Colour },
    /// The sole of a foot that was planted.
    Footprint { heel: Vec2, ball: Vec2, toe: Vec2, height: f64, breadth: f64, colour: Colour },
}

/// All that one panel shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) solids: Vec<Solid>,
    pub(crate) marks: Vec<Mark>,
    /// The pelvis trajectory on the ground.
    pub(crate) path: Vec<Vec2>,
    /// The ground is drawn around these points, in order, and fades out beyond `stage_radius` of them.
    pub(crate) stage: Vec<Vec2>,
    pub(crate) stage_radius: f64,
    pub(crate) ground_height: f64,
    /// The ground where it is not level.
    pub(crate) relief: Option<Relief>,
}

/// Radius of the ring around a planted heel or ball, over leg length.
const HEEL_RING: f64 = 0.062;
const BALL_RING: f64 = 0.078;
/// Half of a footprint's breadth at the ball, over leg length.
const PRINT_BREADTH: f64 = 0.052;

/// The colour of a side of the body.
pub(crate) fn side_colour(side: Side) -> Colour {
    match side {
        Side::Left => colour::LEFT,
        Side::Right => colour::RIGHT,
    }
}

/// The colour of a planted foot and of its ring: deeper than the leg's.
pub(crate) fn planted_colour(side: Side) -> Colour {
    match side {
        Side::Left => colour::LEFT_PLANTED,
        Side::Right => colour::RIGHT_PLANTED,
    }
}

impl Mark {
    /// Its height in the world.
    pub(crate) fn height(&self) -> f64 {
        match self {
            Mark::Planted { height, .. } | Mark::Footprint { height, .. } => *height,
        }
    }
}

impl Scene {
    /// The ground under a point.
    pub(crate) fn height_at(&self, at: Vec2) -> f64 {
        self.relief.as_ref().map_or(self.ground_height, |relief| relief.height(at))
    }

    /// Where a foot at that height is marked: there, or on level ground, from which recordings are a few centimetres off.
    fn mark_height(&self, height: f64) -> f64 {
        if self.relief.is_some() { height } else { self.ground_height }
    }

    /// Adds the body at one moment. Capsules with numbers that are not finite, or absurdly far, are left out.
    pub(crate) fn add_body(&mut self, actor: &Actor<'_>, moment: &Moment, look: FigureLook) {
        for (index, capsule) in actor.capsules.iter().enumerate() {
            let [start, end] = actor.ends(index, &moment.pose);
            let far = |point: Vec3| !point.is_finite() || point.abs().max_element() > FARTHEST;
            if far(start) || far(end) {
                continue;
            }
            let colour = region_colour(actor, moment, capsule.region);
            let limb = match capsule.region {
                Region::Trunk => 0,
                Region::Head => 1,
                _ => capsule.joint.index() as u32 + 2,
            };
            self.solids.push(Solid {
                start,
                end,
                start_radius: capsule.start_radius,
                end_radius: capsule.end_radius,
                colour,
                fade: look.fade,
                layer: look.layer,
                part: Part { figure: look.figure, limb },
            });
        }
    }

    /// The longest side of the box around all solids, in the world's axes; 0 without any.
    pub(crate) fn largest_side(&self) -> f64 {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for solid in &self.solids {
            low = low.min(solid.start - solid.start_radius).min(solid.end - solid.end_radius);
            high = high.max(solid.start + solid.start_radius).max(solid.end + solid.end_radius);
        }
        (high - low).max_element().max(0.0)
    }

    /// Adds a ring under each heel and ball that is planted in this frame.
    pub(crate) fn add_planted(&mut self, actor: &Actor<'_>, moment: &Moment) {
        let (Some((body, contacts)), Some(frame)) = (actor.contacts(), moment.frame) else { return };
        let leg = body.leg_length(&actor.subject.clip.skeleton);
        for side in Side::BOTH {
            for part in FootPart::BOTH.into_iter().filter(|&part| contacts.is_planted(side, part, frame)) {
                let (at, ring) = match part {
                    FootPart::Heel => (body.heel(&moment.pose, side), HEEL_RING),
                    FootPart::Ball => (body.ball(&moment.pose, side), BALL_RING),
                };
                let height = self.mark_height(at.y);
                let (radius, colour) = (ring * leg, planted_colour(side));
                let mark = Mark::Planted { at: ground_point(at), height, radius, colour };
                self.marks.extend(is_drawable(at).then_some(mark));
            }
        }
    }

    /// Adds the sole of each foot wherever its ball was planted within `frames`.
    pub(crate) fn add_footprints(&mut self, actor: &Actor<'_>, frames: std::ops::Range<usize>) {
        let Some((body, contacts)) = actor.contacts() else { return };
        for side in Side::BOTH {
            for plant in &contacts.plants[side] {
                let overlaps = plant.frames.start < frames.end && frames.start < plant.frames.end;
                if plant.part == FootPart::Ball && overlaps {
                    let height = self.mark_height(plant.position.y);
                    self.marks.extend(footprint(actor, body, contacts, (side, plant), height));
                }
            }
        }
    }
}

/// The sole under a ball's plant, as the foot lies in the middle of it.
fn footprint(
    actor: &Actor<'_>,
    body: &BodyMap,
    contacts: &Contacts,
    (side, plant): (Side, &Plant),
    height: f64,
) -> Option<Mark> {
    let clip = actor.subject.clip;
    // The heel leaves first: while both are planted, the foot is flat and its heading is the print's.
    let heels = contacts.plants_within(side, FootPart::Heel, plant.frames.clone()).map(|heel| &heel.frames);
    let mut flat: Vec<usize> =
        heels.flat_map(|heel| heel.start.max(plant.frames.start)..heel.end.min(plant.frames.end)).collect();
    flat.sort_unstable();
    let frame = flat.get(flat.len() / 2).copied().unwrap_or(plant.frames.start + plant.frames.len() / 2);
    let pose = clip.world_pose(frame.min(clip.n_frames().checked_sub(1)?));
    let shape = body.legs[side].foot;
    let ankle = pose[body.legs[side].ankle];
    let [heel, ball, toe] = [shape.heel, shape.ball, shape.toe_tip].map(|point| ankle.transform_point(point));
    let shift = ground_point(plant.position) - ground_point(ball);
    let drawable = [heel, ball, toe, plant.position].into_iter().all(is_drawable);
    let breadth = PRINT_BREADTH * body.leg_length(&clip.skeleton);
    drawable.then(|| Mark::Footprint {
        heel: ground_point(heel) + shift,
        ball: ground_point(ball) + shift,
        toe: ground_point(toe) + shift,
        height,
        breadth,
        colour: side_colour(side),
    })
}

fn is_drawable(point: Vec3) -> bool {
    point.is_finite() && point.abs().max_element() < FARTHEST
}

fn region_colour(actor: &Actor<'_>, moment: &Moment, region: Region) -> Colour {
    match region {
        Region::Trunk => colour::TRUNK,
        Region::Head => colour::HEAD,
        Region::Arm(side) | Region::Leg(side) => side_colour(side),
        Region::Foot(side) if is_standing(actor, moment, side) => planted_colour(side),
        Region::Foot(side) => side_colour(side),
        Region::Other => colour::OTHER,
    }
}

/// Whether contacts are known and some part of the foot is planted.
fn is_standing(actor: &Actor<'_>, moment: &Moment, side: Side) -> bool {
    let (Some((_, contacts)), Some(frame)) = (actor.contacts(), moment.frame) else { return false };
    FootPart::BOTH.into_iter().any(|part| contacts.is_planted(side, part, frame))
}
