//! When a foot is planted, by its heel, its ball, or both; and what the stances of both feet amount to.

use crate::{Contacts, Plant};
use std::ops::Range;
use surefoot_motion::{PerSide, Side};

impl Contacts {
    /// The maximal runs of frames in which a foot's heel or ball is planted, in order of time. Plants that touch are one stance.
    pub fn stances(&self, side: Side) -> Vec<Range<usize>> {
        gather_plants(&self.plants[side], touches).into_iter().map(|stance| stance.frames).collect()
    }

    /// Counts steps, and how long feet are planted.
    pub fn summary(&self) -> ContactSummary {
        let stances = PerSide::from_fn(|side| self.stances(side));
        let both = shared_frames(&stances.left, &stances.right);
        let down = stances.as_ref().map(|stances| stances.iter().map(Range::len).sum::<usize>());
        let share = |frames: usize| if self.n_frames == 0 { 0.0 } else { frames as f64 / self.n_frames as f64 };
        let landings = |stances: &Vec<Range<usize>>| stances.iter().filter(|frames| frames.start > 0).count();
        ContactSummary {
            n_steps: stances.as_ref().map(landings),
            contact_share: down.map(share),
            double_support_share: share(both),
            flight_share: share((self.n_frames + both).saturating_sub(down.left + down.right)),
        }
    }
}

/// What the contacts of a clip amount to. Shares are of all frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSummary {
    /// How often each foot touches down, by heel or ball, after the first frame.
    pub n_steps: PerSide<usize>,
    /// Frames in which each foot is planted.
    pub contact_share: PerSide<f64>,
    /// Frames in which both feet are.
    pub double_support_share: f64,
    /// Frames in which none is.
    pub flight_share: f64,
}

/// One stance of a foot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stance<'a> {
    /// From the beginning of its first plant to the end of the last.
    pub(crate) frames: Range<usize>,
    /// In order of time; at least one.
    pub(crate) plants: &'a [Plant],
}

/// Gathers the plants of a foot, in order of time, into stances. `goes_on` says whether a stance that would end with one frame
/// goes on with a plant that begins in another.
pub(crate) fn gather_plants(plants: &[Plant], goes_on: impl Fn(usize, usize) -> bool) -> Vec<Stance<'_>> {
    let mut stances: Vec<Stance<'_>> = Vec::new();
    let mut first = 0;
    for (index, plant) in plants.iter().enumerate() {
        match stances.last_mut() {
            Some(last) if goes_on(last.frames.end, plant.frames.start) => {
                last.frames.end = last.frames.end.max(plant.frames.end);
                last.plants = &plants[first..=index];
            }
            _ => {
                first = index;
                stances.push(Stance { frames: plant.frames.clone(), plants: &plants[index..=index] });
            }
        }
    }
    stances
}

/// Whether a plant overlaps or touches the stance before it: what [`Contacts::stances`] calls one.
pub(crate) fn touches(end: usize, start: usize) -> bool {
    start <= end
}

/// How many frames two lists of disjoint ranges, each in order of time, share.
fn shared_frames(a: &[Range<usize>], b: &[Range<usize>]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += a[i].end.min(b[j].end).saturating_sub(a[i].start.max(b[j].start));
        if a[i].end < b[j].end {
            i += 1;
        } else {
            j += 1;
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FootPart::{self, Ball, Heel};
    use surefoot_geom::Vec3;

    type Plants<'a> = &'a [(FootPart, Range<usize>)];

    fn contacts(n_frames: usize, left: Plants<'_>, right: Plants<'_>) -> Contacts {
        let plant = |(part, frames): &(FootPart, Range<usize>)| Plant {
            part: *part,
            frames: frames.clone(),
            position: Vec3::ZERO,
        };
        let foot = |plants: Plants<'_>| plants.iter().map(plant).collect();
        Contacts { n_frames, plants: PerSide::new(foot(left), foot(right)) }
    }

    #[test]
    fn a_stance_is_what_heel_and_ball_cover_together() {
        let walk = contacts(60, &[(Heel, 3..10), (Ball, 5..14), (Heel, 14..16), (Ball, 20..31)], &[]);
        assert_eq!(walk.stances(Side::Left), [3..16, 20..31]);
        assert_eq!(walk.stances(Side::Right), []);
        // A short heel within a long ball does not end it.
        let stand = contacts(60, &[(Ball, 0..60), (Heel, 0..9), (Heel, 30..31)], &[]);
        assert_eq!(stand.stances(Side::Left), std::slice::from_ref(&(0..60)));
    }

    #[test]
    fn a_summary_counts_what_happens() {
        let walk = contacts(100, &[(Ball, 0..40), (Heel, 60..80), (Ball, 65..90)], &[(Heel, 30..50), (Ball, 35..65)]);
        let summary = walk.summary();
        assert_eq!(summary.n_steps, PerSide::new(1, 1));
        assert_eq!(summary.contact_share, PerSide::new(0.7, 0.35));
        assert_eq!(summary.double_support_share, 0.15);
        assert_eq!(summary.flight_share, 0.1);
        assert_eq!(Contacts::none(0).summary().flight_share, 0.0);
        assert_eq!(Contacts::none(7).summary().flight_share, 1.0);
    }
}
