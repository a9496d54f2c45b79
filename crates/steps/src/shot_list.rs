//! Which steps to record next.
//!
//! Reference: none; STRIDE 4.3 tells what is missing, this what to do about it.
//!
//! 1. Steps within a person's reach are sampled, by where the foot comes from and where it goes to as the person sees
//!    it, straight on or in a turn (a Halton sequence: the same each time, without clumps or holes).
//! 2. Those inside the hull of the database can be blended; those within a foot's size of a recorded step are as good
//!    as recorded.
//! 3. Of the others, the one is taken that brings most of them into the hull, then the next, until a shot helps no more
//!    (greedy cover). A point is in the hull of the database and one more step if the line from that step through the
//!    point meets the hull behind it.
//! 4. What [`super::analyze_steps`] found lacking at the extremes is added as shots of its own.
//! 5. A database with steps up and down is held against a usual stair ([`STAIR`]): onto it, from tread to tread and off it, up and down.
//!    Those of the six whose heights nobody recorded are added: walks on stairs would be `height-extrapolated` there.

use super::analyze::{AnalyzeOptions, Extreme, Finding, SwingEvent};
use super::{CanonicalStep, HEIGHT_TOLERANCE, StepDatabase};
use surefoot_geom::delaunay::{Delaunay, Location};
use surefoot_geom::{Vec2, Vec3};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::StepParameters;

/// Why a step should be recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShotReason {
    /// Many steps within reach cannot be blended without it.
    Gap,
    /// It mends what was found.
    Finding(Finding),
    /// Steps of these heights are missing.
    Height,
}

/// What kind of step it is, as one would tell an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Ahead.
    Forward,
    /// Back.
    Backward,
    /// To the side of the foot that steps.
    Outward,
    /// Toward the standing foot, or past it.
    Inward,
}

/// A step to record. Places are of the ball, from that of the standing foot: x to the side of the foot that steps, y
/// ahead, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// The foot that steps; `None` if mirror images make it serve both.
    pub swing: Option<Side>,
    /// What kind of step.
    pub kind: StepKind,
    /// Where the foot starts.
    pub from: Vec2,
    /// Where it ends.
    pub to: Vec2,
    /// Heights where it starts and ends, above the standing foot, in metres; 0 on the level.
    pub heights: [f64; 2],
    /// How far the person turns meanwhile, toward the side of the foot that steps, in radians.
    pub turn: f64,
    /// How many of this kind are needed.
    pub n_times: usize,
    /// Share of all steps within reach that can be blended with it and could not before.
    pub gain: f64,
    /// Why.
    pub reason: ShotReason,
}

impl Shot {
    /// The point in the space of parameters.
    pub fn point(&self) -> Vec3 {
        point_of(self.from, self.to)
    }

    /// Whether the foot starts or ends past the standing one.
    pub fn crosses(&self) -> bool {
        self.from.x < CROSSED || self.to.x < CROSSED
    }
}

/// A foot this far past the other has crossed it, in metres.
const CROSSED: f64 = -0.05;

/// Shots, and the share of steps within reach that can be blended already.
pub(super) struct ShotList {
    pub(super) shots: Vec<Shot>,
    pub(super) coverage: PerSide<f64>,
}

/// Steps that are sampled.
const N_REACHABLE: usize = 2000;
/// Most of them that are tried as shots, each time.
const N_TRIED: usize = 150;
/// A shot that helps less is not worth a recording.
const LEAST_GAIN: f64 = 0.002;

/// How far feet reach from each other, as shares of the longest step: ahead, behind, outward, and across the other
/// foot. Steps ahead may be as long as the longest; steps back, to the side and across are shorter by what hips and
/// knees allow.
const AHEAD: f64 = 1.0;
const BEHIND: f64 = 0.75;
const OUTWARD: f64 = 0.85;
const ACROSS: f64 = 0.4;
/// Feet side by side have their balls at least this far apart, in metres.
const BESIDE: f64 = 0.08;
/// A foot that crosses the other must pass in front or behind, by this many sizes of a foot.
const PASSING: f64 = 1.7;
/// A foot that is farther out than this share of the longest step before and after, in one direction, shuffles in a
/// lunge; nobody walks so.
const STAY: f64 = 0.4;
/// Most that a person turns within a step, in radians.
const MAX_TURN: f64 = std::f64::consts::FRAC_PI_3;

/// A step within reach.
#[derive(Clone, Copy)]
struct Reachable {
    from: Vec2,
    to: Vec2,
    turn: f64,
    point: Vec3,
}

pub(super) fn shot_list(
    database: &StepDatabase,
    findings: &PerSide<Vec<Finding>>,
    longest_step: f64,
    options: &AnalyzeOptions,
) -> ShotList {
    let reachable = reachable_steps(longest_step, options.foot);
    let mirrored = |side: Side| {
        let steps = database.space(side).steps().iter();
        steps.filter(|&&step| database.steps()[step].source.mirrored).count()
    };
    let counts = Side::BOTH.map(|side| database.space(side).steps().len());
    let is_symmetric = counts[0] == counts[1] && mirrored(Side::Left) + mirrored(Side::Right) == counts[0];
    let mut coverage = PerSide::default();
    let mut shots = Vec::new();
    for side in Side::BOTH {
        let points = database.space(side).delaunay();
        let open = open_steps(&reachable, points, options.foot);
        coverage[side] = 1.0 - open.len() as f64 / reachable.len() as f64;
        if is_symmetric && side == Side::Right {
            continue;
        }
        let swing = (!is_symmetric).then_some(side);
        // A dead end is mended by steps of the other foot, which go on from it.
        let next = (!is_symmetric).then_some(side.opposite());
        let mut side_shots =
            mending_shots(&findings[side], [swing, next], longest_step, points, &open, reachable.len());
        side_shots.extend(gap_shots(points, open, swing, reachable.len(), options));
        shots.append(&mut side_shots);
    }
    shots.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let climbs = missing_heights(database, is_symmetric, options);
    let n_climbs = climbs.len().min(options.n_shots / 2);
    shots.truncate(options.n_shots - n_climbs);
    shots.extend(climbs.into_iter().take(n_climbs));
    ShotList { shots, coverage }
}

/// Of steps within reach, those that cannot be blended and are not nearly recorded.
fn open_steps(reachable: &[Reachable], delaunay: &Delaunay, foot: f64) -> Vec<Reachable> {
    let is_open = |step: &&Reachable| {
        let nearest = delaunay.nearest_vertex(step.point);
        let is_near = nearest.is_some_and(|v| delaunay.points()[v as usize].distance(step.point) <= foot);
        !is_near && !matches!(delaunay.locate(step.point, None), Location::Inside(_))
    };
    reachable.iter().filter(is_open).copied().collect()
}

/// Greedy cover of what is open.
fn gap_shots(
    delaunay: &Delaunay,
    mut open: Vec<Reachable>,
    swing: Option<Side>,
    n_reachable: usize,
    options: &AnalyzeOptions,
) -> Vec<Shot> {
    let mut hull = Hull::of(delaunay.points());
    let mut shots = Vec::new();
    while shots.len() < options.n_shots && !open.is_empty() {
        let every = open.len().div_ceil(N_TRIED);
        let tried = open.iter().step_by(every);
        let gains = tried.map(|shot| (open.iter().filter(|step| hull.gains(shot.point, step.point)).count(), *shot));
        // The first of equals, so that the answer is the same each time.
        let best = gains.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((n_gained, shot)) = best else { break };
        let gain = n_gained as f64 / n_reachable as f64;
        if gain < LEAST_GAIN {
            break;
        }
        open.retain(|step| !hull.gains(shot.point, step.point));
        hull.add(shot.point);
        let kind = kind_of(shot.from, shot.to);
        let Reachable { from, to, turn, .. } = shot;
        let reason = ShotReason::Gap;
        shots.push(Shot { swing, kind, from, to, heights: [0.0; 2], turn, n_times: 1, gain, reason });
    }
    shots
}

/// Shots for findings that are not fine.
fn mending_shots(
    findings: &[Finding],
    [swing, next]: [Option<Side>; 2],
    longest: f64,
    delaunay: &Delaunay,
    open: &[Reachable],
    n_reachable: usize,
) -> Vec<Shot> {
    let hull = Hull::of(delaunay.points());
    let shot = |finding: &Finding| {
        let (who, from, to, n_times) = match *finding {
            Finding::Width { event: SwingEvent::Start, extreme: Extreme::Small, wanted, .. } => {
                (swing, Vec2::new(0.9 * wanted, 0.0), Vec2::new(0.9 * wanted, 0.4 * longest), 1)
            }
            Finding::Width { event: SwingEvent::Start, extreme: Extreme::Wide, wanted, .. } => {
                (swing, Vec2::new(0.1, -wanted), Vec2::new(0.1, 0.6 * longest), 1)
            }
            Finding::Width { event: SwingEvent::End, extreme: Extreme::Small, wanted, .. } => {
                (swing, Vec2::new(0.1, -0.4 * longest), Vec2::new(0.9 * wanted, 0.0), 1)
            }
            Finding::Width { event: SwingEvent::End, extreme: Extreme::Wide, wanted, .. } => {
                (swing, Vec2::new(0.1, -0.6 * longest), Vec2::new(0.1, wanted), 1)
            }
            Finding::Sidesteps { n_steps, needed } => {
                (swing, Vec2::new(0.15, 0.0), Vec2::new(0.5 * longest, 0.0), needed.saturating_sub(n_steps))
            }
            Finding::SmallSidestep { event: SwingEvent::Start, wanted, .. } => {
                (swing, Vec2::new(0.9 * wanted, 0.0), Vec2::new(0.5 * longest, 0.0), 1)
            }
            Finding::SmallSidestep { event: SwingEvent::End, wanted, .. } => {
                (swing, Vec2::new(0.5 * longest, 0.0), Vec2::new(0.9 * wanted, 0.0), 1)
            }
            Finding::DeadEnd { extreme: Extreme::Wide, width, n_starting, needed, .. } => {
                (next, Vec2::new(0.1, -width), Vec2::new(0.1, 0.5 * longest), needed.saturating_sub(n_starting))
            }
            Finding::DeadEnd { extreme: Extreme::Small, width, n_starting, needed, .. } => {
                (next, Vec2::new(width, 0.0), Vec2::new(0.1, 0.5 * longest), needed.saturating_sub(n_starting))
            }
            // More of the extreme are recorded with the extreme.
            Finding::Density { .. } => return None,
        };
        let point = point_of(from, to);
        let n_gained = open.iter().filter(|step| hull.gains(point, step.point)).count();
        Some(Shot {
            swing: who,
            kind: kind_of(from, to),
            from,
            to,
            heights: [0.0; 2],
            turn: 0.0,
            n_times,
            gain: n_gained as f64 / n_reachable as f64,
            reason: ShotReason::Finding(*finding),
        })
    };
    findings.iter().filter(|finding| !finding.is_fine()).filter_map(shot).collect()
}

/// Riser and tread of a usual stair, in metres.
const STAIR: [f64; 2] = [0.17, 0.28];
/// How far a foot is to the side of the other on stairs, in metres.
const ASIDE: f64 = 0.15;

/// The steps of a usual stair that are missing in a database which has steps up and down. Foot by foot, unless mirror images make one
/// serve both.
fn missing_heights(database: &StepDatabase, is_symmetric: bool, options: &AnalyzeOptions) -> Vec<Shot> {
    if database.steps().iter().all(CanonicalStep::is_level) {
        return Vec::new();
    }
    let [riser, tread] = STAIR;
    // From the floor, from tread to tread, to the floor; each up and down.
    let stairs = [1.0, -1.0].map(|up| [[0.0, up], [-up, up], [-up, 0.0]]).concat();
    let sides = if is_symmetric { &[Side::Left][..] } else { &Side::BOTH };
    let shot = |side: Side, heights: [f64; 2]| {
        let recorded = database.space(side).steps().iter().filter(|&&step| {
            let own = database.steps()[step].heights;
            own.iter().zip(heights).all(|(own, asked)| (own - asked).abs() <= HEIGHT_TOLERANCE)
        });
        let n_times = options.least_steps.saturating_sub(recorded.count());
        let (from, to) = (Vec2::new(ASIDE, -tread), Vec2::new(ASIDE, tread));
        let (swing, kind) = ((!is_symmetric).then_some(side), StepKind::Forward);
        let shot = Shot { swing, kind, from, to, heights, turn: 0.0, n_times, gain: 0.0, reason: ShotReason::Height };
        (n_times > 0).then_some(shot)
    };
    let of_side = |&side: &Side| stairs.iter().filter_map(move |stair| shot(side, stair.map(|up| riser * up)));
    sides.iter().flat_map(of_side).collect()
}

fn point_of(from: Vec2, to: Vec2) -> Vec3 {
    let [from, to] = [from, to].map(|place| Vec3::new(place.x, 0.0, place.y));
    StepParameters::from_places(Side::Left, from, to).point()
}

fn kind_of(from: Vec2, to: Vec2) -> StepKind {
    let moved = to - from;
    match (moved.x.abs() > moved.y.abs(), moved) {
        (true, Vec2 { x, .. }) if x > 0.0 => StepKind::Outward,
        (true, _) => StepKind::Inward,
        (false, Vec2 { y, .. }) if y > 0.0 => StepKind::Forward,
        _ => StepKind::Backward,
    }
}

/// Steps that a person can take.
fn reachable_steps(longest: f64, foot: f64) -> Vec<Reachable> {
    let place = |u: f64, v: f64, ahead: f64, behind: f64| {
        let (u, v) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        if u * u + v * v > 1.0 {
            return None;
        }
        let place =
            Vec2::new(if u > 0.0 { u * OUTWARD } else { u * ACROSS }, if v > 0.0 { v * ahead } else { v * behind });
        let place = place * longest;
        (place.x >= BESIDE || place.y.abs() >= PASSING * foot).then_some(place)
    };
    let step = |index: usize| {
        let [a, b, c, d, e] = [2, 3, 5, 7, 11].map(|base| halton(index, base));
        // Where one comes from in a step ahead lies behind.
        let from = place(a, b, BEHIND, AHEAD)?;
        let ahead = place(c, d, AHEAD, BEHIND)?;
        let stays_out = |a: f64, b: f64| a.min(b) > STAY * longest;
        let is_shuffle = stays_out(from.y, ahead.y) || stays_out(-from.y, -ahead.y) || stays_out(from.x, ahead.x);
        if is_shuffle || (from.x < CROSSED && ahead.x < CROSSED) {
            return None;
        }
        // Half of all steps go straight on.
        let turn = if e < 0.5 { 0.0 } else { (4.0 * e - 3.0) * MAX_TURN };
        // Toward x, the side of the foot that steps.
        let to = Vec2::from_angle(-turn).rotate(ahead);
        Some(Reachable { from, to, turn, point: point_of(from, to) })
    };
    (1..).filter_map(step).take(N_REACHABLE).collect()
}

/// The radical inverse of an index: its digits mirrored at the point.
fn halton(mut index: usize, base: usize) -> f64 {
    let (mut value, mut share) = (0.0, 1.0);
    while index > 0 {
        share /= base as f64;
        value += share * (index % base) as f64;
        index /= base;
    }
    value
}

/// A convex hull as half-spaces; without any if the points span no volume.
struct Hull {
    corners: Vec<Vec3>,
    /// Outward normal and offset.
    planes: Vec<(Vec3, f64)>,
}

impl Hull {
    fn of(points: &[Vec3]) -> Hull {
        let delaunay = Delaunay::new(points).expect("finite points");
        let plane = |facet| {
            let [a, b, c] = delaunay.facet_vertices(facet).map(|vertex| points[vertex as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            (normal, normal.dot(a))
        };
        let planes = delaunay.hull_facets().map(plane).collect();
        let corners = match delaunay.dimension() {
            3 => delaunay.hull_vertices().iter().map(|&vertex| points[vertex as usize]).collect(),
            _ => points.to_vec(),
        };
        Hull { corners, planes }
    }

    fn add(&mut self, point: Vec3) {
        self.corners.push(point);
        *self = Hull::of(&self.corners);
    }

    /// Whether a point is in the hull of this and one more corner.
    fn gains(&self, corner: Vec3, point: Vec3) -> bool {
        if corner == point {
            return true;
        }
        if self.planes.is_empty() {
            return false;
        }
        // The part of the line from the corner through the point, at and behind the point (1 on), that is in the hull.
        let way = point - corner;
        let (mut first, mut last) = (1.0, f64::INFINITY);
        for (normal, offset) in &self.planes {
            let (slope, room) = (normal.dot(way), offset - normal.dot(corner));
            if slope > 0.0 {
                last = f64::min(last, room / slope);
            } else if slope < 0.0 {
                first = f64::max(first, room / slope);
            } else if room < 0.0 {
                return false;
            }
            if first > last {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_gains_what_lies_between_it_and_the_hull() {
        let cube: Vec<Vec3> =
            (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
        let hull = Hull::of(&cube);
        let corner = Vec3::new(3.0, 0.5, 0.5);
        for (point, gained) in
            [([2.0, 0.5, 0.5], true), ([1.5, 0.8, 0.5], true), ([3.1, 0.5, 0.5], false), ([2.9, 0.9, 0.5], false)]
        {
            assert_eq!(hull.gains(corner, Vec3::from_array(point)), gained, "{point:?}");
        }
        // The same as the hull of all nine.
        let mut all = Hull::of(&cube);
        all.add(corner);
        let inside = |p: Vec3| all.planes.iter().all(|(normal, offset)| normal.dot(p) <= offset + 1e-12);
        for k in 1..500 {
            let p = Vec3::new(4.0 * halton(k, 2) - 0.5, 2.0 * halton(k, 3) - 0.5, 2.0 * halton(k, 5) - 0.5);
            assert_eq!(hull.gains(corner, p), inside(p), "{p}");
        }
    }

    #[test]
    fn steps_within_reach_are_spread_and_possible() {
        let steps = reachable_steps(0.95, 0.15);
        assert_eq!(steps.len(), N_REACHABLE);
        let count = |is: &dyn Fn(&Reachable) -> bool| steps.iter().filter(|step| is(step)).count();
        assert!(steps.iter().all(|step| step.to.length() <= 0.951 && step.from.length() <= 0.951));
        for kind in [StepKind::Forward, StepKind::Backward, StepKind::Outward, StepKind::Inward] {
            assert!(count(&|step| kind_of(step.from, step.to) == kind) > 200, "{kind:?}");
        }
        assert!(count(&|step| step.turn > 0.5) > 100 && count(&|step| step.turn < -0.5) > 100);
        assert!(count(&|step| step.to.x < CROSSED) > 100);
        // A turn toward the side of the foot brings what is ahead to that side.
        assert!(Vec2::from_angle(-0.5).rotate(Vec2::Y).x > 0.0);
    }
}
