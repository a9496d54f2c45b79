//! The job `compose score`: plans made of labelled stances alone, recognised by what recordings of other actors taught.

use crate::build_behaviours_job::read_labels;
use crate::check_labels_job::ConfusionReport;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::recognise_job::{MethodName, load_behaviours};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{RecognitionScore, plan_of_labels};
use surefoot_contact::Behaviour;
use surefoot_steps::actor_of;

/// Which labels to recognise, by which database.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRecognitionRequest {
    /// The database of behaviours. Recordings of the actor whose plans are recognised are left out.
    pub db: PathBuf,
    /// The labels, with places and headings.
    pub labels: PathBuf,
    /// By which method.
    #[serde(default)]
    pub method: MethodName,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose score` reports. Only labels of confidence 0.7 and above count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreRecognitionReport {
    /// Plans.
    pub clips: usize,
    /// Footprints that count.
    pub footprints: usize,
    /// With the right behaviour.
    pub right: usize,
    /// Footprints of jumps.
    pub jumps: usize,
    /// With the right behaviour, take-off and landing.
    pub right_feet: usize,
    /// What was taken for what.
    pub confusion: ConfusionReport,
    /// For each actor: footprints that count, and those that are right.
    pub actors: Vec<ActorScore>,
    /// What is wrong.
    pub wrong: Vec<WrongFootprint>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// The score of one actor, whose recordings were left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorScore {
    /// The actor.
    pub actor: String,
    /// Footprints that count.
    pub footprints: usize,
    /// With the right behaviour.
    pub right: usize,
}

/// A footprint that was taken for something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongFootprint {
    /// The recording.
    pub clip: String,
    /// 0-based.
    pub footprint: usize,
    /// Its label, with take-off and landing.
    pub given: String,
    /// What it was taken for.
    pub found: String,
    /// Why.
    pub reason: String,
}

impl JobReport for ScoreRecognitionReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for ScoreRecognitionRequest {
    const COMMAND: &'static str = "compose score";
    type Report = ScoreRecognitionReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.db, &self.labels]
    }

    fn run(&self, context: &JobContext) -> Result<ScoreRecognitionReport, JobError> {
        let outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let database = load_behaviours(&self.db)?;
        let labels = read_labels(&self.labels)?;
        let mut actors: Vec<&str> = labels.iter().map(|clip| actor_of(&clip.file)).collect();
        actors.sort_unstable();
        actors.dedup();
        let (mut score, mut rows, mut wrong, mut clips) = (RecognitionScore::default(), Vec::new(), Vec::new(), 0);
        for (index, actor) in actors.iter().enumerate() {
            context.advance(index as u64, actors.len() as u64, actor)?;
            let recogniser = self.method.learn(&database.without_actor(actor), &self.db)?;
            let before = (score.n_prints, score.n_right);
            for clip in labels.iter().filter(|clip| actor_of(&clip.file) == *actor) {
                let plan = plan_of_labels(clip).ok_or_else(|| {
                    JobError::of_file("labels", &self.labels, format!("{}: a stance without ball_m", clip.file))
                })?;
                let stem = clip.file.rsplit_once('.').map_or(clip.file.as_str(), |(stem, _)| stem);
                let known = database.clips().iter().find(|known| known.name == stem);
                let legs = known.map_or(USUAL_LEGS, |known| known.leg_length);
                let decisions = recogniser.recognise(&plan, legs)?;
                clips += 1;
                score.count(clip, &decisions);
                wrong.extend(score.wrong.iter().map(|&footprint| {
                    let (label, decision) = (&clip.labels[footprint], &decisions[footprint]);
                    let feet = |feet: Option<[surefoot_compose::Feet; 2]>| {
                        feet.map_or_else(String::new, |[from, to]| format!(" from {} to {}", from.name(), to.name()))
                    };
                    WrongFootprint {
                        clip: stem.to_string(),
                        footprint,
                        given: label.label.name().to_string() + &feet(label.feet),
                        found: decision.behaviour.name().to_string() + &feet(decision.feet),
                        reason: decision.reason.to_string(),
                    }
                }));
            }
            rows.push(ActorScore {
                actor: actor.to_string(),
                footprints: score.n_prints - before.0,
                right: score.n_right - before.1,
            });
        }
        let count = |given: Behaviour, found: Option<Behaviour>| {
            found.and_then(|found| score.confusion.get(&(given, found)).copied()).unwrap_or(0)
        };
        let report = ScoreRecognitionReport {
            clips,
            footprints: score.n_prints,
            right: score.n_right,
            jumps: score.n_jumps,
            right_feet: score.n_feet,
            confusion: ConfusionReport::of(count),
            actors: rows,
            wrong,
            files: outputs.files(),
        };
        finish(outputs, ScoreRecognitionRequest::COMMAND, report, self.report.as_deref())
    }
}

/// Thigh plus shin of an adult, in metres.
pub(crate) const USUAL_LEGS: f64 = 0.85;
