//! Feet stay out of the ground, whoever moves them: where one body goes over into another, and on flights up and down.
//!
//! 1. A swinging foot is raised where it is below the ground: of a terrain, or else that of the foot's nearest
//!    footprint, as in recorded steps. The raise is smooth, and nothing where the foot lifts and lands.
//! 2. The toes of a planted foot bend out of the plane of its footprint.

use crate::compose_motion::ComposedMotion;
use surefoot_contact::Footprint;
use surefoot_geom::{Vec3, ground_point};
use surefoot_motion::Side;
use surefoot_plan::World;
use surefoot_steps::{LinearBody, LinearPose, cover};

/// Longest time in which a foot is raised or comes down again, in seconds.
const WIDEST: f64 = 0.3;

/// Keeps feet out of the ground.
pub(crate) fn clear_ground(
    body: &LinearBody,
    rate: f64,
    motion: &ComposedMotion,
    prints: &[Footprint],
    world: &World,
    linear: &mut [LinearPose],
) {
    let n_frames = linear.len();
    let frame_at = |time: f64| ((time * rate - 1e-6).ceil().max(0.0) as usize).min(n_frames);
    let end = n_frames as f64 / rate;
    for side in Side::BOTH {
        let own: Vec<usize> = (0..prints.len()).filter(|&index| prints[index].side == side).collect();
        for (at, &index) in own.iter().enumerate() {
            let next = own.get(at + 1).and_then(|&next| next.checked_sub(2)).map(|next| &motion.outcomes[next]);
            let leave = next.map_or(end, |next| next.lift);
            for pose in &mut linear[frame_at(motion.landing(index))..frame_at(leave)] {
                body.bend_toes_out(side, pose, |at| plane_height(&prints[index], at));
            }
            let Some(next) = next else { continue };
            let swing = frame_at(leave)..frame_at(next.land);
            let ground = |place: Vec3| match &world.terrain {
                Some(terrain) => terrain.height(ground_point(place)),
                None => nearest_height(prints, &own, place),
            };
            let below = |pose: &LinearPose| {
                let points = body.sole(side, pose);
                points.into_iter().map(|point| ground(point) - point.y).fold(f64::NEG_INFINITY, f64::max)
            };
            let needed: Vec<f64> = linear[swing.clone()].iter().map(below).collect();
            let raises = cover(&needed, (WIDEST * rate) as usize);
            linear[swing].iter_mut().zip(raises).for_each(|(pose, raise)| pose.feet[side].ball.y += raise);
        }
    }
}

/// The height of a footprint's plane.
fn plane_height(print: &Footprint, at: Vec3) -> f64 {
    let away = at - print.position;
    print.position.y - (away.x * print.normal.x + away.z * print.normal.z) / print.normal.y.max(0.1)
}

fn nearest_height(prints: &[Footprint], own: &[usize], at: Vec3) -> f64 {
    let away = |index: usize| ground_point(prints[index].position - at).length_squared();
    let nearest = own.iter().copied().min_by(|&a, &b| away(a).total_cmp(&away(b)));
    nearest.map_or(f64::NEG_INFINITY, |index| plane_height(&prints[index], at))
}
