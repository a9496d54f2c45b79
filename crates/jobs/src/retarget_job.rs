//! The job `retarget`: a motion played by another character, its feet kept on the ground.

use crate::character::{LoadedCharacter, missing_parts};
use crate::clean::CleanForm;
use crate::cleanup_step::{CleanupRequest, EditedMotion, EditedReport};
use crate::input_report::InputReport;
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::MotionOutput;
use crate::motion_source::{ContactsReport, MotionSource};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_cleanup::footskate::PlantPositions;
use surefoot_cleanup::{Places, RetargetOptions, Touch, Transfer, keep_hands, retarget};
use surefoot_contact::DetectOptions;

/// Which motion to play on which character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetargetRequest {
    /// The motion.
    pub input: InputRequest,
    /// The character to animate; its own motion, if it has one, shows how it is built.
    pub on: InputRequest,
    /// Where the result goes.
    pub output: MotionOutput,
    /// Scale of the root trajectory. Default: leg length of the character over that of the source.
    #[serde(default)]
    pub scale: Option<f64>,
    /// Plant feet where the source's are, instead of as far apart as the character's legs ask for.
    #[serde(default)]
    pub keep_places: bool,
    /// Keep hands at what the source's touch: own body, other hand, ground, and things that they hold on to.
    #[serde(default)]
    pub keep_hands: bool,
    /// How feet are cleaned afterwards; null leaves the result as it is retargeted.
    #[serde(default = "cleanup_with_defaults")]
    pub cleanup: Option<CleanupRequest>,
    /// Where the contacts of the result go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// Cleanup is the default of jobs that move feet.
pub(crate) fn cleanup_with_defaults() -> Option<CleanupRequest> {
    Some(CleanupRequest::default())
}

/// What `retarget` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetargetReport {
    /// The motion that was read.
    pub input: InputReport,
    /// The character.
    pub on: InputReport,
    /// Scale of the root trajectory.
    pub scale: f64,
    /// Height of the floor that the motion was scaled about, in metres.
    pub floor: f64,
    /// How rotations were carried over.
    pub transfer: TransferKind,
    /// Joints of the character that the motion does not reach.
    pub idle: Vec<String>,
    /// What of a body was not found in the motion or the character, and so is not moved, in a sentence.
    pub missing: Option<String>,
    /// What was decided, in sentences.
    pub notes: Vec<String>,
    /// What the hands touch, if they were kept at it.
    #[serde(default)]
    pub touches: Option<Vec<TouchReport>>,
    /// Contacts of the source.
    pub contacts: ContactsReport,
    /// The motion that was written.
    pub written: EditedReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A time in which a hand touches something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TouchReport {
    /// `left` or `right`.
    pub hand: String,
    /// `trunk`, `other hand`, ...
    pub what: String,
    /// The first frame.
    pub start: usize,
    /// The first after it.
    pub end: usize,
    /// Farthest that the palm was from its place without this, in millimetres.
    pub before_mm: f64,
    /// And is.
    pub after_mm: f64,
    /// How far the place slid along trunk or limb, where the arm is too short for it.
    pub slid_mm: f64,
    /// How far it is beyond what the straight arm reaches.
    #[serde(default)]
    pub beyond_mm: f64,
}

impl TouchReport {
    fn new(touch: &Touch) -> TouchReport {
        TouchReport {
            hand: touch.side.name().to_string(),
            what: touch.what.name().to_string(),
            start: touch.frames.start,
            end: touch.frames.end,
            before_mm: 1000.0 * touch.before,
            after_mm: 1000.0 * touch.after,
            slid_mm: 1000.0 * touch.slid,
            beyond_mm: 1000.0 * touch.beyond,
        }
    }
}

/// How rotations were carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransferKind {
    /// As they are, between skeletons of one construction.
    Copied,
    /// By aligned rest poses.
    Aligned,
}

impl JobReport for RetargetReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for RetargetRequest {
    const COMMAND: &'static str = "retarget";
    type Report = RetargetReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.report])
    }

    fn run(&self, context: &JobContext) -> Result<RetargetReport, JobError> {
        check_range("scale", self.scale, 0.01..=100.0)?;
        self.output.format()?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let mut cleanup = self.cleanup.as_ref().map(|cleanup| cleanup.prepare_for(&self.output)).transpose()?;
        if let (Some(cleanup), true) = (&mut cleanup, self.keep_places) {
            cleanup.options.plant_positions = PlantPositions::Given;
            // Feet of another length are put elsewhere below the body: it goes along.
            let asked = self.cleanup.as_ref().and_then(|cleanup| cleanup.root_follows);
            cleanup.options.root_follows = asked.unwrap_or(1.0);
        }
        let source = MotionSource::load(&self.input, &DetectOptions::default())?;
        let character = LoadedCharacter::load(&self.on)?;
        let target = &character.import;
        context.advance(1, 3, "retargeting")?;
        let options = RetargetOptions {
            scale: self.scale,
            places: if self.keep_places { Places::Kept } else { Places::Scaled },
            ..RetargetOptions::default()
        };
        let retargeted = retarget(&source.take, &character.character(), &options)
            .map_err(|error| JobError::of_file("retarget", &self.on.file, error.to_string()))?;
        context.advance(2, 3, "cleanup")?;
        let mut edited = match cleanup {
            Some(cleanup) => cleanup.apply(&retargeted.take, CleanForm::Offline),
            None => EditedMotion::uncleaned(retargeted.take.clone()),
        };
        let touches = self.keep_hands.then(|| {
            let place = |place| retargeted.world_place(place);
            let kept = keep_hands(&source.take, &edited.take, retargeted.floor, &place);
            edited.take = kept.take;
            kept.touches.iter().map(TouchReport::new).collect()
        });
        let contacts_file = self.write_contacts.as_deref();
        let written = edited.add_to(&mut outputs, &self.output, contacts_file, target)?;
        context.check()?;
        let idle = retargeted.idle.iter().map(|&joint| target.clip.skeleton.name(joint).to_string());
        let report = RetargetReport {
            on: InputReport::new(&self.on.file, target),
            scale: retargeted.scale,
            floor: retargeted.floor,
            transfer: match retargeted.transfer {
                Transfer::Copied => TransferKind::Copied,
                Transfer::Aligned { .. } => TransferKind::Aligned,
            },
            idle: idle.collect(),
            missing: missing_sentence(&source, Some(&character)),
            notes: retargeted.notes,
            touches,
            contacts: source.contacts_report(),
            written,
            files: outputs.files(),
            input: source.input,
        };
        finish(outputs, RetargetRequest::COMMAND, report, self.report.as_deref())
    }
}

/// What of either body was not found, in a sentence.
pub(crate) fn missing_sentence(source: &MotionSource, character: Option<&LoadedCharacter>) -> Option<String> {
    let told = |parts: Option<String>, file: &str, option: &str| {
        parts.map(|parts| {
            format!("no {parts} found in {file}; what is missing does not move; {option} names the joints")
        })
    };
    let of_source = told(missing_parts(&source.take.body), &source.input.file, "--body");
    let of_target = character.and_then(|character| {
        told(missing_parts(character.body()), &character.file().display().to_string(), "--on-body")
    });
    let all: Vec<String> = of_source.into_iter().chain(of_target).collect();
    (!all.is_empty()).then(|| all.join(". "))
}
