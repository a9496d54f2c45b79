//! The job `compose patterns`: what recordings taught about footprints (COMPOSE 4.1, figures 4 and 6), in numbers.

use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::recognise_job::load_behaviours;
use crate::request_limits::check_range;
use crate::score_recognition_job::USUAL_LEGS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{BehaviourDatabase, JumpPatternLimits, PairLimits, PaperLimits};
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_picture::{Chart, Curve, Dash, relations_plot};

/// Which database to look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintPatternsRequest {
    /// The database of behaviours.
    pub db: PathBuf,
    /// Thigh plus shin of the person, in metres: 0.2 to 2. Default 0.85.
    #[serde(default)]
    pub leg_length: Option<f64>,
    /// Where the patterns go as SVG, as figures 4 to 7.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose patterns` reports, for a person with these legs. Lengths in metres, angles in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintPatternsReport {
    /// Thigh plus shin.
    pub leg_length: f64,
    /// How far the acting foot travels, by behaviour.
    pub limits: Vec<LimitsReport>,
    /// Steps that rise or fall by more are on stairs.
    pub stair_rise: f64,
    /// Feet before a jump.
    pub take_off: PairReport,
    /// Feet after it.
    pub landing: PairReport,
    /// The four patterns of jumps, left and right taken together.
    pub jumps: Vec<JumpPatternReport>,
    /// How many footprints ahead decide between walking and running, and between running and jumping.
    pub look_ahead: [usize; 2],
    /// What the same footprints mean for people of other heights.
    pub heights: Vec<HeightReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// How far the acting foot travels in a behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsReport {
    /// Its name.
    pub behaviour: String,
    /// Recorded steps.
    pub steps: usize,
    /// 2nd percentile, median, 98th percentile and largest.
    pub distances: [f64; 4],
}

/// Feet that take off or land together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairReport {
    /// Largest angle theta.
    pub angle: f64,
    /// Largest distance between the feet.
    pub distance: f64,
    /// Mean angle of feet that do it together, and of those that do not.
    pub mean_angles: [f64; 2],
}

/// A pattern of jumps. Each number as 10th percentile, median and 90th percentile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JumpPatternReport {
    /// `one` or `both`.
    pub take_off: String,
    /// `one` or `both`.
    pub landing: String,
    /// Recorded jumps.
    pub jumps: usize,
    /// Angle between the feet at take-off, theta_i, in degrees.
    pub take_off_angle: [f64; 3],
    /// At landing, theta_j.
    pub landing_angle: [f64; 3],
    /// How far the acting foot travels, d_i, in metres.
    pub distance: [f64; 3],
}

/// What strides of some lengths mean for a person with these legs (figure 7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeightReport {
    /// Thigh plus shin, in metres.
    pub leg_length: f64,
    /// Longest stride of a walk, in metres.
    pub walk: f64,
    /// Longest of a run.
    pub run: f64,
    /// What a row of strides of 1.7 m means by the limits.
    pub same_footprints: String,
}

impl JobReport for FootprintPatternsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for FootprintPatternsRequest {
    const COMMAND: &'static str = "compose patterns";
    type Report = FootprintPatternsReport;

    fn outputs(&self) -> Vec<&Path> {
        self.picture.iter().chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.db]
    }

    fn run(&self, context: &JobContext) -> Result<FootprintPatternsReport, JobError> {
        check_range("leg_length", self.leg_length, 0.2..=2.0)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let database = load_behaviours(&self.db)?;
        context.check()?;
        let learned = PaperLimits::learn(&database)
            .ok_or_else(|| JobError::of_file("steps", &self.db, "the database has no walking step to learn from"))?;
        let legs = self.leg_length.unwrap_or(USUAL_LEGS);
        let pair = |limits: &PairLimits| PairReport {
            angle: limits.angle.to_degrees(),
            distance: limits.distance * legs,
            mean_angles: limits.means.map(f64::to_degrees),
        };
        let limits = learned.distances.iter().map(|(behaviour, limits)| LimitsReport {
            behaviour: behaviour.name().to_string(),
            steps: limits.n_steps,
            distances: limits.distances.map(|distance| distance * legs),
        });
        let word = |is_both: bool| if is_both { "both" } else { "one" }.to_string();
        let jumps = learned.jumps.iter().map(|pattern| JumpPatternReport {
            take_off: word(pattern.both[0]),
            landing: word(pattern.both[1]),
            jumps: pattern.n_jumps,
            take_off_angle: pattern.angles[0].map(f64::to_degrees),
            landing_angle: pattern.angles[1].map(f64::to_degrees),
            distance: pattern.distance.map(|distance| distance * legs),
        });
        if let Some(file) = &self.picture {
            outputs.add("picture", file, draw_patterns(&learned, &database, legs).into_bytes());
        }
        let report = FootprintPatternsReport {
            jumps: jumps.collect(),
            look_ahead: learned.look_ahead,
            heights: HEIGHTS.map(|legs| height_report(&learned, legs)).to_vec(),
            leg_length: legs,
            limits: limits.collect(),
            stair_rise: learned.stair_rise * legs,
            take_off: pair(&learned.take_off),
            landing: pair(&learned.landing),
            files: outputs.files(),
        };
        finish(outputs, FootprintPatternsRequest::COMMAND, report, self.report.as_deref())
    }
}

/// Legs of a child of six years, of a short adult and of a tall one, in metres.
const HEIGHTS: [f64; 3] = [0.55, 0.75, 0.95];
/// Strides of the same footprints, in metres: most adults walk them, no child does.
const STRIDE: f64 = 1.7;

/// What a row of footprints means for people with these legs (figure 7).
fn height_report(learned: &PaperLimits, legs: f64) -> HeightReport {
    let print = |index: usize| {
        let side = [Side::Left, Side::Right][index % 2];
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        let z = if index < 2 { 0.0 } else { 0.5 * STRIDE * (index - 1) as f64 };
        Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, z)) }
    };
    let row: Vec<Footprint> = (0..8).map(print).collect();
    let decisions = learned.recognise(&row, legs).unwrap_or_default();
    HeightReport {
        leg_length: legs,
        walk: learned.upper(Behaviour::Walk) * legs,
        run: learned.upper(Behaviour::Run) * legs,
        same_footprints: decisions.get(5).map_or("", |decision| decision.behaviour.name()).to_string(),
    }
}

fn curve(name: &str, points: Vec<[f64; 2]>, colour: usize, dash: Dash) -> Curve {
    Curve { name: name.to_string(), points, colour, dash }
}

/// Figures 4 to 7 of COMPOSE on one page.
fn draw_patterns(learned: &PaperLimits, database: &BehaviourDatabase, legs: f64) -> String {
    let mut charts = vec![limits_chart(learned, database, legs)];
    charts.push(heights_chart(learned));
    charts.extend(learned.jumps.iter().flat_map(|pattern| jump_charts(pattern, legs)));
    relations_plot(&format!("Footprint patterns (COMPOSE figures 4 to 7), legs of {legs:.2} m"), &charts)
}

/// Figure 4: how far the acting foot travels, as the share of recorded steps that are shorter.
fn limits_chart(learned: &PaperLimits, database: &BehaviourDatabase, legs: f64) -> Chart {
    let shown = [Behaviour::Walk, Behaviour::Run, Behaviour::Jump, Behaviour::Hop];
    let curves = shown.into_iter().enumerate().flat_map(|(colour, behaviour)| {
        let mut strides: Vec<f64> = PaperLimits::strides(database, behaviour).iter().map(|of| of * legs).collect();
        strides.sort_by(f64::total_cmp);
        let n = strides.len().max(1) as f64;
        let points = strides.iter().enumerate().map(|(place, stride)| [*stride, (place + 1) as f64 / n]).collect();
        let limit = learned.upper(behaviour) * legs;
        [
            curve(behaviour.name(), points, colour, Dash::Solid),
            curve("", vec![[limit, 0.0], [limit, 1.0]], colour, Dash::Dashed),
        ]
    });
    Chart {
        title: "Figure 4: travel of the acting foot; dashed: the limit".to_string(),
        x: "distance between two stances of the foot, m".to_string(),
        y: "share of recorded steps".to_string(),
        curves: curves.collect(),
    }
}

/// Figure 7: limits of people of other heights.
fn heights_chart(learned: &PaperLimits) -> Chart {
    let line = |behaviour: Behaviour| [0.4, 1.0].map(|legs: f64| [legs, learned.upper(behaviour) * legs]).to_vec();
    Chart {
        title: "Figure 7: longest strides by leg length; dashed: the same footprints".to_string(),
        x: "leg length, m".to_string(),
        y: "stride, m".to_string(),
        curves: vec![
            curve("walk", line(Behaviour::Walk), 0, Dash::Solid),
            curve("run", line(Behaviour::Run), 1, Dash::Solid),
            curve("", vec![[0.4, STRIDE], [1.0, STRIDE]], 2, Dash::Dashed),
        ],
    }
}

/// Figures 5 and 6: where the other foot is beside the acting one, which is drawn as the left, at 0.
fn jump_charts(pattern: &JumpPatternLimits, legs: f64) -> [Chart; 2] {
    let word = |is_both: bool| if is_both { "both" } else { "one" };
    let [from, to] = pattern.both;
    [("take-off", 0), ("landing", 1)].map(|(when, end)| {
        let places = pattern.places[end].iter().map(|place| place.map(|along| along * legs)).collect();
        let angle = pattern.angles[end][1].to_degrees();
        Chart {
            title: format!(
                "Figure 5: {} to {}, {when}: {} jumps, median angle {angle:.0} degrees",
                word(from),
                word(to),
                pattern.n_jumps
            ),
            x: "other foot beside the acting one, m".to_string(),
            y: "ahead of it, m".to_string(),
            curves: vec![
                curve("acting foot", vec![[0.0, 0.0]], 2, Dash::Dots),
                curve("other foot", places, 0, Dash::Dots),
            ],
        }
    })
}
