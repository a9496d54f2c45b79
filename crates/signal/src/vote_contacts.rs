//! Contacts of a clip that was made of others: each source votes with its share.
//!
//! A foot is planted in a frame of the result if it is in sources that make up more than half of the frame; where they make
//! up exactly half, the first source decides. With one source this is only a change of time.

use std::ops::Range;
use surefoot_contact::{Contacts, FootPart};
use surefoot_motion::Side;

/// One source of a clip.
#[derive(Clone, Copy, Debug)]
pub struct Voter<'a> {
    /// Its contacts.
    pub contacts: &'a Contacts,
    /// Its time in frames at each frame of the result; not a number where it has no part in it.
    pub times: &'a [f64],
    /// Its share in each frame of the result.
    pub shares: &'a [f64],
}

/// Shares this near to a half are a half.
const TIE: f64 = 1e-9;

/// When feet are planted in a clip of `n_frames`, as [`Contacts::from_ranges`] takes it. Times and shares must be as long.
pub fn vote_contacts(voters: &[Voter<'_>], n_frames: usize) -> Vec<(Side, FootPart, Range<usize>)> {
    let mut ranges = Vec::new();
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            let mut start = None;
            for frame in 0..=n_frames {
                let in_contact = frame < n_frames && is_planted(voters, side, part, frame);
                match (start, in_contact) {
                    (None, true) => start = Some(frame),
                    (Some(first), false) => {
                        ranges.push((side, part, first..frame));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
    }
    ranges
}

fn is_planted(voters: &[Voter<'_>], side: Side, part: FootPart, frame: usize) -> bool {
    let votes = voters.iter().map(|voter| {
        let (time, share) = (voter.times[frame], voter.shares[frame].max(0.0));
        let is_there = time.is_finite() && share > 0.0;
        (share, is_there && voter.contacts.is_planted(side, part, time.round().max(0.0) as usize))
    });
    let (mut all, mut planted, mut first) = (0.0, 0.0, None);
    for (share, in_contact) in votes {
        all += share;
        planted += if in_contact { share } else { 0.0 };
        if share > 0.0 {
            first.get_or_insert(in_contact);
        }
    }
    if (planted - all / 2.0).abs() <= TIE * all { first.unwrap_or(false) && all > 0.0 } else { planted > all / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::Plant;
    use surefoot_geom::Vec3;
    use surefoot_motion::PerSide;

    fn ball(n_frames: usize, ranges: &[Range<usize>]) -> Contacts {
        let plant =
            |frames: &Range<usize>| Plant { part: FootPart::Ball, frames: frames.clone(), position: Vec3::ZERO };
        Contacts { n_frames, plants: PerSide::new(ranges.iter().map(plant).collect(), Vec::new()) }
    }

    #[test]
    fn the_larger_share_decides_and_the_first_breaks_ties() {
        let (a, b) = (ball(10, std::slice::from_ref(&(0..5))), ball(10, std::slice::from_ref(&(3..8))));
        let times: Vec<f64> = (0..10).map(f64::from).collect();
        let vote = |share_a: f64| {
            let shares = [vec![share_a; 10], vec![1.0 - share_a; 10]];
            let voters = [(&a, &shares[0]), (&b, &shares[1])];
            let voters = voters.map(|(contacts, shares)| Voter { contacts, times: &times, shares });
            vote_contacts(&voters, 10)
        };
        for (share, wanted) in [(1.0, 0..5), (0.6, 0..5), (0.5, 0..5), (0.4, 3..8), (0.0, 3..8)] {
            assert_eq!(vote(share), [(Side::Left, FootPart::Ball, wanted)], "{share}");
        }
    }

    #[test]
    fn one_source_is_a_change_of_time() {
        let contacts = ball(10, &[2..4, 6..10]);
        let times: Vec<f64> = (0..19).map(|frame| f64::from(frame) * 0.5).collect();
        let voter = Voter { contacts: &contacts, times: &times, shares: &[1.0; 19] };
        let ranges: Vec<Range<usize>> = vote_contacts(&[voter], 19).into_iter().map(|(.., range)| range).collect();
        assert_eq!(ranges, [3..7, 11..19]);
    }
}
