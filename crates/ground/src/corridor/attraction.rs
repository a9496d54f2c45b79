//! The path of a person whom the attraction point draws along a corridor.
//!
//! A person of clearance `c` is safe in a disc of radius `R` as long as they are within `R - c` of its centre. The
//! attraction point is the centre of the farthest disc along the corridor in which they are safe, and they walk toward
//! it: the straight line there stays in the disc, so they stay safe, and as they come nearer to its centre the next
//! discs hold them as well.
//!
//! ```text
//!      .----.  .-----.
//!     /   .--\/---.   \      x is safe in the second disc and not yet in the third:
//!    |   / x  \  a \   |     its attraction point is a
//!     \  `--/\`---'   /
//!      `----'  `-----'
//! ```
//!
//! 1. The attraction point, from where the person is.
//! 2. Two forces of at most length 1: one toward it, and one away from the nearest outline if that is nearer than they
//!    like.
//! 3. Their heading turns toward the sum, by no more than a walking person turns: this damps what would swing.
//! 4. A step. If it left the disc: a step of the sum, or else straight toward the attraction point.
//!
//! Where the corridor is hardly wider than the person, no disc holds them in two places, and they walk from centre to
//! centre.
//!
//! GRAPH names the method and no formulas; the forces here are ours.

use super::Disk;
use super::query::{Corridor, PathOptions};
use surefoot_geom::Vec2;

/// Of one step, in metres; the drawn path is divided again later.
const STEP: f64 = 0.1;
/// Where the corridor is narrow, people like to be this share of the distance from their clearance to its middle.
const TOWARD_MIDDLE: f64 = 0.7;
/// Steps are damped up to this many times the length along the backbone; a path that took longer would go in circles.
const PATIENCE: f64 = 3.0;

/// A point of the path and the clearance that a person would like to have there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Waypoint {
    pub(super) at: Vec2,
    pub(super) liked: f64,
}

/// Points from start to goal, no two the same.
pub(super) fn attract(corridor: &Corridor, options: &PathOptions) -> Vec<Waypoint> {
    let walker = Walker { corridor, options, disks: corridor.disks() };
    walker.walk()
}

struct Walker<'a> {
    corridor: &'a Corridor,
    options: &'a PathOptions,
    disks: &'a [Disk],
}

impl Walker<'_> {
    fn is_safe(&self, at: Vec2, disk: usize) -> bool {
        let room = self.disks[disk].radius - self.corridor.kept();
        room >= 0.0 && self.disks[disk].centre.distance_squared(at) <= room * room
    }

    /// What a person would like in a disc.
    fn liked(&self, disk: usize) -> f64 {
        let kept = self.corridor.kept();
        let middle = kept + TOWARD_MIDDLE * (self.disks[disk].radius - kept).max(0.0);
        middle.min(kept + self.options.shyness)
    }

    fn walk(&self) -> Vec<Waypoint> {
        let last = self.disks.len() - 1;
        let goal = self.disks[last].centre;

        let mut at = self.disks[0].centre;
        let mut disk = 0;
        let mut points = vec![Waypoint { at, liked: self.liked(0) }];
        let mut heading: Option<Vec2> = None;
        let mut patience = (PATIENCE * self.corridor.length() / STEP) as usize;
        while at != goal {
            while disk < last && self.is_safe(at, disk + 1) {
                disk += 1;
            }
            let sees_goal = disk == last || (disk + 1 == last && self.is_safe(goal, disk));
            let target = if sees_goal { goal } else { self.disks[disk].centre };
            let next = if at == target {
                disk += 1;
                self.disks[disk].centre
            } else if at.distance(target) <= STEP {
                target
            } else {
                patience = patience.saturating_sub(1);
                at + self.direction(at, target, disk, heading.filter(|_| patience > 0)) * STEP
            };
            heading = (next - at).try_normalize().or(heading);
            if next != at {
                points.push(Waypoint { at: next, liked: self.liked(disk) });
            }
            at = next;
        }
        points
    }

    fn direction(&self, at: Vec2, target: Vec2, disk: usize, heading: Option<Vec2>) -> Vec2 {
        let pull = (target - at).normalize_or(Vec2::X);
        let desired = (pull + self.push(at, disk, pull)).normalize_or(pull);
        // Where there is hardly any room, a person turns on the spot.
        let room = self.disks[disk].radius - self.corridor.kept();
        let most = STEP / self.options.turn_radius.min(room).max(1e-9);
        let damped = heading.map_or(desired, |heading| {
            let turn = heading.angle_to(desired);
            if turn.abs() <= most { desired } else { Vec2::from_angle(most.copysign(turn)).rotate(heading) }
        });
        let stays = |direction: &Vec2| self.is_safe(at + *direction * STEP, disk);
        [damped, desired].into_iter().find(stays).unwrap_or(pull)
    }

    /// Away from the nearest outline, and never back.
    fn push(&self, at: Vec2, disk: usize, pull: Vec2) -> Vec2 {
        let liked = self.liked(disk);
        let surely = self.disks[disk].radius - self.disks[disk].centre.distance(at);
        let slack = liked - self.corridor.kept();
        if surely >= liked || slack <= 0.0 {
            return Vec2::ZERO;
        }
        let Some(nearest) = self.corridor.border.nearest_within(at, liked) else { return Vec2::ZERO };
        let strength = ((liked - nearest.distance) / slack).clamp(0.0, 1.0);
        let away = (at - nearest.point).normalize_or_zero() * strength;
        away - pull * away.dot(pull).min(0.0)
    }
}
