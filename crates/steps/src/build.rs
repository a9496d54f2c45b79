//! Takes of one skeleton become a step database.
//!
//! Reference: STRIDE 3.1, the offline phase.
//!
//! 1. Segmentation of each take and, unless told otherwise, of its mirror image.
//! 2. Canonical steps, cleaned up.
//! 3. The spaces.

use super::canonical::canonical_step;
use super::{
    CanonicalStep, DatabaseError, DatabaseParts, LinearBody, Refusal, SegmentOptions, StepDatabase, StepSpan,
    segment_steps,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_contact::{Take, mirror_take};
use surefoot_geom::{Quat, Vec3, map_in_parallel, rotation};
use surefoot_motion::fit_knee_axes;
use surefoot_motion::{BodyMap, Skeleton};

/// How to build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildOptions {
    /// Whether each take is added a second time with left and right exchanged. Default true: it doubles the steps and
    /// makes both feet equally able.
    pub mirror: bool,
    /// What counts as a step.
    pub segment: SegmentOptions,
    /// Whether steps are filtered on entry (`steady`). Default true: noise of a recording is in every walk that is blended of it.
    pub filters: bool,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { mirror: true, segment: SegmentOptions::default(), filters: true }
    }
}

/// What became of one take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeSteps {
    /// The take.
    pub name: Arc<str>,
    /// How many steps it gave, without mirror images.
    pub n_steps: usize,
    /// How many of them go up or down.
    pub n_climbing: usize,
    /// How many swings were refused, by reason.
    pub refused: BTreeMap<Refusal, usize>,
}

/// Collects steps take by take.
pub struct StepCollector {
    body: LinearBody,
    map: BodyMap,
    knee_axes: surefoot_motion::PerSide<surefoot_geom::Vec3>,
    means: Vec<Quat>,
    options: BuildOptions,
    steps: Vec<CanonicalStep>,
    takes: Vec<TakeSteps>,
}

impl StepCollector {
    /// For takes of one skeleton; `typical` is one of them, which knees' axes and mean rotations are read from.
    pub fn new(skeleton: Arc<Skeleton>, body: BodyMap, typical: &Take, options: BuildOptions) -> StepCollector {
        let knee_axes = fit_knee_axes(&typical.clip, &body);
        let means = mean_rotations(typical);
        let linear = LinearBody::new(skeleton, body.clone(), &knee_axes, &means);
        StepCollector { body: linear, map: body, knee_axes, means, options, steps: Vec::new(), takes: Vec::new() }
    }

    /// For more steps of a database's skeleton.
    pub fn extend(database: &StepDatabase, options: BuildOptions) -> StepCollector {
        let DatabaseParts { body, knee_axes, means, steps, .. } = database.parts().clone();
        StepCollector { body: database.body().clone(), map: body, knee_axes, means, options, steps, takes: Vec::new() }
    }

    /// The same for takes that follow, with other options.
    pub fn with_options(self, options: BuildOptions) -> StepCollector {
        StepCollector { options, ..self }
    }

    /// Adds the steps of a take of the same skeleton, and tells what became of it.
    pub fn add(&mut self, name: &str, take: &Take) -> &TakeSteps {
        self.add_all(&[(name, take)], |_| true);
        self.takes.last().expect("one was added")
    }

    /// Adds the steps of takes of the same skeleton that are wanted, in their order.
    pub fn add_all(&mut self, takes: &[(&str, &Take)], is_wanted: impl Fn(&StepSpan) -> bool + Sync) {
        for (steps, report) in map_in_parallel(takes, |(name, take)| self.steps_of(name, take, &is_wanted)) {
            self.steps.extend(steps);
            self.takes.push(report);
        }
    }

    /// The steps of a take, with those of its mirror image after them.
    fn steps_of(
        &self,
        name: &str,
        take: &Take,
        is_wanted: impl Fn(&StepSpan) -> bool,
    ) -> (Vec<CanonicalStep>, TakeSteps) {
        let name: Arc<str> = name.into();
        let mut segments = segment_steps(take, &self.options.segment);
        segments.steps.retain(is_wanted);
        let step = |take: &Take, span: &StepSpan, mirrored: bool| {
            canonical_step(&self.body, take, &name, span, mirrored, self.options.filters)
        };
        let mut steps: Vec<CanonicalStep> = segments.steps.iter().map(|span| step(take, span, false)).collect();
        let n_climbing = steps.iter().filter(|step| !step.is_level()).count();
        if self.options.mirror {
            let twin = mirror_take(take);
            steps.extend(segments.steps.iter().map(|span| step(&twin, &mirror_span(span), true)));
        }
        let mut refused = BTreeMap::new();
        for (_, reason) in &segments.refused {
            *refused.entry(*reason).or_insert(0) += 1;
        }
        (steps, TakeSteps { name, n_steps: segments.steps.len(), n_climbing, refused })
    }

    /// The body that steps are of.
    pub fn body(&self) -> &LinearBody {
        &self.body
    }

    /// What became of each take.
    pub fn takes(&self) -> &[TakeSteps] {
        &self.takes
    }

    /// The database of all steps added.
    pub fn finish(self) -> Result<StepDatabase, DatabaseError> {
        let skeleton = self.body.skeleton().clone();
        let (body, knee_axes, means, steps) = (self.map, self.knee_axes, self.means, self.steps);
        StepDatabase::new(DatabaseParts { skeleton, body, knee_axes, means, steps })
    }
}

/// The same step of the mirrored take. Cut anew, a step at the edge of a limit might be in one take and not in the
/// other.
fn mirror_span(span: &StepSpan) -> StepSpan {
    let reflect = |place: Vec3| Vec3::new(-place.x, place.y, place.z);
    StepSpan {
        swing: span.swing.opposite(),
        support: reflect(span.support),
        from: reflect(span.from),
        to: reflect(span.to),
        headings: span.headings.map(|heading| -heading),
        ..span.clone()
    }
}

/// Frames that mean rotations are taken from.
const MAX_MEAN_FRAMES: usize = 200;

/// The mean local rotation of each joint over a take.
fn mean_rotations(take: &Take) -> Vec<Quat> {
    let clip = &take.clip;
    let every = clip.n_frames().div_ceil(MAX_MEAN_FRAMES).max(1);
    let of_joint = |joint| {
        let rotations: Vec<Quat> = clip.poses().iter().step_by(every).map(|pose| pose[joint].rotation).collect();
        rotation::weighted_mean(&rotations, &vec![1.0; rotations.len()])
    };
    clip.skeleton.ids().map(of_joint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn steps_of_the_mirrored_take_are_the_mirrored_steps() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let options = SegmentOptions::default();
        let segments = segment_steps(&walk.take, &options);
        let twin = segment_steps(&mirror_take(&walk.take), &options);
        assert_eq!(segments.steps.len(), twin.steps.len());
        for (span, found) in segments.steps.iter().map(mirror_span).zip(&twin.steps) {
            assert_eq!(
                (span.swing, &span.frames, span.lift, span.land),
                (found.swing, &found.frames, found.lift, found.land)
            );
            for (a, b) in [(span.support, found.support), (span.from, found.from), (span.to, found.to)] {
                assert!(a.distance(b) < 1e-9, "{a} {b}");
            }
            for (a, b) in span.headings.iter().zip(found.headings) {
                assert!((a - b).abs() < 1e-9, "{a} {b}");
            }
        }
    }
}
