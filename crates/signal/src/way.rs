//! The way of a body over the ground, as the steps of the travelling joint from frame to frame.
//!
//! Places of two clips cannot be mixed as they are: one walks north, the other east, one has gone twice as far. Their *steps*
//! can: how far the body turns from one frame to the next, and how far it moves as seen along its own heading. Mixed steps
//! are added up again to a way that begins where it shall. This is the alignment on the ground and by heading that blending
//! needs, made at every frame anew instead of once at the start, so that it does not wear off as ways part.

use crate::curves::{Curves, Quantity, Track};
use surefoot_geom::{Quat, Vec2, Vec3};

/// Place and heading of the travelling joint in every frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    /// Radians, unrolled; 0 throughout for a body that has no heading (one that turns head over heels).
    pub(crate) headings: Vec<f64>,
    /// x and z.
    pub(crate) places: Vec<Vec2>,
}

/// From one frame to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WayStep {
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

impl Way {
    /// Of a clip.
    pub(crate) fn of(curves: &Curves) -> Way {
        let row = |quantity: Quantity| curves.find(Track { joint: curves.travelling(), quantity });
        let n_frames = curves.n_frames();
        let headings = row(Quantity::Heading).map_or(vec![0.0; n_frames], |row| curves.row(row).to_vec());
        let [x, z] = [0, 1].map(|axis| curves.row(row(Quantity::Ground(axis)).expect("every clip has a place")));
        Way { headings, places: x.iter().zip(z).map(|(x, z)| Vec2::new(*x, *z)).collect() }
    }

    /// Makes this the way of a clip that has as many frames.
    pub(crate) fn write(&self, curves: &mut Curves) {
        let joint = curves.travelling();
        if let Some(row) = curves.find(Track { joint, quantity: Quantity::Heading }) {
            curves.row_mut(row).copy_from_slice(&self.headings);
        }
        for axis in 0..2 {
            let row = curves.find(Track { joint, quantity: Quantity::Ground(axis) }).expect("every clip has a place");
            let places = self.places.iter().map(|place| place[axis]);
            curves.row_mut(row).iter_mut().zip(places).for_each(|(slot, place)| *slot = place);
        }
    }

    /// The step from each frame to the next: one fewer than frames.
    pub(crate) fn steps(&self) -> Vec<WayStep> {
        let step = |frame: usize| {
            let (from, to) = (self.headings[frame], self.headings[frame + 1]);
            let shift = self.places[frame + 1] - self.places[frame];
            WayStep { turn: to - from, shift: turned(shift, -(from + to) / 2.0) }
        };
        (1..self.headings.len()).map(|next| step(next - 1)).collect()
    }

    /// The way that begins at a place and heading and takes these steps.
    pub(crate) fn from_steps(place: Vec2, heading: f64, steps: &[WayStep]) -> Way {
        let mut way = Way { headings: vec![heading], places: vec![place] };
        for step in steps {
            let from = *way.headings.last().expect("begun with one");
            let to = from + step.turn;
            let place = *way.places.last().expect("begun with one") + turned(step.shift, (from + to) / 2.0);
            way.headings.push(to);
            way.places.push(place);
        }
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_way_is_its_steps_wherever_it_begins() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let mut curves = Curves::read(&walk.take.clip);
        let way = Way::of(&curves);
        let again = Way::from_steps(way.places[0], way.headings[0], &way.steps());
        for (a, b) in way.places.iter().zip(&again.places) {
            assert!(a.distance(*b) < 1e-10);
        }
        let elsewhere = Way::from_steps(Vec2::new(3.0, -1.0), 2.0, &way.steps());
        let length = |way: &Way| way.places[0].distance(way.places[way.places.len() - 1]);
        assert!((length(&elsewhere) - length(&way)).abs() < 1e-9);
        elsewhere.write(&mut curves);
        assert_eq!(Way::of(&curves), elsewhere);
    }
}
