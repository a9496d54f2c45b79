//! Takes of one skeleton become a step database.
//!
//! Reference: STRIDE 3.1, the offline phase.
//!
//! 1. Segmentation of each take and, unless told otherwise, of its mirror image.
//! 2. Canonical steps, cleaned up.
//! 3. The spaces.

use super::canonical::canonical_step;
use super::{
    CanonicalStep, DatabaseError, DatabaseParts, LinearBody, Refusal, SegmentOptions, Segments, StepDatabase, StepSpan,
    segment_steps,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_contact::{Take, mirror_take};
use surefoot_geom::{Quat, Vec3, rotation};
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
        let segments = segment_steps(take, &self.options.segment);
        self.add_segments(name, take, &segments)
    }

    /// Adds its steps up and down alone. The steps between stairs are careful ones, and walks on the level show those better.
    pub fn add_climbs(&mut self, name: &str, take: &Take) -> &TakeSteps {
        let mut segments = segment_steps(take, &self.options.segment);
        segments.steps.retain(|step| step.from.y != step.support.y || step.to.y != step.support.y);
        self.add_segments(name, take, &segments)
    }

    fn add_segments(&mut self, name: &str, take: &Take, segments: &Segments) -> &TakeSteps {
        let name: Arc<str> = name.into();
        let filters = self.options.filters;
        let known = self.steps.len();
        for span in &segments.steps {
            self.steps.push(canonical_step(&self.body, take, &name, span, false, filters));
        }
        let n_climbing = self.steps[known..].iter().filter(|step| !step.is_level()).count();
        if self.options.mirror {
            let twin = mirror_take(take);
            for span in &segments.steps {
                self.steps.push(canonical_step(&self.body, &twin, &name, &mirror_span(span), true, filters));
            }
        }
        let mut refused = BTreeMap::new();
        for (_, reason) in &segments.refused {
            *refused.entry(*reason).or_insert(0) += 1;
        }
        self.takes.push(TakeSteps { name, n_steps: segments.steps.len(), n_climbing, refused });
        self.takes.last().expect("one was added")
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
