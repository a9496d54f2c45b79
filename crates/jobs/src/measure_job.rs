//! The job `measure`: how good a motion is, and whether it passes a gate.

use crate::input_report::InputReport;
use crate::input_request::{FloorRequest, InputRequest, TerrainRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::measure_report::{
    GateReport, JointError, MeasureReport, MeasuredFootprint, MeasuredPlant, Soles, SubjectReport, footprint_rows,
    joint_rows, metric_rows, plant_rows,
};
use crate::motion_source::ContactsSource;
use crate::outputs::{IfExists, Outputs};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::metrics::{
    Family, Gate, MeasureOptions, Measures, Reference, SearchEffort, StancesFrom, check_gate, is_same_skeleton,
    measure_take,
};
use surefoot_contact::{Contacts, DetectOptions, FootPlan, Take, estimate_ground};
use surefoot_formats::{Import, ReadError, own, read_bytes};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

/// What to measure, and against what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureRequest {
    /// The motion.
    pub input: InputRequest,
    /// Footprints that the feet should be planted on.
    #[serde(default)]
    pub plan: Option<PathBuf>,
    /// What realises a footprint.
    #[serde(default, alias = "stays")]
    pub stances: StancesRequest,
    /// Path that the pelvis should follow.
    #[serde(default)]
    pub path: Option<PathBuf>,
    /// Report of the walk through a motion graph that this motion is.
    #[serde(default)]
    pub walk: Option<PathBuf>,
    /// Motion that this one should be like, read in the same way. If its skeleton is the same, its soles are taken for both.
    #[serde(default)]
    pub reference: Option<PathBuf>,
    /// The ground. Default: estimated from the plants.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Whose definitions of skating to report. Default: that of GRAPH.
    #[serde(default = "graph_alone")]
    pub definitions: Vec<SkatingDefinition>,
    /// Limits on metrics.
    #[serde(default)]
    pub gate: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

fn graph_alone() -> Vec<SkatingDefinition> {
    vec![SkatingDefinition::Graph]
}

/// What realises a footprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StancesRequest {
    /// A plant of the contacts.
    #[default]
    Contacts,
    /// Wherever the ball rests near it in the motion.
    Motion,
}

/// Whose definition of skating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named after the papers in docs/REFERENCES.md")]
pub enum SkatingDefinition {
    Graph,
    Gmd,
    Kimodo,
    Mann,
    Holosoma,
    All,
}

/// A motion with all that its metrics need.
struct Subject {
    input: InputReport,
    take: Take,
    contacts_from: ContactsSource,
    soles: Soles,
}

/// All that a motion is measured against, read.
struct Standards {
    gate: Option<Gate>,
    plan: Option<FootPlan>,
    path: Option<surefoot_ground::Path>,
    search: Option<SearchEffort>,
    terrain: Option<Terrain>,
}

impl Job for MeasureRequest {
    const COMMAND: &'static str = "measure";
    type Report = MeasureReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<MeasureReport, JobError> {
        let outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let standards = self.standards()?;
        let (subject, reference) = self.load()?;
        context.advance(1, 2, "metrics")?;
        let (ground, ground_text) = self.ground_under(&subject, standards.terrain);
        let options = MeasureOptions {
            skate_floor: matches!(self.input.read.floor, FloorRequest::At(_)).then_some(0.0),
            plan: standards.plan.as_ref(),
            stances: match self.stances {
                StancesRequest::Contacts => StancesFrom::Contacts,
                StancesRequest::Motion => StancesFrom::Motion,
            },
            path: standards.path.as_ref(),
            search: standards.search,
            reference: reference.as_ref().map(|other| Reference { clip: &other.take.clip, body: &other.take.body }),
        };
        let measures = measure_take(&subject.take, &ground, &options);
        let of_reference = reference.as_ref().map(|other| measure_alone(other, &ground, &options));
        context.check()?;
        let footprints: Option<Vec<MeasuredFootprint>> =
            standards.plan.as_ref().map(|plan| footprint_rows(&measures, plan));
        let joints: Option<Vec<JointError>> = joint_rows(&measures);
        let plants: Vec<MeasuredPlant> = plant_rows(&measures);
        let report = MeasureReport {
            metrics: metric_rows(&measures, of_reference.as_ref(), &self.families()),
            ground: match measures.ground.off_terrain {
                Some(place) => format!("{ground_text}; {place}"),
                None => ground_text,
            },
            plants,
            footprints,
            joints,
            gate: self.gate.as_deref().zip(standards.gate.as_ref()).map(|(file, gate)| {
                let reference = of_reference.as_ref().map(Measures::metrics).unwrap_or_default();
                GateReport::new(file, gate, &check_gate(gate, &measures.metrics(), &reference))
            }),
            subject: subject.report(),
            reference: reference.map(Subject::report),
        };
        finish(outputs, MeasureRequest::COMMAND, report, self.report.as_deref())
    }
}

impl MeasureRequest {
    fn standards(&self) -> Result<Standards, JobError> {
        let gate = self.gate.as_deref().map(|path| read(path, own::read_gate)).transpose()?;
        self.check_gate_usage(gate.as_ref())?;
        Ok(Standards {
            gate,
            plan: self.plan.as_deref().map(|path| read(path, own::read_plan)).transpose()?,
            path: self.path.as_deref().map(|path| read(path, own::read_path)).transpose()?,
            search: self.walk.as_deref().map(|path| read(path, own::read_walk_report)).transpose()?,
            terrain: self.terrain.as_ref().map(TerrainRequest::load).transpose()?,
        })
    }

    /// Refuses limits that can never be checked as requested, before any work is done.
    fn check_gate_usage(&self, gate: Option<&Gate>) -> Result<(), JobError> {
        let Some((gate, file)) = gate.zip(self.gate.as_deref()) else { return Ok(()) };
        if gate.needs_reference() && self.reference.is_none() {
            let message = "`times_reference` compares with a reference; --reference names it";
            return Err(JobError::of_file("usage", file, message));
        }
        let missing = |family: Family| match family {
            Family::Plan => self.plan.is_none().then_some("--plan"),
            Family::Path => self.path.is_none().then_some("--path"),
            Family::Search => self.walk.is_none().then_some("--walk"),
            Family::Reference => self.reference.is_none().then_some("--reference"),
            _ => None,
        };
        check_gate_needs(gate, file, missing)
    }

    /// The measured motion and its reference.
    ///
    /// A heel is no joint: each import fits it to its own motion. Where both have one skeleton, the reference's soles are
    /// taken for both, so that both are measured by the same points.
    fn load(&self) -> Result<(Subject, Option<Subject>), JobError> {
        let mut import = self.input.load()?;
        let reference = self.reference.as_deref().map(|file| self.input.read.load(file)).transpose()?;
        let mut soles = Soles::Own;
        if let (Ok(body), Some((other, Ok(reference_body)))) =
            (&mut import.body, reference.as_ref().map(|other| (other, &other.body)))
            && is_same_skeleton(&import.clip.skeleton, &other.clip.skeleton)
        {
            for side in Side::BOTH {
                body.legs[side].foot = reference_body.legs[side].foot;
            }
            soles = Soles::Reference;
        }
        let contacts = match &self.input.contacts {
            Some(file) => Some((crate::load::load_contacts(file, &import)?, ContactsSource::Given)),
            None => import.contacts.clone().map(|contacts| (contacts, ContactsSource::File)),
        };
        let subject = Subject { soles, ..Subject::new(&self.input.file, import, contacts)? };
        let reference = self.reference.as_deref().zip(reference).map(|(file, import)| {
            let contacts = reference_contacts(&import, &subject);
            Subject::new(file, import, contacts)
        });
        Ok((subject, reference.transpose()?))
    }

    /// The ground that is named, or the one under the plants; and how it came about.
    fn ground_under(&self, subject: &Subject, named: Option<Terrain>) -> (Terrain, String) {
        if let Some(terrain) = named {
            return (terrain, "as given".to_string());
        }
        if matches!(self.input.read.floor, FloorRequest::At(_)) {
            return (Terrain::flat(0.0), "flat at 0 m, where --floor put it".to_string());
        }
        let Some(ground) = estimate_ground(&subject.take.contacts) else {
            return (Terrain::flat(0.0), "flat at 0 m, for there are no plants".to_string());
        };
        let text = match ground.levels[..] {
            [first, .., last] => {
                format!("{} levels from {first:.4} to {last:.4} m, where the plants are", ground.levels.len())
            }
            _ if ground.tilt.is_some() => {
                format!(
                    "a floor that rises by {:.3} m, where the plants are",
                    ground.tilt.map_or(0.0, |tilt| tilt.rise)
                )
            }
            _ => format!("flat at {:.4} m, where the plants are", ground.levels.iter().sum::<f64>()),
        };
        (ground.terrain, text)
    }

    /// The families to report: skating by the definitions that were chosen, and everything else.
    fn families(&self) -> Vec<Family> {
        let all = self.definitions.contains(&SkatingDefinition::All);
        let is_reported = |family: &Family| {
            let definition = match family {
                Family::Graph => SkatingDefinition::Graph,
                Family::Gmd => SkatingDefinition::Gmd,
                Family::Kimodo => SkatingDefinition::Kimodo,
                Family::Mann => SkatingDefinition::Mann,
                Family::Holosoma => SkatingDefinition::Holosoma,
                _ => return true,
            };
            all || self.definitions.contains(&definition)
        };
        Family::ALL.into_iter().filter(is_reported).collect()
    }
}

impl Subject {
    fn new(file: &Path, import: Import, contacts: Option<(Contacts, ContactsSource)>) -> Result<Subject, JobError> {
        let input = InputReport::new(file, &import);
        let (contacts, from) = contacts.unzip();
        let taken = import.into_take_with(contacts, &DetectOptions::default()).map_err(|error| {
            JobError::of_file("no_body", file, format!("feet cannot be measured: {error}; --body names the joints"))
        })?;
        let contacts_from = from.unwrap_or(ContactsSource::Detected);
        Ok(Subject { input, take: taken.take, contacts_from, soles: Soles::Own })
    }

    fn report(self) -> SubjectReport {
        let clip = &self.take.clip;
        SubjectReport {
            file: self.input.file.clone(),
            frames: clip.n_frames(),
            frame_rate: clip.frame_rate,
            duration: clip.duration(),
            contacts: self.contacts_from,
            soles: self.soles,
            input: self.input,
        }
    }
}

/// Contacts of the reference's own file; or those of the measured motion, if both have as many frames.
fn reference_contacts(import: &Import, measured: &Subject) -> Option<(Contacts, ContactsSource)> {
    let own = import.contacts.clone().map(|contacts| (contacts, ContactsSource::File));
    own.or_else(|| {
        let ranges = own::ContactRanges::from(&measured.take.contacts);
        let contacts = ranges.of_clip(&import.clip, import.body.as_ref().ok()?).ok()?;
        (import.clip.frame_rate == measured.take.clip.frame_rate).then_some((contacts, ContactsSource::Measured))
    })
}

/// Refuses limits on metrics of which something is missing, in words of options.
pub(crate) fn check_gate_needs(
    gate: &Gate,
    file: &Path,
    missing: impl Fn(Family) -> Option<&'static str>,
) -> Result<(), JobError> {
    let unmet = gate.limits.iter().find_map(|limit| Some((limit, missing(limit.metric.family)?)));
    unmet.map_or(Ok(()), |(limit, option)| {
        let field = format!("limits.{}", limit.metric.name);
        let message = format!("{field}: this metric needs {option}");
        Err(JobError::of_file("usage", file, message).at_field(field))
    })
}

/// Reads a file of our own.
pub(crate) fn read<T>(path: &Path, reader: fn(&[u8]) -> Result<T, ReadError>) -> Result<T, JobError> {
    let result = read_bytes(path).and_then(|bytes| reader(&bytes));
    result.map_err(|error| JobError::from(error.in_file(path)))
}

/// The reference's own metrics, on the same ground and against the same plan and path.
fn measure_alone(reference: &Subject, ground: &Terrain, options: &MeasureOptions<'_>) -> Measures {
    let options = MeasureOptions { search: None, reference: None, ..*options };
    measure_take(&reference.take, ground, &options)
}

impl JobReport for MeasureReport {
    fn files(&self) -> &[crate::outputs::WrittenFile] {
        &[]
    }

    fn not_met(&self) -> Option<JobError> {
        self.gate.as_ref()?.not_met()
    }
}
