//! The job `clean`: footskate cleanup of a motion, with every metric before and after.

use crate::character::{CharacterReport, LoadedCharacter};
use crate::clean::CleanForm;
use crate::cleanup_step::{CleanupRequest, EditedMotion, EditedReport};
use crate::contacts_job::check_svg;
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::measure_job::{check_gate_needs, read};
use crate::measure_report::GateReport;
use crate::metric_row::{MetricChange, pair_metrics};
use crate::motion_output::MotionOutput;
use crate::motion_source::{ContactsReport, ContactsSource, MotionSource};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::retarget_job::missing_sentence;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use surefoot_cleanup::footskate::{MAX_STRETCH, Pops, Spans};
use surefoot_cleanup::{Restored, restore};
use surefoot_contact::metrics::{Family, Gate, MeasureOptions, Metric, Reference, check_gate, measure_take};
use surefoot_contact::{DetectOptions, Take, bridge_dead, cut_dead};
use surefoot_formats::own;
use surefoot_ground::Terrain;
use surefoot_picture::{CleanupPlot, cleanup_plot};

/// Which motion to clean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CleanRequest {
    /// The motion.
    pub input: InputRequest,
    /// The character to play it on before it is cleaned. Default: its own skeleton.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// Where it goes.
    pub output: MotionOutput,
    /// How it is cleaned.
    #[serde(default)]
    pub cleanup: CleanupRequest,
    /// Clean frame by frame, as a stream would be; the result is the same.
    #[serde(default)]
    pub online: bool,
    /// What becomes of frames that are no motion.
    #[serde(default)]
    pub dead: DeadMotion,
    /// Restore the motion first: noise, drift of the root and a wrong scale are taken out.
    #[serde(default)]
    pub restore: bool,
    /// What to do where legs would pop and did not before.
    #[serde(default)]
    pub pops: PopsRequest,
    /// Where the contacts of the result go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where heights and drift of heels and balls, knees and pelvis go, before and after, as SVG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Limits on the metrics of the result; the motion before is the reference.
    #[serde(default)]
    pub gate: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What to do where legs would pop and did not before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PopsRequest {
    /// Nothing.
    Keep,
    /// Solve legs again; plants stay exact.
    Calm,
    /// And where that does not help, let plants give way by millimetres.
    #[default]
    Yield,
}

impl From<PopsRequest> for Pops {
    fn from(request: PopsRequest) -> Pops {
        match request {
            PopsRequest::Keep => Pops::Keep,
            PopsRequest::Calm => Pops::Calm,
            PopsRequest::Yield => Pops::Yield,
        }
    }
}

/// What becomes of frames that are no motion. Nothing is planted in them, whatever else is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeadMotion {
    /// They stay as they are.
    #[default]
    Keep,
    /// The longest part without them is kept.
    Cut,
    /// Frozen frames become motion from the pose before them to the one after.
    Bridge,
}

impl DeadMotion {
    /// Does it, and returns the frames that are left and those that were bridged.
    fn apply(self, take: &mut Take) -> (Option<[usize; 2]>, Vec<[usize; 2]>) {
        let ends = |frames: Range<usize>| [frames.start, frames.end];
        match self {
            DeadMotion::Keep => (None, Vec::new()),
            DeadMotion::Cut => {
                let Some((cut, kept)) = cut_dead(take) else { return (None, Vec::new()) };
                *take = cut;
                (Some(ends(kept)), Vec::new())
            }
            DeadMotion::Bridge => {
                let (whole, bridged) = bridge_dead(take);
                *take = whole;
                (None, bridged.into_iter().map(ends).collect())
            }
        }
    }
}

/// What `clean` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CleanReport {
    /// The motion that was read.
    pub input: InputReport,
    /// The character; absent if none was named.
    pub on: Option<CharacterReport>,
    /// Its contacts.
    pub contacts: ContactsReport,
    /// The frames that were kept, half-open, if dead ones were cut off; all other frame numbers count from the first of them.
    #[serde(default)]
    pub kept_frames: Option<[usize; 2]>,
    /// Dead frames that became motion, half-open.
    #[serde(default)]
    pub bridged_frames: Vec<[usize; 2]>,
    /// What restoration found and took out; absent if it was not requested.
    #[serde(default)]
    pub restored: Option<RestoreReport>,
    /// How many frames a stream is behind; absent if it was not cleaned as one.
    pub delay_frames: Option<usize>,
    /// Every metric before and after, on the same ground and with the same plants.
    pub metrics: Vec<MetricChange>,
    /// What to look at: legs that do not reach, feet in the ground.
    pub warnings: Vec<String>,
    /// The limits, and whether they hold; absent without a gate.
    #[serde(default)]
    pub gate: Option<GateReport>,
    /// The motion that was written.
    pub written: EditedReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What restoration found and took out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreReport {
    /// The usual noise of joints: the median of their standard deviations per axis, in degrees.
    pub joint_noise_degrees: f64,
    /// The usual noise of the root along each axis, in millimetres.
    pub root_noise_mm: f64,
    /// What the root's trajectory was scaled by; 1 if it fitted the legs.
    pub scale: f64,
    /// The farthest that the root was moved along the ground, in millimetres.
    pub drift_mm: f64,
    /// What the root was lifted by, the median, in millimetres; negative if it was lowered.
    pub lift_mm: f64,
}

impl RestoreReport {
    fn new(restored: &Restored) -> RestoreReport {
        RestoreReport {
            joint_noise_degrees: restored.joint_noise.to_degrees(),
            root_noise_mm: restored.root_noise * 1000.0,
            scale: restored.scale,
            drift_mm: restored.drift * 1000.0,
            lift_mm: restored.lift * 1000.0,
        }
    }
}

impl JobReport for CleanReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        self.gate.as_ref()?.not_met()
    }
}

impl Job for CleanRequest {
    const COMMAND: &'static str = "clean";
    type Report = CleanReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.picture, &self.report])
    }

    fn run(&self, context: &JobContext) -> Result<CleanReport, JobError> {
        self.output.format()?;
        if self.restore && self.online {
            let message = "restoring needs the complete motion, a stream has a part of it: restore or online, not both";
            return Err(JobError::new("request", message));
        }
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let gate = self.read_gate()?;
        let mut cleanup = self.cleanup.prepare_for(&self.output)?;
        cleanup.options.pops = self.pops.into();
        let mut source = MotionSource::load(&self.input, &DetectOptions::default())?;
        let character = self.on.as_ref().map(LoadedCharacter::load).transpose()?;
        let mut missing = None;
        if let Some(character) = &character {
            missing = missing_sentence(&source, None);
            source.take = character.play(&source.take)?;
        }
        let (kept_frames, bridged_frames) = self.dead.apply(&mut source.take);
        context.advance(1, 3, "cleanup")?;
        let form = if self.online { CleanForm::Online } else { CleanForm::Offline };
        let restored = self.restore.then(|| {
            // The pelvis was solved for the plants: what is left to move is the pelvis's too.
            cleanup.options.root_follows = self.cleanup.root_follows.unwrap_or(1.0);
            restore(&source.take, source.contacts_from != ContactsSource::Detected, cleanup.terrain.as_ref())
        });
        if let Some(restored) = &restored {
            source.take.contacts = restored.take.contacts.clone();
            source.take.contacts.place_plants(&source.take.clip.world(), &source.take.body);
        }
        let edited = cleanup.apply(restored.as_ref().map_or(&source.take, |restored| &restored.take), form);
        context.advance(2, 3, "metrics")?;
        let terrain = edited.terrain.clone().unwrap_or_default();
        let [before, after] = measure_both(&source.take, &edited.take, &terrain);
        let metrics = pair_metrics(&before, &after);
        if let Some(path) = &self.picture {
            outputs.add("picture", path, draw(&source, &edited, &terrain).into_bytes());
        }
        let contacts_file = self.write_contacts.as_deref();
        let written = edited.add_to(
            &mut outputs,
            &self.output,
            contacts_file,
            character.as_ref().map_or(&source.import, |on| &on.import),
        )?;
        context.check()?;
        let delay = || Spans::new(&cleanup.options, source.take.clip.frame_rate).delay();
        let report = CleanReport {
            on: character.map(|character| character.report(None)),
            contacts: source.contacts_report(),
            kept_frames,
            bridged_frames,
            restored: restored.as_ref().map(RestoreReport::new),
            delay_frames: self.online.then(delay),
            warnings: missing
                .into_iter()
                .chain(yielding(&edited))
                .chain(warnings(&metrics, self.cleanup.terrain.is_some()))
                .collect(),
            gate: self
                .gate
                .as_deref()
                .zip(gate.as_ref())
                .map(|(file, gate)| GateReport::new(file, gate, &check_gate(gate, &after, &before))),
            metrics,
            written,
            files: outputs.files(),
            input: source.input,
        };
        finish(outputs, CleanRequest::COMMAND, report, self.report.as_deref())
    }
}

impl CleanRequest {
    /// The limits, if all of them can be checked here.
    fn read_gate(&self) -> Result<Option<Gate>, JobError> {
        let Some(file) = &self.gate else { return Ok(None) };
        let gate = read(file, own::read_gate)?;
        let missing = |family: Family| {
            matches!(family, Family::Plan | Family::Path | Family::Search).then_some("`surefoot measure`")
        };
        check_gate_needs(&gate, file, missing)?;
        Ok(Some(gate))
    }
}

/// Every metric of a take before and after an edit, on the same ground and against the take before.
pub fn compare_takes(before: &Take, after: &Take, terrain: &Terrain) -> Vec<MetricChange> {
    let [before, after] = measure_both(before, after, terrain);
    pair_metrics(&before, &after)
}

/// The metrics of a take before and after an edit.
fn measure_both(before: &Take, after: &Take, terrain: &Terrain) -> [Vec<Metric>; 2] {
    let metrics = |take: &Take| {
        let reference = Reference { clip: &before.clip, body: &before.body };
        let options = MeasureOptions { reference: Some(reference), ..MeasureOptions::default() };
        measure_take(take, terrain, &options).metrics()
    };
    [metrics(before), metrics(after)]
}

/// Plants that moved by less are exact, in millimetres.
const EXACT_MM: f64 = 0.01;

/// Told where plants gave way.
fn yielding(edited: &EditedMotion) -> Option<String> {
    let error = edited.cleanup.as_ref()?.largest_plant_error_mm;
    (error > EXACT_MM).then(|| {
        format!(
            "plants give way by up to {error:.1} mm, where legs would pop; --pops calm holds them, and lets legs pop"
        )
    })
}

/// Legs stretch by less than this wherever they can reach, in percent.
const REACHED: f64 = 105.0 * MAX_STRETCH;
/// Feet deeper in a given terrain are reported, in millimetres. Estimated ground is between plants no more than a guess.
const DEEP_MM: f64 = 20.0;

fn warnings(metrics: &[MetricChange], has_terrain: bool) -> Vec<String> {
    let over = |name: &str, limit: f64| metrics.iter().find(|metric| metric.name == name && metric.after > limit);
    let frame = |metric: &MetricChange| metric.frame.map_or(String::new(), |frame| format!(" in frame {frame}"));
    let place = |metric: &MetricChange, usual: &str| metric.place.clone().unwrap_or_else(|| usual.to_string());
    // Against the motion before: where feet are out of reach for long, the median of a leg is that of a stretched one.
    let pops = over("introduced_pops", 0.0).map(|metric| {
        format!(
            "{} pops were introduced, the strongest at {}{}: check the contacts there",
            metric.after,
            place(metric, "a leg"),
            frame(metric)
        )
    });
    let stretch = over("stretch_reference_max", REACHED).or_else(|| over("stretch_max", REACHED)).map(|metric| {
        format!(
            "{} is stretched by {:.1} %{}: a foot is planted out of reach; check the contacts, or the terrain",
            place(metric, "a leg"),
            metric.after,
            frame(metric)
        )
    });
    let deep = over("penetration_max", DEEP_MM).filter(|_| has_terrain).map(|metric| {
        format!(
            "{} is {:.0} mm in the ground{}: the motion does not fit this terrain; another terrain, or the motion moved to where \
             it does, would do",
            place(metric, "a foot"),
            metric.after,
            frame(metric)
        )
    });
    pops.into_iter().chain(stretch).chain(deep).collect()
}

fn draw(source: &MotionSource, edited: &EditedMotion, terrain: &Terrain) -> String {
    let ground = |at| terrain.height(at);
    let (before, after) = (&source.take.clip, &edited.take.clip);
    cleanup_plot(&CleanupPlot::measure(before, after, &source.take.body, &edited.take.contacts, ground))
}
