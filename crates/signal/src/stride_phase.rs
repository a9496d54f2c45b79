//! Where in its stride a walking or running body is, from foot contacts.
//!
//! A left foot that touches down begins a stride: phase k. The right foot touches down at k + 1/2. Between touchdowns phase
//! runs evenly; before the first and after the last it goes on at the pace of the step beside it. Two clips of different
//! lengths, speeds and numbers of steps so have a common time.

use surefoot_contact::Contacts;
use surefoot_motion::Side;

/// The phase of a clip at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct StridePhase {
    /// Frame and phase of each touchdown: at least three, half a stride from each to the next.
    touchdowns: Vec<[f64; 2]>,
}

impl StridePhase {
    /// From contacts. `None` if feet do not touch down in turn for at least a whole stride; what comes before the longest
    /// such run, and after it, is not looked at.
    pub fn from_contacts(contacts: &Contacts) -> Option<StridePhase> {
        let mut events: Vec<(usize, Side)> = Side::BOTH
            .into_iter()
            .flat_map(|side| contacts.stances(side).into_iter().map(move |frames| (frames.start, side)))
            .filter(|(frame, _)| *frame > 0)
            .collect();
        events.sort_by_key(|(frame, _)| *frame);
        let longest = events.chunk_by(|a, b| a.1 != b.1 && a.0 < b.0).max_by_key(|run| run.len())?;
        if longest.len() < 3 {
            return None;
        }
        let first = if longest[0].1 == Side::Left { 0.0 } else { 0.5 };
        let touchdown = |(index, event): (usize, &(usize, Side))| [event.0 as f64, first + 0.5 * index as f64];
        Some(StridePhase { touchdowns: longest.iter().enumerate().map(touchdown).collect() })
    }

    /// The phase at a time in frames.
    pub fn at(&self, frame: f64) -> f64 {
        interpolate(&self.touchdowns, 0, frame)
    }

    /// The time in frames of a phase.
    pub fn frame_at(&self, phase: f64) -> f64 {
        interpolate(&self.touchdowns, 1, phase)
    }

    /// The phases between the first touchdown and the last.
    pub fn whole(&self) -> std::ops::RangeInclusive<f64> {
        self.touchdowns[0][1]..=self.touchdowns[self.touchdowns.len() - 1][1]
    }

    /// How many frames a stride takes on the mean.
    pub fn stride_frames(&self) -> f64 {
        let (first, last) = (self.touchdowns[0], self.touchdowns[self.touchdowns.len() - 1]);
        (last[0] - first[0]) / (last[1] - first[1])
    }
}

/// Straight lines through knots that increase in both, and straight on beyond them. `side` is the argument.
fn interpolate(knots: &[[f64; 2]], side: usize, value: f64) -> f64 {
    let after = knots.partition_point(|knot| knot[side] <= value).clamp(1, knots.len() - 1);
    let (a, b) = (knots[after - 1], knots[after]);
    a[1 - side] + (value - a[side]) / (b[side] - a[side]) * (b[1 - side] - a[1 - side])
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn a_walk_passes_half_a_stride_with_each_step() {
        let options = WalkerOptions { n_steps: 9, ..WalkerOptions::default() };
        let walk = synthetic_walk(&options);
        let phase = StridePhase::from_contacts(&walk.take.contacts).expect("a walk");
        let wanted = 2.0 / options.cadence * walk.take.clip.frame_rate;
        assert!((phase.stride_frames() / wanted - 1.0).abs() < 0.02, "{} {wanted}", phase.stride_frames());
        for frame in [-20.0, 0.0, 33.3, 100.0, 900.0] {
            assert!((phase.frame_at(phase.at(frame)) - frame).abs() < 1e-9);
        }
        assert_eq!(StridePhase::from_contacts(&Contacts::none(100)), None);
    }
}
