//! Contacts of a clip whose time was changed, or that was made of several: when feet should be planted, and on what height.
//!
//! When a foot is planted is [`vote_contacts`]'s matter. Where it is planted on the ground is where the new motion has it, on
//! the mean over the plant, as everywhere ([`Contacts::from_ranges`]). But its height is that of the plant that it
//! comes from: an edit before may have lifted a foot off the ground or pushed it in, and the ground has not moved.

use crate::vote_contacts::{Voter, vote_contacts};
use surefoot_contact::{Contacts, FootPart};
use surefoot_motion::{BodyMap, Clip, Side};

/// The contacts of a clip that was made of others. Times and shares of each voter must be as long as the clip.
pub fn retime_contacts(clip: &Clip, body: &BodyMap, voters: &[Voter<'_>]) -> Contacts {
    let ranges = vote_contacts(voters, clip.n_frames());
    let mut contacts = Contacts::from_ranges(clip, body, &ranges).expect("runs of frames, one after another");
    for side in Side::BOTH {
        for plant in &mut contacts.plants[side] {
            let middle = (plant.frames.start + plant.frames.end - 1) / 2;
            if let Some(height) = source_height(voters, side, plant.part, middle) {
                plant.position.y = height;
            }
        }
    }
    contacts
}

/// The height of the plant that a foot comes from, of the source with the largest share that has one.
fn source_height(voters: &[Voter<'_>], side: Side, part: FootPart, frame: usize) -> Option<f64> {
    let height = |voter: &Voter<'_>| {
        let time = voter.times[frame];
        let source = time.is_finite().then(|| time.round().max(0.0) as usize)?;
        let plant = voter.contacts.plants_within(side, part, source..source + 1).next()?;
        Some((voter.shares[frame], plant.position.y))
    };
    voters.iter().filter_map(height).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, height)| height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, measure_placement, synthetic_walk};

    #[test]
    fn a_walk_at_half_its_pace_stands_twice_as_long_where_it_stood() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 3, ..WalkerOptions::default() });
        let (clip, contacts) = (&walk.take.clip, &walk.take.contacts);
        let n_frames = 2 * clip.n_frames() - 1;
        let times: Vec<f64> = (0..n_frames).map(|frame| frame as f64 / 2.0).collect();
        let slow = crate::Curves::read(clip).sample(&times).to_clip("slow");
        let voter = Voter { contacts, times: &times, shares: &vec![1.0; n_frames] };
        let followed = retime_contacts(&slow, &walk.take.body, &[voter]);
        assert_eq!(followed.n_frames, n_frames);
        for side in Side::BOTH {
            assert_eq!(followed.plants[side].len(), contacts.plants[side].len());
            for (new, old) in followed.plants[side].iter().zip(&contacts.plants[side]) {
                assert!(new.frames.start.abs_diff(2 * old.frames.start) <= 1, "{new:?} {old:?}");
                assert!(new.frames.end.abs_diff(2 * old.frames.end) <= 2, "{new:?} {old:?}");
            }
        }
        let errors = measure_placement(&slow.world(), &walk.take.body, &followed);
        assert!(errors.iter().all(|error| error.distance < 2e-3), "{errors:?}");
    }

    #[test]
    fn feet_that_an_edit_lifted_are_still_planted_on_the_ground() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() });
        let mut lifted = walk.take.clip.clone();
        let root = lifted.skeleton.roots().next().expect("a root");
        lifted.poses_mut().iter_mut().for_each(|mut pose| pose[root].translation.y += 0.3);
        let times: Vec<f64> = (0..lifted.n_frames()).map(|frame| frame as f64).collect();
        let shares = vec![1.0; times.len()];
        let voter = Voter { contacts: &walk.take.contacts, times: &times, shares: &shares };
        let contacts = retime_contacts(&lifted, &walk.take.body, &[voter]);
        for (new, old) in contacts.plants.left.iter().zip(&walk.take.contacts.plants.left) {
            assert!((new.position.y - old.position.y).abs() < 1e-12);
        }
    }
}
