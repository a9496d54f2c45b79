//! From two clips to the numbers of a cleanup plot.

use super::PerPart;
use super::cleanup::{BeforeAfter, CleanedPart, CleanupPlot};
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_motion::{BodyMap, Clip, PerSide, Side, WorldPose};

impl<'a> CleanupPlot<'a> {
    /// Compares a clip with what cleanup made of it: the same frames, the plants that were enforced, and the height of the
    /// ground at any `(x, z)`.
    ///
    /// A plant's drift is the horizontal distance from its `position`, so contacts with the positions that were enforced show
    /// how exactly they were met.
    pub fn measure(
        before: &'a Clip,
        after: &Clip,
        body: &BodyMap,
        contacts: &'a Contacts,
        ground: impl Fn(Vec2) -> f64,
    ) -> CleanupPlot<'a> {
        let clips = [before, after].map(Clip::world);
        let both = |measure: &dyn Fn(&WorldPose, usize) -> f64| {
            let [before, after] =
                clips.each_ref().map(|poses| poses.iter().zip(0..).map(|(pose, frame)| measure(pose, frame)).collect());
            BeforeAfter { before, after }
        };
        let above_ground = |point: Vec3| point.y - ground(ground_point(point));
        let part_of = |side: Side, part: FootPart| {
            let homes = homes(contacts, side, part, before.n_frames());
            CleanedPart {
                height: both(&|pose, _| above_ground(part.place(body, pose, side))),
                drift: both(&|pose, frame| match homes.get(frame) {
                    Some(Some(home)) => ground_point(part.place(body, pose, side) - *home).length(),
                    _ => f64::NAN,
                }),
            }
        };
        CleanupPlot {
            name: &before.name,
            frame_rate: before.frame_rate,
            contacts,
            feet: PerSide::from_fn(|side| PerPart::from_fn(|part| part_of(side, part))),
            knees: PerSide::from_fn(|side| both(&|pose, _| knee_bend(body, pose, side))),
            pelvis: both(&|pose, _| pose.position(body.pelvis).y),
        }
    }
}

/// Where a part should be planted in each frame; `None` where it is not planted.
fn homes(contacts: &Contacts, side: Side, part: FootPart, n_frames: usize) -> Vec<Option<Vec3>> {
    let mut homes = vec![None; n_frames];
    for plant in contacts.plants[side].iter().filter(|plant| plant.part == part) {
        for home in homes.iter_mut().take(plant.frames.end).skip(plant.frames.start) {
            *home = Some(plant.position);
        }
    }
    homes
}

/// The angle between thigh and shin, 0 for a straight leg and if one has no length.
fn knee_bend(body: &BodyMap, pose: &WorldPose, side: Side) -> f64 {
    let leg = &body.legs[side];
    let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
    let (thigh, shin) = (knee - hip, ankle - knee);
    thigh.cross(shin).length().atan2(thigh.dot(shin))
}
