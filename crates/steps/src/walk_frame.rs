//! A frame of a walk before it becomes joints, and how two steps go over into each other.

use super::LinearPose;
use super::step_rows::RowSigns;
use super::underfoot::Underfoot;
use surefoot_geom::{Quat, Vec3, rotation, smoothstep, turn_between};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::FrameContacts;

/// A frame on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkFrame {
    pub(super) pose: LinearPose,
    /// Of the body's other joints.
    pub(super) rotations: Vec<Quat>,
    /// To the frame that lies one filter step ahead.
    pub(super) turns: Vec<Vec3>,
    /// What the blended steps say of contacts and legs.
    pub(super) signs: RowSigns,
    pub(super) contacts: FrameContacts,
    /// Heights added to the pelvis.
    pub(super) lift: f64,
    /// How far the legs of recorded steps are an example.
    pub(super) level_share: f64,
    /// The height that the pelvis should be raised by for legs as long as in the blended steps, and what it is raised by.
    pub(super) fit: f64,
    pub(super) rise: f64,
    /// What each foot must stay out of: what it leaves, and what it is or will be planted on.
    pub(super) under: PerSide<Underfoot>,
    /// For how many frames a foot has been planted since it landed; very many once its heel was down.
    pub(super) stood: PerSide<usize>,
    /// How free a heel is to rise: 1 while the ball is planted alone and has not just landed, less and less in the swing after
    /// it; for how many frames, and how far it should rise, in radians.
    pub(super) heel_free: PerSide<f64>,
    pub(super) free_frames: PerSide<usize>,
    pub(super) heel_rise: PerSide<f64>,
    pub(super) reach: Vec3,
    /// Of the knees, once the pelvis is where it comes to be, in radians.
    pub(super) flexion: PerSide<f64>,
}

impl WalkFrame {
    /// An empty frame that holds a body with so many other joints without asking for memory.
    pub(super) fn with_room(n_others: usize) -> WalkFrame {
        let pose = LinearPose { others: Vec::with_capacity(n_others), ..LinearPose::default() };
        let (rotations, turns) = (Vec::with_capacity(n_others), Vec::with_capacity(n_others));
        WalkFrame { pose, rotations, turns, ..WalkFrame::default() }
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.lift = 0.0;
        (self.fit, self.rise, self.reach) = (0.0, 0.0, Vec3::ZERO);
        self.turns.clear();
        self.contacts = FrameContacts::default();
    }
}

/// When one step goes over into the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Join {
    /// How much of the next step there is.
    pub(super) fn share(&self, time: f64) -> f64 {
        smoothstep((time - self.from) / (self.to - self.from))
    }
}

/// A share of what other steps say.
pub(super) fn mix_signs(signs: &mut RowSigns, other: &RowSigns, share: f64) {
    for side in Side::BOTH {
        for (own, to) in signs.planted[side].iter_mut().zip(other.planted[side]) {
            *own += share * (to - *own);
        }
        signs.extension[side] += share * (other.extension[side] - signs.extension[side]);
    }
}

impl LinearPose {
    /// Takes over a share of another pose of the same body: what is planted at one place in both stays there.
    pub fn mix(&mut self, other: &LinearPose, share: f64) {
        let turn = |a: Quat, b: Quat| a.slerp(rotation::same_hemisphere(b, a), share);
        self.pelvis.translation = self.pelvis.translation.lerp(other.pelvis.translation, share);
        self.pelvis.rotation = turn(self.pelvis.rotation, other.pelvis.rotation);
        for side in Side::BOTH {
            let (foot, to) = (&mut self.feet[side], &other.feet[side]);
            foot.ball = foot.ball.lerp(to.ball, share);
            foot.rotation = turn(foot.rotation, to.rotation);
            foot.knee_roll += share * turn_between(foot.knee_roll, to.knee_roll);
        }
        for (vector, to) in self.others.iter_mut().zip(&other.others) {
            *vector = vector.lerp(*to, share);
        }
    }
}
