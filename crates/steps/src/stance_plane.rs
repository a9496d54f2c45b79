//! The plane that a foot is planted on.
//!
//! Steps are blended on level ground at height 0. A foot that is planted on a footprint is turned from there, as a whole and
//! about its ball, onto the footprint's plane; so whatever it does above the level, rolling from heel to toes, it does above
//! the plane. A swinging foot goes over from the one plane to the other.
//!
//! ```text
//!     level                     on the plane
//!          heel__ball               __ball
//!     _________________        heel/   .
//!                                  .'
//! ```

use super::sole_points::{Ground, lowest_above};
use super::{LinearBody, LinearFoot};
use surefoot_geom::{Quat, Vec3, heading_direction, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

/// Furthest that a heel is raised over ground which is no plane, in radians, and how often that is tried.
const MAX_PITCH: f64 = 0.45;
const ROUNDS: usize = 4;

/// How far a heel reaches behind the ankle, as a share of the way from ankle to ball, and how deep it may dip, in metres.
const HEEL_BACK: f64 = 0.25;
const MAX_DIP: f64 = 0.0006;

/// Where a ball is planted, and how the ground there leans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StancePlane {
    pub(super) ball: Vec3,
    /// From the level; `None` on level ground.
    tilt: Option<Quat>,
}

impl Default for StancePlane {
    fn default() -> StancePlane {
        StancePlane { ball: Vec3::ZERO, tilt: None }
    }
}

impl StancePlane {
    /// The plane through a ball with a normal.
    pub(super) fn new(ball: Vec3, normal: Vec3) -> StancePlane {
        let is_level = normal.x == 0.0 && normal.z == 0.0;
        StancePlane { ball, tilt: (!is_level).then(|| Quat::from_rotation_arc(Vec3::Y, normal.normalize_or(Vec3::Y))) }
    }

    /// Farthest from flat that a foot may land on its heel, in radians. An ankle is over a place of the slope behind the one that it
    /// is over on level ground, and what is behind the point that the foot rolls about dips into a slope that rises
    /// ahead: by `1.25 height tan(slope) sin(pitch) / cos(slope)`, if heels reach back a quarter of the foot behind the ankle.
    pub(super) fn most_strike(&self, body: &LinearBody, side: Side, heading: f64) -> f64 {
        let Some(tilt) = self.tilt else { return f64::INFINITY };
        let normal = tilt * Vec3::Y;
        let uphill = -normal.dot(heading_direction(heading)).min(0.0);
        let foot = LinearFoot { rotation: body.flat(heading), ..LinearFoot::default() };
        let reach = (1.0 + HEEL_BACK) * body.ankle(side, &foot).y.abs() * uphill / (normal.y * normal.y).max(0.04);
        (MAX_DIP / reach.max(MAX_DIP)).asin()
    }

    /// The back of a heel that is planted flat on a slope along a heading, from the ball and in the ankle's space; `None` on level
    /// ground, where it is the heel. An ankle is over a place of the slope behind the one that it is over on level ground.
    pub(super) fn heel_back(&self, body: &LinearBody, side: Side, heading: f64) -> Option<Vec3> {
        self.tilt?;
        let mut foot = LinearFoot { rotation: body.flat(heading), ..LinearFoot::default() };
        foot.ball = Vec3::new(self.ball.x, 0.0, self.ball.z);
        self.lay(&mut foot);
        let ankle = body.ankle(side, &foot);
        let back = ankle - HEEL_BACK * (foot.ball - ankle);
        Some(foot.rotation.conjugate() * (Vec3::new(back.x, self.height(back), back.z) - foot.ball))
    }

    /// The plane of a foot that points along a heading on a terrain: that of the ground, pitched about the ball until the
    /// heel is on the ground or above it.
    pub(super) fn on_terrain(mut self, body: &LinearBody, side: Side, heading: f64, terrain: &Terrain) -> StancePlane {
        let across = heading_direction(heading + std::f64::consts::FRAC_PI_2);
        let level = body.heel_from_ball(side, body.flat(heading));
        let mut pitch = 0.0;
        for _ in 0..ROUNDS {
            let tilt = self.tilt.unwrap_or(Quat::IDENTITY);
            let heel = self.ball + tilt * level;
            let low = terrain.height(surefoot_geom::ground_point(heel)) - heel.y;
            if low < 1e-5 || pitch >= MAX_PITCH {
                break;
            }
            let more = (low / level.length().max(0.01)).min(MAX_PITCH - pitch);
            pitch += more;
            // Turned so that what is behind the ball rises.
            self.tilt = Some(Quat::from_axis_angle(across, more) * tilt);
        }
        self
    }

    /// The upward normal.
    pub(super) fn normal(&self) -> Vec3 {
        self.tilt.map_or(Vec3::Y, |tilt| tilt * Vec3::Y)
    }

    /// Its height below or above a point.
    pub(super) fn height(&self, at: Vec3) -> f64 {
        let (normal, away) = (self.normal(), at - self.ball);
        self.ball.y - (normal.x * away.x + normal.z * away.z) / normal.y
    }

    /// From the level onto the plane.
    pub(super) fn place(&self, point: Vec3) -> Vec3 {
        match self.tilt {
            None => Vec3::new(point.x, point.y + self.ball.y, point.z),
            Some(tilt) => self.ball + tilt * (point - Vec3::new(self.ball.x, 0.0, self.ball.z)),
        }
    }

    /// A foot on the level turned onto the plane.
    pub(super) fn lay(&self, foot: &mut LinearFoot) {
        foot.ball = self.place(foot.ball);
        if let Some(tilt) = self.tilt {
            foot.rotation = (tilt * foot.rotation).normalize();
        }
    }

    /// A foot on the level that goes over from this plane to another: its place by one share, its turn by another.
    pub(super) fn lay_between(&self, to: &StancePlane, place: f64, turn: f64, foot: &mut LinearFoot) {
        let (mut here, mut there) = (*foot, *foot);
        self.lay(&mut here);
        to.lay(&mut there);
        foot.ball = here.ball.lerp(there.ball, place);
        if self.tilt.is_some() || to.tilt.is_some() {
            let there = rotation::same_hemisphere(there.rotation, here.rotation);
            foot.rotation = here.rotation.slerp(there, turn);
        }
    }

    /// How deep a foot that is planted flat on it along a heading is in a terrain; its toes bend as far as they do.
    pub(super) fn depth_in(&self, body: &LinearBody, side: Side, heading: f64, terrain: &Terrain) -> f64 {
        let mut foot = LinearFoot { ball: Vec3::ZERO, rotation: body.flat(heading), knee_roll: 0.0 };
        foot.ball = Vec3::new(self.ball.x, 0.0, self.ball.z);
        self.lay(&mut foot);
        let mut toes = body.toes(side).mean();
        let ground = Ground::Terrain(terrain);
        body.toes(side).bend_out(&foot, &mut toes, &ground);
        let points = body.sole_points(side, &foot, toes);
        -lowest_above(&points, body.toes(side).drop(), &ground)
    }
}
