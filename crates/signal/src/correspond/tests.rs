//! The solver against an exhaustive search, with cost code of its own written from the paper's words.

use super::*;
use surefoot_geom::Random;

/// Channels of numbers from -1 to 1.
fn random_channels(random: &mut Random, n_channels: usize, n_frames: usize) -> Vec<Vec<f64>> {
    (0..n_channels).map(|_| (0..n_frames).map(|_| random.signed()).collect()).collect()
}

fn slices(channels: &[Vec<f64>]) -> Vec<&[f64]> {
    channels.iter().map(Vec::as_slice).collect()
}

/// Two signals and how they are compared, for the search that tries everything.
struct Case {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    weights: Vec<f64>,
    frame_rate: f64,
    options: CorrespondOptions,
}

impl Case {
    fn n_frames(&self) -> [usize; 2] {
        [self.a[0].len(), self.b[0].len()]
    }

    fn solve(&self) -> Result<Correspondence, WarpError> {
        correspond(&slices(&self.a), &slices(&self.b), &self.weights, self.frame_rate, &self.options)
    }

    /// Root mean square deviation from the mean, and root mean square speed in such deviations.
    fn deviation_and_speed(&self) -> (f64, f64) {
        let (mut variance, mut changes) = (0.0, 0.0);
        let total: f64 = self.weights.iter().sum();
        let [n, m] = self.n_frames().map(|n| n as f64);
        for (channel, weight) in self.weights.iter().enumerate() {
            for signal in [&self.a[channel], &self.b[channel]] {
                let mean = signal.iter().sum::<f64>() / signal.len() as f64;
                variance += weight / total * signal.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n + m);
                let squares = signal.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0]));
                changes += weight / total * squares.sum::<f64>() / (n + m - 2.0);
            }
        }
        (variance.sqrt(), changes.sqrt() * self.frame_rate / variance.sqrt())
    }

    /// What a complete path costs, from its pairs alone.
    fn cost(&self, path: &[[usize; 2]]) -> f64 {
        let (deviation, speed) = self.deviation_and_speed();
        let total: f64 = self.weights.iter().sum();
        let options = &self.options;
        let seconds = 1.0 / self.frame_rate;
        let mut cost = 0.0;
        for (channel, weight) in self.weights.iter().enumerate() {
            // Vertices in the plane of time and value.
            let vertices = |signal: &[f64]| -> Vec<[f64; 2]> {
                let place = |(frame, x): (usize, &f64)| [frame as f64 * seconds * speed, x / deviation];
                signal.iter().enumerate().map(place).collect()
            };
            let (a, b) = (vertices(&self.a[channel]), vertices(&self.b[channel]));
            let mut own = 0.0;
            for step in path.windows(2) {
                let [from, to] = [step[0], step[1]];
                own += options.stretching * (distance(a[from[0]], a[to[0]]) - distance(b[from[1]], b[to[1]])).abs();
            }
            for step in path.windows(3) {
                let of = |signal: &[[f64; 2]], side: usize| {
                    let three = [0, 1, 2].map(|k| signal[step[k][side]]);
                    (angle(three), extremum(three))
                };
                let ((mut alpha, kind_a), (beta, kind_b)) = (of(&a, 0), of(&b, 1));
                if kind_a * kind_b == -1 {
                    alpha = 360.0 - alpha;
                }
                own += options.bending * (alpha - beta).abs().to_radians();
            }
            for (index, [i, j]) in path.iter().enumerate() {
                // The first pair counts once, every other as often as frames passed.
                let passed = match index.checked_sub(1).map(|before| path[before]) {
                    Some(before) => (i - before[0]) + (j - before[1]),
                    None => 1,
                };
                let value = a[*i][1] - b[*j][1];
                own += options.value * value * value * seconds * passed as f64 / 2.0;
            }
            cost += weight / total * own;
        }
        cost
    }

    /// The cheapest of all paths.
    fn try_all(&self) -> Option<f64> {
        let mut cheapest = None;
        self.extend(&mut vec![[0, 0]], &mut cheapest);
        cheapest
    }

    fn extend(&self, path: &mut Vec<[usize; 2]>, cheapest: &mut Option<f64>) {
        let at = path[path.len() - 1];
        let n_frames = self.n_frames();
        if at == [n_frames[0] - 1, n_frames[1] - 1] {
            if self.is_allowed(path) {
                let cost = self.cost(path);
                if cheapest.is_none_or(|cheapest| cost < cheapest) {
                    *cheapest = Some(cost);
                }
            }
            return;
        }
        for step in [[1, 1], [1, 0], [0, 1]] {
            let next = [at[0] + step[0], at[1] + step[1]];
            if next[0] < n_frames[0] && next[1] < n_frames[1] {
                path.push(next);
                self.extend(path, cheapest);
                path.pop();
            }
        }
    }

    /// No step in one signal alone follows one in the other alone; runs keep to the limit; anchors are met.
    fn is_allowed(&self, path: &[[usize; 2]]) -> bool {
        let steps: Vec<[usize; 2]> =
            path.windows(2).map(|step| [step[1][0] - step[0][0], step[1][1] - step[0][1]]).collect();
        let turns = steps.windows(2).any(|pair| pair[0] != [1, 1] && pair[1] != [1, 1] && pair[0] != pair[1]);
        let run = self.options.max_slope.unwrap_or(usize::MAX - 1);
        let too_long = steps
            .windows(run.min(steps.len() + 1))
            .any(|run| run[0] != [1, 1] && run.iter().all(|step| *step == run[0]));
        !turns && !too_long && self.options.anchors.iter().all(|anchor| path.contains(anchor))
    }
}

fn distance(from: [f64; 2], to: [f64; 2]) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}

/// The angle at the second of three vertices in degrees; 180 where a side has no length.
fn angle([p, q, r]: [[f64; 2]; 3]) -> f64 {
    let (back, ahead) = ([p[0] - q[0], p[1] - q[1]], [r[0] - q[0], r[1] - q[1]]);
    let lengths = distance(p, q) * distance(q, r);
    if lengths == 0.0 {
        return 180.0;
    }
    ((back[0] * ahead[0] + back[1] * ahead[1]) / lengths).clamp(-1.0, 1.0).acos().to_degrees()
}

fn extremum([p, q, r]: [[f64; 2]; 3]) -> i32 {
    match (p[1] < q[1] && q[1] > r[1], p[1] > q[1] && q[1] < r[1]) {
        (true, _) => 1,
        (_, true) => -1,
        _ => 0,
    }
}

/// The solver's path is allowed, costs what it says, and no path is cheaper; or there is none at all. Tells whether
/// there is one.
fn check(case: &Case, name: &str) -> bool {
    match (case.solve(), case.try_all()) {
        (Ok(found), Some(cheapest)) => {
            assert!(case.is_allowed(found.pairs()), "{name}: {:?}", found.pairs());
            let counted = case.cost(found.pairs());
            assert!((found.cost - counted).abs() < 1e-9, "{name}: says {}, costs {counted}", found.cost);
            assert!((counted - cheapest).abs() < 1e-9, "{name}: costs {counted}, cheapest {cheapest}");
            true
        }
        (Err(WarpError::TooSteep { .. }), None) => false,
        (solved, tried) => panic!("{name}: solved {solved:?}, all tried {tried:?}"),
    }
}

#[test]
fn no_path_is_cheaper() {
    let (mut n_found, mut n_without) = (0, 0);
    let mut check = |case: &Case, name: &str| *(if check(case, name) { &mut n_found } else { &mut n_without }) += 1;
    for seed in 0..60u64 {
        let mut random = Random::new(seed);
        let n = 2 + (seed % 5) as usize;
        let m = 2 + (seed * 7 % 6) as usize;
        let weights = vec![1.0, 0.3, 2.0];
        for (name, mut options) in [
            ("paper", CorrespondOptions::paper()),
            ("all", CorrespondOptions { value: 2.0, ..CorrespondOptions::paper() }),
            ("value", CorrespondOptions { stretching: 0.0, bending: 0.0, value: 1.0, ..CorrespondOptions::paper() }),
            ("default", CorrespondOptions { search: Search::Exact, ..CorrespondOptions::default() }),
        ] {
            for max_slope in [None, Some(1), Some(2), Some(3)] {
                options.max_slope = max_slope;
                let (a, b) = (random_channels(&mut random, 3, n), random_channels(&mut random, 3, m));
                let mut case = Case { a, b, weights: weights.clone(), frame_rate: 10.0, options: options.clone() };
                check(&case, &format!("seed {seed} {name} {max_slope:?}"));
                case.options.anchors = vec![[n / 2, m / 2]];
                check(&case, &format!("seed {seed} {name} {max_slope:?} one anchor"));
                if n > 3 && m > 3 {
                    case.options.anchors = vec![[1, 2], [n - 2, m - 1]];
                    check(&case, &format!("seed {seed} {name} {max_slope:?} two anchors"));
                }
            }
        }
    }
    assert!(n_found > 1500 && n_without > 300, "{n_found} with a path, {n_without} without");
}

/// Channels of a movement whose pace changes, read at some times.
fn movement(n_channels: usize, times: impl Iterator<Item = f64>) -> Vec<Vec<f64>> {
    let times: Vec<f64> = times.collect();
    let at = |channel: f64, t: f64| {
        (2.0 * t + channel).sin() + 0.5 * (4.7 * t + 2.0 * channel).cos() + 0.1 * (0.4 * t * channel).sin()
    };
    (0..n_channels).map(|channel| times.iter().map(|t| at(channel as f64, *t)).collect()).collect()
}

#[test]
fn the_search_from_coarse_to_fine_finds_the_path() {
    let rate = 120.0;
    let pace = |t: f64| t + 0.35 * (1.3 * t).sin();
    let frames = |n: usize| (0..n).map(move |frame| frame as f64 / rate);
    for n in [3, 40, 63, 500, 731] {
        let (a, b) = (movement(7, frames(n)), movement(7, frames(n + n / 10).map(pace)));
        for options in
            [CorrespondOptions::default(), CorrespondOptions { max_slope: None, ..CorrespondOptions::default() }]
        {
            let exact = CorrespondOptions { search: Search::Exact, ..options.clone() };
            let solve = |options| correspond(&slices(&a), &slices(&b), &[1.0; 7], rate, options).unwrap();
            let (quick, exact) = (solve(&options), solve(&exact));
            assert!(quick.cost <= exact.cost * (1.0 + 1e-9), "{n}: {} instead of {}", quick.cost, exact.cost);
        }
    }
}

#[test]
fn anchors_hold_from_coarse_to_fine() {
    let frames = |n: usize| (0..n).map(move |frame| frame as f64 / 120.0);
    let (a, b) = (movement(5, frames(400)), movement(5, frames(410)));
    let anchors = vec![[30, 20], [200, 217], [201, 218], [390, 401]];
    let options = CorrespondOptions { anchors: anchors.clone(), ..CorrespondOptions::default() };
    let found = correspond(&slices(&a), &slices(&b), &[1.0; 5], 120.0, &options).unwrap();
    assert!(anchors.iter().all(|anchor| found.pairs().contains(anchor)));
    let exact = CorrespondOptions { search: Search::Exact, ..options };
    let exact = correspond(&slices(&a), &slices(&b), &[1.0; 5], 120.0, &exact).unwrap();
    assert!(found.cost <= exact.cost * 1.02, "{} instead of {}", found.cost, exact.cost);
}

#[test]
fn a_hill_is_no_valley() {
    // Angles alone are the same; only the extremum check tells a maximum from a minimum.
    let (hill, valley) = (vec![0.0, 0.0, 1.0, 0.0, 0.0], vec![0.0, 0.0, -1.0, 0.0, 0.0]);
    let options = CorrespondOptions { stretching: 0.0, max_slope: Some(1), ..CorrespondOptions::paper() };
    let cost = |a: &[f64], b: &[f64]| correspond(&[a], &[b], &[1.0], 1.0, &options).unwrap().cost;
    assert_eq!(cost(&hill, &hill), 0.0);
    // A frame is as long as the root mean square of the changes, and two of four steps change by one.
    let turn = 2.0 * 1.0f64.atan2(0.5f64.sqrt());
    assert!((cost(&hill, &valley) - 2.0 * turn).abs() < 1e-9, "{} instead of {}", cost(&hill, &valley), 2.0 * turn);
}

#[test]
fn short_still_and_broken_signals_have_a_path() {
    let solve = |a: &[f64], b: &[f64]| correspond(&[a], &[b], &[1.0], 30.0, &CorrespondOptions::default()).unwrap();
    assert_eq!(solve(&[], &[1.0]).pairs(), [[0usize; 2]; 0]);
    assert_eq!(solve(&[1.0], &[2.0]).pairs(), [[0, 0]]);
    assert_eq!(solve(&[1.0], &[2.0; 9]).pairs().len(), 9);
    assert_eq!(solve(&[1.0; 9], &[2.0]).pairs().len(), 9);
    let still = solve(&[1.0; 80], &[1.0; 80]);
    assert!(still.cost == 0.0 && still.pairs().len() == 80);
    let broken = solve(&[f64::NAN, 1.0, f64::INFINITY, 2.0], &[0.0, 1.0, 0.0, 2.0]);
    assert!(broken.cost.is_finite() && broken.pairs().len() == 4);
    assert_eq!(correspond(&[], &[], &[], 30.0, &CorrespondOptions::default()).unwrap().pairs().len(), 0);
    let unweighted =
        correspond(&[&[1.0, 2.0, 3.0]], &[&[1.0, 5.0]], &[0.0], 30.0, &CorrespondOptions::default()).unwrap();
    assert_eq!(unweighted.cost, 0.0);
}

#[test]
fn what_cannot_be_is_named() {
    let channel: Vec<f64> = (0..100).map(f64::from).collect();
    let solve = |b: &[f64], weight: f64, options: CorrespondOptions| {
        correspond(&[&channel], &[b], &[weight], 30.0, &options).unwrap_err().to_string()
    };
    let default = CorrespondOptions::default;
    for (error, wanted) in [
        (solve(&channel, -1.0, default()), "the weight of channel 0 is -1; a number from 0"),
        (
            solve(&channel, 1.0, CorrespondOptions { bending: f64::NAN, ..default() }),
            "`bending` is NaN; a number from 0",
        ),
        (
            solve(&channel, 1.0, CorrespondOptions { max_slope: Some(0), ..default() }),
            "`max_slope` is 0; 1 to 32, or none",
        ),
        (
            solve(&channel, 1.0, CorrespondOptions { anchors: vec![[3, 5], [4, 5]], ..default() }),
            "anchor 1, frames 4 and 5, is not later",
        ),
        (
            solve(&channel, 1.0, CorrespondOptions { anchors: vec![[100, 5]], ..default() }),
            "anchor 0, frames 100 and 5, is outside; the clips have 100 and 100 frames",
        ),
        (
            solve(&channel, 1.0, CorrespondOptions { anchors: vec![[10, 60]], ..default() }),
            "frames 0 to 10 of one clip cannot pass with 0 to 60 of the other where at most 3 frames pass with one",
        ),
        (solve(&channel[..20], 1.0, default()), "frames 0 to 99 of one clip cannot pass with 0 to 19 of the other"),
    ] {
        assert!(error.starts_with(wanted), "{error}");
    }
}

#[test]
fn hours_are_refused_before_they_are_compared() {
    let channel: Vec<f64> = (0..1_000_000).map(|k| f64::from(k % 97)).collect();
    for (search, frame_rate) in [(Search::Exact, 120.0), (Search::CoarseToFine, 1.0)] {
        let options = CorrespondOptions { search, ..CorrespondOptions::default() };
        let error = correspond(&[&channel], &[&channel], &[1.0], frame_rate, &options).unwrap_err();
        assert!(matches!(error, WarpError::TooLong { n_frames: [1_000_000, 1_000_000], .. }), "{error}");
    }
}
