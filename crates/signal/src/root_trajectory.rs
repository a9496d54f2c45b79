//! The root trajectory of a body, as the steps of the root from frame to frame.
//!
//! Places of two clips cannot be mixed as they are: one walks north, the other east, one has gone twice as far. Their *steps*
//! can: how far the body turns from one frame to the next, and how far it moves as seen along its own heading. Mixed steps
//! are added up again to a trajectory with any start. This is the alignment on the ground and by heading that blending
//! needs, made again at every frame instead of once at the start, so that it does not wear off as trajectories part.

use crate::curves::{Curves, Quantity, Track};
use surefoot_geom::{Quat, Vec2, Vec3};

/// Place and heading of the root in every frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RootTrajectory {
    /// Radians, unrolled; 0 throughout for a body that has no heading (one that turns head over heels).
    pub(crate) headings: Vec<f64>,
    /// x and z.
    pub(crate) places: Vec<Vec2>,
}

/// From one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RootStep {
    /// Radians.
    pub(crate) turn: f64,
    /// x and z, as seen along the mean of both headings.
    pub(crate) shift: Vec2,
}

/// A vector on the ground turned by a heading.
pub(crate) fn turned(vector: Vec2, heading: f64) -> Vec2 {
    let turned = Quat::from_rotation_y(heading) * Vec3::new(vector.x, 0.0, vector.y);
    Vec2::new(turned.x, turned.z)
}

impl RootTrajectory {
    /// Of a clip.
    pub(crate) fn of(curves: &Curves) -> RootTrajectory {
        let channel = |quantity: Quantity| curves.find(Track { joint: curves.root(), quantity });
        let n_frames = curves.n_frames();
        let headings =
            channel(Quantity::Heading).map_or(vec![0.0; n_frames], |channel| curves.channel(channel).to_vec());
        let [x, z] =
            [0, 1].map(|axis| curves.channel(channel(Quantity::Ground(axis)).expect("every clip has a place")));
        RootTrajectory { headings, places: x.iter().zip(z).map(|(x, z)| Vec2::new(*x, *z)).collect() }
    }

    /// Makes this the trajectory of a clip that has as many frames.
    pub(crate) fn write(&self, curves: &mut Curves) {
        let joint = curves.root();
        if let Some(channel) = curves.find(Track { joint, quantity: Quantity::Heading }) {
            curves.channel_mut(channel).copy_from_slice(&self.headings);
        }
        for axis in 0..2 {
            let channel =
                curves.find(Track { joint, quantity: Quantity::Ground(axis) }).expect("every clip has a place");
            let places = self.places.iter().map(|place| place[axis]);
            curves.channel_mut(channel).iter_mut().zip(places).for_each(|(slot, place)| *slot = place);
        }
    }

    /// The step from each frame to the next: one fewer than frames.
    pub(crate) fn steps(&self) -> Vec<RootStep> {
        let step = |frame: usize| {
            let (from, to) = (self.headings[frame], self.headings[frame + 1]);
            let shift = self.places[frame + 1] - self.places[frame];
            RootStep { turn: to - from, shift: turned(shift, -(from + to) / 2.0) }
        };
        (1..self.headings.len()).map(|next| step(next - 1)).collect()
    }

    /// The trajectory that begins at a place and heading and takes these steps.
    pub(crate) fn from_steps(place: Vec2, heading: f64, steps: &[RootStep]) -> RootTrajectory {
        let mut trajectory = RootTrajectory { headings: vec![heading], places: vec![place] };
        for step in steps {
            let from = *trajectory.headings.last().expect("begun with one");
            let to = from + step.turn;
            let place = *trajectory.places.last().expect("begun with one") + turned(step.shift, (from + to) / 2.0);
            trajectory.headings.push(to);
            trajectory.places.push(place);
        }
        trajectory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_trajectory_is_its_steps_wherever_it_begins() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let mut curves = Curves::read(&walk.take.clip);
        let trajectory = RootTrajectory::of(&curves);
        let again = RootTrajectory::from_steps(trajectory.places[0], trajectory.headings[0], &trajectory.steps());
        for (a, b) in trajectory.places.iter().zip(&again.places) {
            assert!(a.distance(*b) < 1e-10);
        }
        let elsewhere = RootTrajectory::from_steps(Vec2::new(3.0, -1.0), 2.0, &trajectory.steps());
        let length =
            |trajectory: &RootTrajectory| trajectory.places[0].distance(trajectory.places[trajectory.places.len() - 1]);
        assert!((length(&elsewhere) - length(&trajectory)).abs() < 1e-9);
        elsewhere.write(&mut curves);
        assert_eq!(RootTrajectory::of(&curves), elsewhere);
    }
}
