//! The job `contacts`: when and where heels and balls are planted.

use crate::input_report::{InputReport, SideValues};
use crate::input_request::InputRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plot_contacts::plot_contacts;
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::{
    ContactSummary, Contacts, DetectOptions, Detection, PointTrace, detect_contacts, measure_placement,
};
use surefoot_formats::Import;
use surefoot_motion::{BodyMap, Side, WorldPose};

macro_rules! detect_request {
    ($($(#[$old:meta])? $name:ident,)+) => {
        /// How planted feet are detected; each field as in [`DetectOptions`], whose defaults it has.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        #[allow(missing_docs, reason = "DetectOptions documents each field")]
        pub struct DetectRequest { $($(#[$old])? pub $name: f64,)+ }

        impl DetectRequest {
            /// The options, if all of them are sizes.
            pub fn options(&self) -> Result<DetectOptions, JobError> {
                $(check_range(concat!("detect.", stringify!($name)), Some(self.$name), 0.0..=1000.0)?;)+
                Ok(DetectOptions { $($name: self.$name,)+ })
            }
        }

        impl From<DetectOptions> for DetectRequest {
            fn from(options: DetectOptions) -> DetectRequest {
                DetectRequest { $($name: options.$name,)+ }
            }
        }
    };
}

detect_request! {
    rest_height,
    #[serde(alias = "stay_height")]
    planted_height,
    floor_reach,
    #[serde(alias = "stay_share")]
    planted_share,
    #[serde(alias = "least_stay_speed")]
    least_planted_speed,
    #[serde(alias = "most_stay_speed")]
    most_planted_speed,
    rest_share,
    swing_reach,
    edge_factor,
    edge_height,
    same_place,
    longest_gap,
    shortest_swing,
    #[serde(alias = "shortest_stay")]
    shortest_plant,
    held_height,
    max_pitch,
}

impl Default for DetectRequest {
    fn default() -> DetectRequest {
        DetectOptions::default().into()
    }
}

/// Which motion's contacts to detect.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactsRequest {
    /// The motion; contacts that are known already are not looked at.
    pub input: InputRequest,
    /// How to detect them.
    #[serde(default)]
    pub detect: DetectRequest,
    /// Report heights and speeds of heels and balls, too, in every frame.
    #[serde(default)]
    pub traces: bool,
    /// Where they go as a contacts file.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// Where the timeline of all plants with heights, speeds and their limits goes, as SVG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `contacts` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactsJobReport {
    /// The motion.
    pub input: InputReport,
    /// How many frames it has.
    pub frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// How many steps each foot takes.
    pub steps: SideValues<usize>,
    /// Share of the frames in which each foot is in contact.
    pub contact_share: SideValues<f64>,
    /// Share of the frames in which both are.
    pub double_support_share: f64,
    /// Share of the frames in which none is.
    pub flight_share: f64,
    /// Every plant.
    pub plants: Vec<PlantReport>,
    /// What they were found from, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traces: Option<SideValues<FootTraceReport>>,
    /// The contacts file.
    pub output: Option<String>,
    /// The timeline.
    pub picture: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A part of a foot in contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantReport {
    /// `left` or `right`.
    pub foot: String,
    /// `heel` or `ball`.
    pub part: String,
    /// Half-open.
    pub frames: [usize; 2],
    /// The same in time.
    pub seconds: [f64; 2],
    /// Mean position, in metres.
    pub position: [f64; 3],
    /// Farthest from the mean position.
    pub drift_mm: f64,
}

/// A foot in every frame, and what decides about its contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootTraceReport {
    /// The back of the sole.
    pub heel: TraceReport,
    /// The ball.
    pub ball: TraceReport,
}

/// A part of a foot in every frame. What is not known is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceReport {
    /// Over the floor below it.
    pub height_mm: Vec<Option<f64>>,
    /// It comes to rest below the first height, and stays planted up to the second.
    pub height_limits_mm: [f64; 2],
    /// In metres a second.
    pub speed: Vec<Option<f64>>,
    /// Speed up to which it stays planted.
    pub planted_speed: Vec<Option<f64>>,
}

impl TraceReport {
    fn new(trace: &PointTrace, options: &DetectOptions) -> TraceReport {
        let rounded = |value: f64, scale: f64| value.is_finite().then(|| (value * scale).round() / scale);
        let speeds = |values: &[f64]| values.iter().map(|&value| rounded(value, 1e3)).collect();
        TraceReport {
            height_mm: (0..trace.position.len()).map(|frame| rounded(1000.0 * trace.height(frame), 10.0)).collect(),
            height_limits_mm: [options.rest_height, options.planted_height].map(|height| 1000.0 * height),
            speed: speeds(&trace.speed),
            planted_speed: speeds(&trace.planted_speed),
        }
    }
}

/// The traces of both feet.
fn traces(detection: &Detection, options: &DetectOptions) -> SideValues<FootTraceReport> {
    let of = |side: Side| FootTraceReport {
        heel: TraceReport::new(&detection.traces[side].heel, options),
        ball: TraceReport::new(&detection.traces[side].ball, options),
    };
    SideValues { left: of(Side::Left), right: of(Side::Right) }
}

impl JobReport for ContactsJobReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for ContactsRequest {
    const COMMAND: &'static str = "contacts";
    type Report = ContactsJobReport;

    fn outputs(&self) -> Vec<&Path> {
        [&self.output, &self.picture, &self.report].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        self.input.files().collect()
    }

    fn run(&self, context: &JobContext) -> Result<ContactsJobReport, JobError> {
        let options = self.detect.options()?;
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let import = self.input.load()?;
        context.check()?;
        let body = feet(&import, &self.input.file)?;
        let (poses, frame_rate) = (import.clip.world(), import.clip.frame_rate);
        let detection = detect_contacts(&poses, body, frame_rate, &options);
        let contacts = &detection.contacts;
        outputs.add_contacts(self.output.as_deref(), contacts);
        if let Some(picture) = &self.picture {
            let svg = plot_contacts(&import.clip.name, frame_rate, &detection, &options);
            outputs.add("picture", picture, svg.into_bytes());
        }
        let ContactSummary { n_steps, contact_share, double_support_share, flight_share } = contacts.summary();
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let report = ContactsJobReport {
            input: InputReport::new(&self.input.file, &import),
            frames: contacts.n_frames,
            frame_rate,
            steps: SideValues { left: n_steps.left, right: n_steps.right },
            contact_share: SideValues { left: contact_share.left, right: contact_share.right },
            double_support_share,
            flight_share,
            plants: plants(contacts, body, &poses, frame_rate),
            traces: self.traces.then(|| traces(&detection, &options)),
            output: shown(&self.output),
            picture: shown(&self.picture),
            files: outputs.files(),
        };
        finish(outputs, ContactsRequest::COMMAND, report, self.report.as_deref())
    }
}

fn plants(contacts: &Contacts, body: &BodyMap, poses: &[WorldPose], frame_rate: f64) -> Vec<PlantReport> {
    let drifts = measure_placement(poses, body, contacts);
    let plants = Side::BOTH.into_iter().flat_map(|side| contacts.plants[side].iter().map(move |p| (side, p)));
    let report = |((side, plant), drift): ((Side, &surefoot_contact::Plant), surefoot_contact::PlantError)| {
        let frames = [plant.frames.start, plant.frames.end];
        PlantReport {
            foot: side.name().to_string(),
            part: plant.part.name().to_string(),
            frames,
            seconds: frames.map(|frame| frame as f64 / frame_rate),
            position: plant.position.to_array(),
            drift_mm: 1000.0 * drift.distance,
        }
    };
    plants.zip(drifts).map(report).collect()
}

/// The body map, without which there are no feet.
pub(crate) fn feet<'a>(import: &'a Import, input: &Path) -> Result<&'a BodyMap, JobError> {
    import.body.as_ref().map_err(|error| {
        JobError::of_file("body", input, format!("contacts need feet: {error}; --body names the joints"))
    })
}

/// Refuses a plot that is not called what it is.
pub fn check_svg(path: &Path) -> Result<(), JobError> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg || crate::outputs::is_standard_stream(path) {
        return Ok(());
    }
    Err(JobError::of_file("usage", path, "a plot is written as SVG; a name that ends in .svg would be right"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_field_names_are_read_and_new_ones_written() {
        let old = r#"{"stay_height": 0.04, "stay_share": 0.1, "least_stay_speed": 0.2, "most_stay_speed": 0.7, "shortest_stay": 0.1}"#;
        let request: DetectRequest = serde_json::from_str(old).expect("the old names");
        let usual = DetectRequest::default();
        let expected = DetectRequest {
            planted_height: 0.04,
            planted_share: 0.1,
            least_planted_speed: 0.2,
            most_planted_speed: 0.7,
            shortest_plant: 0.1,
            ..usual
        };
        assert_eq!(request, expected);
        let written = serde_json::to_string(&request).expect("text");
        assert!(written.contains("planted_height") && !written.contains("stay"), "{written}");
        assert_eq!(serde_json::from_str::<DetectRequest>(&written).expect("the new names"), request);
    }
}
