//! What a step database can do and what it lacks.
//!
//! Reference: STRIDE 4.3, figure 4.2.
//!
//! Blending interpolates, so the widest steps of a database must be wider than any that is asked for, the narrowest
//! narrower, and a step must end where others start. Found for each foot:
//!
//! 1. How small and how wide steps start and end, against the size of a foot and against the longest step that the body
//!    can make: the height of the trochanter (the hip of the standing body) times SL:TH, the paper's 1.0.
//! 2. Whether enough steps lie at these extremes.
//! 3. Sidesteps: steps whose foot moves to the side by more than three times as much as forward or back. Small ones
//!    matter, for without them sidesteps would be blended with half turns.
//! 4. Dead ends: steps that end wider (or smaller) than steps of the other foot start, after which a walk cannot go on
//!    without extrapolation.
//!
//! 5. How many steps go up and down, and how far. They count in nothing above: a stair is no level step.
//!
//! Departures. The paper does not say what a high enough density is: here at least three steps
//! ([`AnalyzeOptions::least_steps`], its number for dead ends) within a foot's size of the extreme, so that with the
//! extreme itself they can span a tetrahedron. Sideways is seen from where the feet point at the start, not along the
//! supporting frame's axis, by which every step of a straight walk would be a sidestep. Steps that go on from a dead
//! end are those of the other foot, which takes the next step.

use super::shot_list::{Shot, shot_list};
use super::{CanonicalStep, LinearFoot, StepDatabase};
use surefoot_geom::Range;
use surefoot_geom::{Vec3, heading_direction};
use surefoot_motion::{PerSide, Side};

/// Extrapolation by less than this is none, in metres.
const TOLERANCE: f64 = 0.01;

/// What to hold a database against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnalyzeOptions {
    /// Size of a foot, in metres: steps nearer than this are alike, and feet nearer than this are side by side. Default
    /// 0.15, the paper's.
    pub foot: f64,
    /// The longest step over the height of the trochanter (SL:TH). Default 1.0, the paper's; 0.65 was measured in
    /// walks, 1.1 in sprints.
    pub stride_ratio: f64,
    /// A step is to the side if it goes this many times farther to the side than forward. Default 3, the paper's.
    pub sidestep_ratio: f64,
    /// How many steps are enough, at an extreme and after a dead end. Default 3, the paper's.
    pub least_steps: usize,
    /// Longest list of steps to record next. Default 12.
    pub n_shots: usize,
}

impl Default for AnalyzeOptions {
    fn default() -> AnalyzeOptions {
        AnalyzeOptions { foot: 0.15, stride_ratio: 1.0, sidestep_ratio: 3.0, least_steps: 3, n_shots: 12 }
    }
}

/// At which end of the swing the feet are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwingEvent {
    /// Before the swing.
    Start,
    /// After it.
    End,
}

/// Which end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// Feet near each other.
    Small,
    /// Feet far apart.
    Wide,
}

impl Extreme {
    /// Whether a width is at least as far out as another.
    fn reaches(self, width: f64, wanted: f64) -> bool {
        match self {
            Extreme::Small => width <= wanted,
            Extreme::Wide => width >= wanted,
        }
    }

    /// The farthest out of some widths.
    fn of(self, widths: &[f64]) -> Option<f64> {
        widths.iter().copied().reduce(match self {
            Extreme::Small => f64::min,
            Extreme::Wide => f64::max,
        })
    }
}

/// Something found about the steps of one foot. Widths are distances of the feet, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// How many steps lie within a foot's size of an extreme.
    Density {
        /// When.
        event: SwingEvent,
        /// Which extreme.
        extreme: Extreme,
        /// Steps there.
        n_steps: usize,
        /// How many would do.
        needed: usize,
    },
    /// The smallest or widest step.
    Width {
        /// When.
        event: SwingEvent,
        /// Which extreme.
        extreme: Extreme,
        /// As it is.
        found: f64,
        /// At most (small) or at least (wide) this would be right.
        wanted: f64,
    },
    /// How many sidesteps there are.
    Sidesteps {
        /// That many.
        n_steps: usize,
        /// How many would do.
        needed: usize,
    },
    /// The smallest sidestep.
    SmallSidestep {
        /// When.
        event: SwingEvent,
        /// Of all sidesteps, the smallest and the widest.
        widths: Range,
        /// The smallest should be at most this.
        wanted: f64,
    },
    /// Steps that end wider or smaller than enough steps of the other foot start.
    DeadEnd {
        /// Which.
        extreme: Extreme,
        /// Where the farthest of them ends.
        width: f64,
        /// How many steps end beyond the last start that enough others reach.
        n_dead: usize,
        /// Steps of the other foot that start there or beyond.
        n_starting: usize,
        /// How many would do.
        needed: usize,
        /// How far the other foot's steps start at most (or at least).
        farthest: f64,
    },
}

impl Finding {
    /// Whether nothing is lacking.
    pub fn is_fine(&self) -> bool {
        match *self {
            Finding::Density { n_steps, needed, .. } | Finding::Sidesteps { n_steps, needed } => n_steps >= needed,
            Finding::Width { extreme, found, wanted, .. } => extreme.reaches(found, wanted),
            Finding::SmallSidestep { widths, wanted, .. } => widths.min <= wanted,
            Finding::DeadEnd { n_starting, needed, .. } => n_starting >= needed,
        }
    }
}

/// The steps that swing one foot.
#[derive(Clone, Debug, PartialEq)]
pub struct SideAnalysis {
    /// How many, mirror images included.
    pub n_steps: usize,
    /// How many of them are mirror images.
    pub n_mirrored: usize,
    /// How many go up, and how many down.
    pub n_up: usize,
    /// See `n_up`.
    pub n_down: usize,
    /// How far their feet go up, in metres, and down below 0; `None` if all steps are level.
    pub rises: Option<Range>,
    /// Everything found, in the paper's order.
    pub findings: Vec<Finding>,
    /// Share of the steps within a person's reach that the database can blend, or has nearly.
    pub coverage: f64,
    /// Volume of the hull in the space of parameters, in cubic metres.
    pub hull_volume: f64,
}

/// What a database can do.
#[derive(Clone, Debug, PartialEq)]
pub struct StepAnalysis {
    /// Height of the hips of the standing body, in metres.
    pub trochanter_height: f64,
    /// The longest step that it can make, in metres.
    pub longest_step: f64,
    /// For each swinging foot.
    pub sides: PerSide<SideAnalysis>,
    /// What to record next, the most helpful first.
    pub shots: Vec<Shot>,
}

/// Analyses a database.
pub fn analyze_steps(database: &StepDatabase, options: &AnalyzeOptions) -> StepAnalysis {
    let trochanter_height = trochanter_height(database);
    let longest_step = options.stride_ratio * trochanter_height;
    let findings = PerSide::from_fn(|side| find(database, side, longest_step, options));
    let shots = shot_list(database, &findings, longest_step, options);
    let sides = PerSide::from_fn(|side| {
        let space = database.space(side);
        let mirrored = space.steps().iter().filter(|&&step| database.steps()[step].source.mirrored);
        let climbs = space.steps().iter().map(|&step| &database.steps()[step]).filter(|step| !step.is_level());
        let rises: Vec<f64> = climbs.map(CanonicalStep::rise).collect();
        SideAnalysis {
            n_steps: space.steps().len(),
            n_mirrored: mirrored.count(),
            n_up: rises.iter().filter(|rise| **rise > 0.0).count(),
            n_down: rises.iter().filter(|rise| **rise < 0.0).count(),
            rises: range_of(&rises),
            findings: findings[side].clone(),
            coverage: shots.coverage[side],
            hull_volume: space.delaunay().hull_volume(),
        }
    });
    StepAnalysis { trochanter_height, longest_step, sides, shots: shots.shots }
}

/// Height of the hips above the ground with straight legs and flat feet, the mean of both.
fn trochanter_height(database: &StepDatabase) -> f64 {
    let body = database.body();
    let of = |side: Side| {
        let foot = LinearFoot { rotation: body.flat(0.0), ..LinearFoot::default() };
        body.leg_length(side) + body.ankle(side, &foot).y.max(0.0)
    };
    (of(Side::Left) + of(Side::Right)) / 2.0
}

/// Those on the level.
fn steps_of(database: &StepDatabase, side: Side) -> impl Iterator<Item = &CanonicalStep> {
    database.space(side).steps().iter().map(|&step| &database.steps()[step]).filter(|step| step.is_level())
}

/// Whether a foot goes to the side rather than forward or back, seen from where both feet point at the start.
fn is_sidestep(step: &CanonicalStep, ratio: f64) -> bool {
    let outward = if step.swing() == Side::Left { 1.0 } else { -1.0 };
    let p = step.point();
    let moved = Vec3::new(outward * (p.y - p.x), 0.0, p.z);
    let [support, before, _] = step.headings.map(heading_direction);
    let ahead = (support + before).try_normalize().unwrap_or(support);
    let forward = moved.dot(ahead).abs();
    let sideways = (moved - ahead * moved.dot(ahead)).length();
    sideways > ratio * forward
}

fn range_of(widths: &[f64]) -> Option<Range> {
    Some(Range { min: Extreme::Small.of(widths)?, max: Extreme::Wide.of(widths)? })
}

/// Everything about one foot, in the order of figure 4.2.
fn find(database: &StepDatabase, side: Side, longest_step: f64, options: &AnalyzeOptions) -> Vec<Finding> {
    let needed = options.least_steps;
    let width = |step: &CanonicalStep, event: SwingEvent| match event {
        SwingEvent::Start => step.parameters.start_width,
        SwingEvent::End => step.parameters.reach(),
    };
    let widths = |side: Side, event: SwingEvent| -> Vec<f64> {
        steps_of(database, side).map(|step| width(step, event)).collect()
    };
    let mut findings = Vec::new();
    for event in [SwingEvent::Start, SwingEvent::End] {
        let widths = widths(side, event);
        let extremes = [(Extreme::Small, options.foot), (Extreme::Wide, longest_step)];
        for (extreme, _) in extremes {
            let Some(farthest) = extreme.of(&widths) else { continue };
            let n_steps = widths.iter().filter(|&&width| (width - farthest).abs() <= options.foot).count();
            findings.push(Finding::Density { event, extreme, n_steps, needed });
        }
        for (extreme, wanted) in extremes {
            let Some(found) = extreme.of(&widths) else { continue };
            findings.push(Finding::Width { event, extreme, found, wanted });
        }
    }
    let sidesteps: Vec<_> = steps_of(database, side).filter(|step| is_sidestep(step, options.sidestep_ratio)).collect();
    findings.push(Finding::Sidesteps { n_steps: sidesteps.len(), needed });
    for event in [SwingEvent::Start, SwingEvent::End] {
        let widths: Vec<f64> = sidesteps.iter().map(|step| width(step, event)).collect();
        if let Some(widths) = range_of(&widths) {
            findings.push(Finding::SmallSidestep { event, widths, wanted: options.foot });
        }
    }
    let (ends, starts) = (widths(side, SwingEvent::End), widths(side.opposite(), SwingEvent::Start));
    for extreme in [Extreme::Small, Extreme::Wide] {
        findings.extend(dead_end(extreme, &ends, starts.clone(), needed));
    }
    findings
}

fn dead_end(extreme: Extreme, ends: &[f64], mut starts: Vec<f64>, needed: usize) -> Option<Finding> {
    let (width, farthest) = (extreme.of(ends)?, extreme.of(&starts)?);
    starts.sort_by(f64::total_cmp);
    if extreme == Extreme::Wide {
        starts.reverse();
    }
    let goes_on = |start: f64, end: f64| match extreme {
        Extreme::Small => start <= end + TOLERANCE,
        Extreme::Wide => start >= end - TOLERANCE,
    };
    let n_starting = starts.iter().filter(|&&start| goes_on(start, width)).count();
    // Beyond the last start that enough others reach.
    let last = starts.get(needed.saturating_sub(1));
    let is_dead = |end: &&f64| last.is_none_or(|&last| !goes_on(last, **end));
    let n_dead = ends.iter().filter(is_dead).count();
    Some(Finding::DeadEnd { extreme, width, n_dead, n_starting, needed, farthest })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{BuildOptions, StepCollector};
    use super::*;
    use std::sync::LazyLock;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_plan::StepParameters;

    static WALK: LazyLock<StepDatabase> = LazyLock::new(|| {
        let walk = synthetic_walk(&WalkerOptions { frame_rate: 30.0, ..WalkerOptions::default() });
        let skeleton = walk.take.clip.skeleton.clone();
        let mut collector = StepCollector::new(skeleton, walk.take.body.clone(), &walk.take, BuildOptions::default());
        let _ = collector.add("walk", &walk.take);
        collector.finish().expect("steps")
    });

    /// A step of given parameters whose feet point forward where they start side by side.
    pub(crate) fn step_at(swing: Side, point: Vec3, start: usize, mirrored: bool) -> CanonicalStep {
        let mut step = WALK.steps()[0].clone();
        step.source.frames = start..start + 10;
        step.source.mirrored = mirrored;
        step.parameters = StepParameters { swing, start_width: point.x, end_width: point.y, end_length: point.z };
        step.headings = [0.0; 3];
        step
    }

    pub(crate) fn database_of(steps: Vec<CanonicalStep>) -> StepDatabase {
        StepDatabase::new(super::super::DatabaseParts { steps, ..WALK.parts().clone() }).expect("steps of both feet")
    }

    /// The same points for both feet.
    fn mirrored(points: &[[f64; 3]]) -> StepDatabase {
        let steps = Side::BOTH.into_iter().flat_map(|side| {
            points
                .iter()
                .enumerate()
                .map(move |(k, point)| step_at(side, Vec3::from_array(*point), 10 * k, side == Side::Right))
        });
        database_of(steps.collect())
    }

    fn findings(points: &[[f64; 3]]) -> Vec<Finding> {
        analyze_steps(&mirrored(points), &AnalyzeOptions::default()).sides.left.findings
    }

    #[test]
    fn widths_are_told_as_the_paper_tells_them() {
        // STRIDE figure 4.2: from 18.0 to 77.2 cm at the start, from 18.4 to 90.2 cm at the end.
        let points = [
            [0.18, 0.184, 0.0],
            [0.2, 0.2, 0.02],
            [0.25, 0.21, 0.03],
            [0.772, 0.0, 0.902],
            [0.75, 0.1, 0.89],
            [0.7, 0.0, 0.88],
        ];
        let found = findings(&points);
        let is = |wanted: &dyn Fn(&Finding) -> bool| found.iter().any(wanted);
        let width = |event: SwingEvent, extreme: Extreme| {
            let of = |finding: &Finding| match *finding {
                Finding::Width { event: m, extreme: e, found, .. } if (m, e) == (event, extreme) => Some(found),
                _ => None,
            };
            found.iter().find_map(of).unwrap()
        };
        assert_eq!(width(SwingEvent::Start, Extreme::Small), 0.18);
        assert_eq!(width(SwingEvent::Start, Extreme::Wide), 0.772);
        assert_eq!(width(SwingEvent::End, Extreme::Small), 0.184);
        assert!((width(SwingEvent::End, Extreme::Wide) - 0.902).abs() < 1e-12);
        assert!(found.iter().filter(|finding| matches!(finding, Finding::Width { .. })).all(|f| !f.is_fine()));
        let densities = || found.iter().filter(|finding| matches!(finding, Finding::Density { .. }));
        assert!(densities().count() == 4 && densities().all(super::Finding::is_fine), "{found:?}");
        // A step that ends 90.2 cm wide, and none that starts there.
        assert!(
            is(
                &|finding| matches!(finding, Finding::DeadEnd { extreme: Extreme::Wide, width, n_starting: 0, n_dead: 3, needed: 3, farthest }
                if (width - 0.902).abs() < 1e-12 && *farthest == 0.772)
            ),
            "{found:?}"
        );
    }

    #[test]
    fn sidesteps_are_seen_from_where_the_feet_point() {
        // Out to the side by 30 cm; and the same places in a straight walk whose feet point across the supporting
        // frame.
        let step = step_at(Side::Left, Vec3::new(0.2, 0.5, 0.05), 0, false);
        assert!(is_sidestep(&step, 3.0));
        let mut walk = step_at(Side::Left, Vec3::new(0.6, -0.6, 0.1), 0, false);
        walk.headings = [-std::f64::consts::FRAC_PI_2; 3];
        assert!(!is_sidestep(&walk, 3.0));
        assert!(!is_sidestep(&step_at(Side::Right, Vec3::new(0.2, 0.3, 0.05), 0, false), 3.0));
        assert!(is_sidestep(&step_at(Side::Right, Vec3::new(0.4, 0.1, 0.05), 0, false), 3.0));
    }

    #[test]
    fn a_rich_database_lacks_nothing() {
        let long = 1.2;
        let mut points = Vec::new();
        for start in [0.05, 0.1, 0.12, 0.5, long, long + 0.05, long + 0.1] {
            for end in [0.06, 0.1, 0.12, 0.5, long] {
                points.extend([[start, end, 0.0], [start, 0.02, end], [start, 0.0, -end], [start, -end, 0.0]]);
            }
        }
        let analysis = analyze_steps(&mirrored(&points), &AnalyzeOptions::default());
        for finding in &analysis.sides.left.findings {
            assert!(finding.is_fine(), "{finding:?}");
        }
        assert!(analysis.sides.left.coverage > 0.9, "{}", analysis.sides.left.coverage);
        assert!(analysis.shots.iter().all(|shot| shot.gain < 0.1), "{:?}", analysis.shots);
    }

    #[test]
    fn the_trochanter_is_as_high_as_the_hip_stands() {
        let analysis = analyze_steps(&WALK, &AnalyzeOptions::default());
        let height = analysis.trochanter_height;
        // Legs of our figure are about 0.87 m of 1.8.
        assert!((0.8..1.0).contains(&height), "{height}");
        assert_eq!(analysis.longest_step, height);
        assert_eq!(analysis.sides.left.n_steps, analysis.sides.right.n_steps);
    }

    #[test]
    fn shots_are_what_helps_most_and_lie_within_reach() {
        let points = [[0.2, 0.2, 0.5], [0.2, 0.2, 0.3], [0.25, 0.25, 0.4], [0.3, 0.1, 0.4], [0.2, 0.15, -0.1]];
        let database = mirrored(&points);
        let analysis = analyze_steps(&database, &AnalyzeOptions::default());
        assert!(!analysis.shots.is_empty() && analysis.shots.len() <= AnalyzeOptions::default().n_shots);
        assert!(analysis.shots.windows(2).all(|pair| pair[0].gain >= pair[1].gain));
        for shot in &analysis.shots {
            assert_eq!(shot.swing, None, "mirror images serve both feet");
            assert!(shot.to.length() <= 1.01 * analysis.longest_step, "{shot:?}");
        }
        // Recorded, they close what was open.
        let mut steps = database.steps().to_vec();
        for (k, shot) in analysis.shots.iter().enumerate() {
            steps.extend(Side::BOTH.map(|side| step_at(side, shot.point(), 1000 + k, side == Side::Right)));
        }
        let after = analyze_steps(&database_of(steps), &AnalyzeOptions::default());
        let [before, after] = [&analysis, &after].map(|analysis| analysis.sides.left.coverage);
        assert!(after > before + 0.2, "{before} {after}");
    }
}
