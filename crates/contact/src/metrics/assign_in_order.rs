//! Which plant realises which footprint: at most one for each, in order of time, with the greatest total gain.
//!
//! A dynamic programme over footprints. Its states are "all plants up to frame `free` are behind us, with this gain so far"; one
//! that is free later without gaining more is dropped, so that states are in order of frame and gain alike, and the best one
//! for a plant is found by bisection.

use std::ops::Range;

/// A stance that may realise a footprint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) frames: Range<usize>,
    /// Positive; being realised at all should outweigh the rest.
    pub(super) gain: f64,
}

#[derive(Clone, Copy)]
struct State {
    /// First frame that is free.
    free: usize,
    gain: f64,
    /// The last choice that led here, in the list of choices.
    choice: Option<usize>,
}

struct Choice {
    footprint: usize,
    candidate: usize,
    before: Option<usize>,
}

/// For each footprint the index of the candidate chosen among its own.
pub(super) fn assign_in_order(candidates: &[Vec<Candidate>]) -> Vec<Option<usize>> {
    let mut states = vec![State { free: 0, gain: 0.0, choice: None }];
    let mut choices: Vec<Choice> = Vec::new();
    for (footprint, options) in candidates.iter().enumerate() {
        let mut next = states.clone();
        for (index, option) in options.iter().enumerate() {
            // The state that is free from the first frame on is always there.
            let from = states[states.partition_point(|state| state.free <= option.frames.start) - 1];
            choices.push(Choice { footprint, candidate: index, before: from.choice });
            let choice = Some(choices.len() - 1);
            next.push(State { free: option.frames.end, gain: from.gain + option.gain, choice });
        }
        states = without_worse(next);
    }
    let mut assigned = vec![None; candidates.len()];
    let mut at = states.last().and_then(|state| state.choice);
    while let Some(choice) = at.map(|index| &choices[index]) {
        assigned[choice.footprint] = Some(choice.candidate);
        at = choice.before;
    }
    assigned
}

/// The states that no other beats in both frame and gain, in order of both.
fn without_worse(mut states: Vec<State>) -> Vec<State> {
    states.sort_by(|a, b| a.free.cmp(&b.free).then(b.gain.total_cmp(&a.gain)));
    let mut most = f64::NEG_INFINITY;
    states.retain(|state| {
        let better = state.gain > most;
        most = most.max(state.gain);
        better
    });
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Random;

    fn candidate(frames: Range<usize>, gain: f64) -> Candidate {
        Candidate { frames, gain }
    }

    #[test]
    fn footprints_take_plants_in_order_and_as_many_as_they_can() {
        let plants = [candidate(0..10, 999.9), candidate(20..30, 999.8), candidate(40..50, 999.7)];
        let all = vec![plants.to_vec(); 3];
        assert_eq!(assign_in_order(&all), [Some(0), Some(1), Some(2)]);
        // Two footprints, one plant: the nearer one wins.
        let one = [vec![candidate(0..10, 999.7)], vec![candidate(0..10, 999.9)]];
        assert_eq!(assign_in_order(&one), [None, Some(0)]);
        // The first could have the later plant and be nearer; then the second would have none.
        let greedy = [vec![candidate(0..10, 999.0), candidate(20..30, 999.9)], vec![candidate(20..30, 999.5)]];
        assert_eq!(assign_in_order(&greedy), [Some(0), Some(0)]);
        assert_eq!(assign_in_order(&[vec![], vec![]]), [None, None]);
        assert_eq!(assign_in_order(&[]), []);
    }

    #[test]
    fn no_assignment_gains_more() {
        // Every assignment in order, tried one by one.
        fn best(candidates: &[Vec<Candidate>], free: usize) -> f64 {
            let Some((first, rest)) = candidates.split_first() else { return 0.0 };
            let taken = first.iter().filter(|option| option.frames.start >= free);
            let gains = taken.map(|option| option.gain + best(rest, option.frames.end));
            gains.fold(best(rest, free), f64::max)
        }
        let mut random = Random::new(12345);
        for _ in 0..300 {
            let mut any = || {
                let start = random.index(30);
                candidate(start..start + 1 + random.index(8), 1000.0 + random.index(100) as f64)
            };
            let candidates: Vec<Vec<Candidate>> = (0..5).map(|k| (0..k % 4).map(|_| any()).collect()).collect();
            let chosen = assign_in_order(&candidates);
            let taken: Vec<&Candidate> = chosen
                .iter()
                .zip(&candidates)
                .filter_map(|(index, options)| index.map(|index| &options[index]))
                .collect();
            assert!(taken.windows(2).all(|pair| pair[0].frames.end <= pair[1].frames.start));
            let gain: f64 = taken.iter().map(|candidate| candidate.gain).sum();
            assert!((gain - best(&candidates, 0)).abs() < 1e-9, "{candidates:?}");
        }
    }
}
