//! The verdict on a walk through a motion graph: how near it is to its path, and whether its feet and joints are those of a person.

use surefoot_contact::metrics::{Measures, measure_knees, measure_rotation_steps};
use surefoot_geom::{Vec2, ground_point};
use surefoot_graph::MotionSet;
use surefoot_ground::Path;
use surefoot_motion::{BodyMap, Clip};
use surefoot_plan::{Grade, GradeLimits, Verdict};

/// Farthest of the pelvis from the path, in metres: a walk sways by 5 cm and cuts corners by a step's width; who is a
/// metre away has lost the path.
const STRAY: GradeLimits = GradeLimits { check: 0.3, poor: LOST };
/// Distance of the last frame from the path's end, in metres: half a step, as `go` has it.
const MISSED_END: GradeLimits = GradeLimits { check: 0.35, poor: LOST };
/// A walk that is this far from its path or ends this far from its end has lost it, in metres.
const LOST: f64 = 1.0;
/// Drift of a planted heel or ball, in metres: what an eye sees from near, and from far.
const DRIFT: GradeLimits = GradeLimits { check: 0.01, poor: 0.05 };
/// Depth of a foot in the ground, in metres; as every verdict has it.
const PENETRATION: GradeLimits = GradeLimits { check: 0.002, poor: 0.02 };
/// Largest change of a joint's turn between frames, as a multiple of the largest in the graph's own clips: blends of clips
/// that match stay below the first.
const POPS: GradeLimits = GradeLimits { check: 1.5, poor: 4.0 };
/// Acceleration of knees, 99th percentile, as a multiple of that of the graph's own clips.
const KNEES: GradeLimits = GradeLimits { check: 1.5, poor: 4.0 };
/// Fastest turn that warping to the path adds, in radians a second: half a turn in a second looks like a spin.
const SPIN: GradeLimits = GradeLimits { check: std::f64::consts::PI, poor: 2.0 * std::f64::consts::TAU };

/// What a walk is judged by.
pub(crate) struct Followed<'a> {
    /// On the terrain and against the path.
    pub(crate) measures: &'a Measures,
    /// Distance of the last frame's pelvis from the path's end, in metres.
    pub(crate) end_distance: f64,
    /// The walk's own clip.
    pub(crate) clip: &'a Clip,
    /// What the graph was made of.
    pub(crate) source: &'a MotionSet,
    /// The fastest turn that warping added, in radians a second, and its frame.
    pub(crate) fastest_turn: Option<(f64, usize)>,
    /// Searches that were cut short.
    pub(crate) cut_short: usize,
    /// Height of the ground under the path, in metres.
    pub(crate) ground_height: f64,
}

/// How far the pelvis is from the path's end in the last frame, in metres.
pub(crate) fn end_distance(clip: &Clip, body: &BodyMap, path: &Path) -> f64 {
    let end = path.points.last().copied().unwrap_or(Vec2::ZERO);
    let poses = clip.world();
    poses.last().map_or(f64::INFINITY, |pose| ground_point(pose.position(body.pelvis)).distance(end))
}

impl Followed<'_> {
    /// Why the path is lost, if it is.
    pub(crate) fn lost_path(&self) -> Option<String> {
        let strayed = self.measures.path.map(|path| path.nearest_max).filter(|strayed| *strayed > LOST);
        if let Some(strayed) = strayed {
            return Some(format!("the path is lost: the pelvis is {strayed:.2} m from it"));
        }
        (self.end_distance > LOST)
            .then(|| format!("the path is lost: the walk ends {:.2} m from the path's end", self.end_distance))
    }

    /// In a word, and why.
    pub(crate) fn verdict(&self) -> Verdict {
        let mut reasons = self.path_reasons();
        if let Some(drift) = self.measures.drift.worst() {
            let (side, part) = drift.place;
            let text = format!(
                "the planted {} {} drifts by {:.1} cm in frame {}",
                side.name(),
                part.name(),
                100.0 * drift.value,
                drift.frame
            );
            reasons.push((DRIFT.grade(drift.value), text));
        }
        if let Some(deepest) = &self.measures.ground.deepest {
            let (side, point) = deepest.place;
            let text = format!(
                "the {} {} is {:.1} mm in the ground in frame {}",
                side.name(),
                point.name(),
                1000.0 * deepest.value,
                deepest.frame
            );
            reasons.push((PENETRATION.grade(deepest.value), text));
        }
        reasons.extend(self.measures.ground.off_terrain.map(|place| (Grade::Check, place.to_string())));
        reasons.extend(self.pops());
        if let Some((turn, frame)) = self.fastest_turn {
            let text =
                format!("warping to the path turns by {:.0} degrees a second in frame {frame}", turn.to_degrees());
            reasons.push((SPIN.grade(turn), text));
        }
        if self.cut_short > 0 {
            reasons.push((Grade::Check, format!("{} searches were cut short", self.cut_short)));
        }
        Verdict::of(reasons)
    }

    fn path_reasons(&self) -> Vec<(Grade, String)> {
        if let Some(lost) = self.lost_path() {
            return vec![(Grade::Poor, lost)];
        }
        let mut reasons = Vec::new();
        if let Some(path) = &self.measures.path {
            let text = format!("the pelvis is up to {:.0} cm from the path", 100.0 * path.nearest_max);
            reasons.push((STRAY.grade(path.nearest_max), text));
        }
        let text = format!("the walk ends {:.0} cm from the path's end", 100.0 * self.end_distance);
        reasons.push((MISSED_END.grade(self.end_distance), text));
        reasons
    }

    /// Pops that the clips of the graph do not have themselves.
    fn pops(&self) -> Vec<(Grade, String)> {
        let mut reasons = Vec::new();
        let clips = self.source.clips();
        let own_change = clips.iter().filter_map(|clip| measure_rotation_steps(clip).change).map(|of| of.worst.value);
        let own_change = own_change.fold(0.0, f64::max);
        if let Some(change) = self.measures.rotations.change.filter(|_| own_change > 0.0) {
            let times = change.worst.value / own_change;
            let text = format!(
                "{} pops in frame {}: {times:.1} times as much as anywhere in the graph's clips",
                self.clip.skeleton.name(change.worst.place),
                change.worst.frame
            );
            reasons.push((POPS.grade(times), text));
        }
        let knees = |clip: &Clip| measure_knees(&clip.world(), self.source.body(), clip.frame_rate).acceleration;
        let own_knees = clips.iter().filter_map(knees).map(|of| of.p99).fold(0.0, f64::max);
        if let Some(acceleration) = self.measures.knees.acceleration.filter(|_| own_knees > 0.0) {
            let times = acceleration.p99 / own_knees;
            let text = format!("knees accelerate {times:.1} times as much as in the graph's clips (99th percentile)");
            reasons.push((KNEES.grade(times), text));
        }
        reasons
    }
}
