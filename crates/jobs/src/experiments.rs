//! The paper's two studies on recordings of your own (GRAPH 5.2 and 6.2), and their figures.
//!
//! [`load_experiment`] gathers the clips; the studies themselves are [`surefoot_graph::experiment`]; the functions here draw them.

use crate::motion_graphs::{BeginFile, load_motions_until, on_floor};
use crate::{
    GRAPH_FRAME_RATE, GatherError, GatheredMotions, LeftOut, LoadOptions, MAX_EXPERIMENT_FRAMES, SourceMotion,
    gather_motions, load,
};
use std::path::{Path, PathBuf};
use surefoot_geom::Vec2;
use surefoot_graph::experiment::{AbstractionRun, AbstractionsStudy, ExampleTrajectory, Summary, paper};
use surefoot_graph::{Abstraction, MotionSet, abstract_trajectory};
use surefoot_motion::{BodyMap, Clip, mirror};
use surefoot_picture::{
    BarsPlot, Chart, Curve, Dash, MeanBar, MeanLevel, MeanPoint, MeanSeries, MeansPlot, TrajectoriesPanel, bars_plot,
    means_plot, trajectories_plot,
};

/// Whether graphs have mirror images too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorImages {
    /// The clips as they are.
    #[default]
    Without,
    /// Each clip, and the same with left and right exchanged.
    With,
}

/// What a study is made on.
#[derive(Clone, Debug)]
pub struct ExperimentClips {
    /// Clips for graphs.
    pub set: MotionSet,
    /// Recordings that test paths are taken from, of the same skeleton and rate.
    pub tests: Vec<Clip>,
    /// What was done to make them alike.
    pub notes: Vec<String>,
    /// Clips for graphs that could not be used.
    pub left_out: Vec<LeftOut>,
}

/// Reads clips for graphs and recordings for test paths, and brings all to one skeleton and 30 frames a second. A recording that
/// cannot be used is an error, a clip for graphs is left out; so is one that is a test, as those of a folder often are.
pub fn load_experiment(
    clips: &[PathBuf],
    tests: &[PathBuf],
    images: MirrorImages,
    options: &LoadOptions,
    progress: &mut dyn FnMut(&Path),
) -> Result<ExperimentClips, GatherError> {
    load_experiment_until(clips, tests, images, options, &mut |path| {
        progress(path);
        Ok(())
    })
}

/// [`load_experiment`], stopped where `begin` fails, which is called before each file.
pub(crate) fn load_experiment_until(
    clips: &[PathBuf],
    tests: &[PathBuf],
    images: MirrorImages,
    options: &LoadOptions,
    begin: &mut BeginFile<'_>,
) -> Result<ExperimentClips, GatherError> {
    let (clips, among_tests) = without_tests(clips, tests);
    if let (true, Some(out)) = (clips.is_empty(), among_tests.first()) {
        return Err(GatherError::NoClip { first: out.why.to_string() });
    }
    let GatheredMotions { mut set, mut notes, mut left_out } =
        load_motions_until(&clips, options, GRAPH_FRAME_RATE, begin)?;
    left_out.extend(among_tests);
    let tests = load_tests(&set, tests, options, &mut notes, begin)?;
    if images == MirrorImages::With {
        let body = set.body().clone();
        let images = set.clips().iter().map(|clip| mirror_image(clip, &body));
        let all: Vec<Clip> = set.clips().iter().cloned().chain(images).collect();
        set = MotionSet::new(all, body).expect("images share skeleton and rate with their clips");
    }
    let n_frames = set.n_frames();
    if n_frames > MAX_EXPERIMENT_FRAMES {
        return Err(GatherError::TooLarge { n_frames });
    }
    Ok(ExperimentClips { set, tests, notes, left_out })
}

/// The files that are no tests, and those that are: graphs of what is tested would know the answer (GRAPH 6.2).
fn without_tests(clips: &[PathBuf], tests: &[PathBuf]) -> (Vec<PathBuf>, Vec<LeftOut>) {
    // Different words for one file are the same file; one that is missing is reported when it is read.
    let place = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let tested: Vec<PathBuf> = tests.iter().map(place).collect();
    let (among, others): (Vec<PathBuf>, Vec<PathBuf>) =
        clips.iter().cloned().partition(|clip| tested.contains(&place(clip)));
    let left_out = |path: PathBuf| {
        let name = path.display().to_string();
        LeftOut { name: name.clone(), why: GatherError::IsTest { name } }
    };
    (others, among.into_iter().map(left_out).collect())
}

/// Recordings for test paths, played by the skeleton of a set.
fn load_tests(
    set: &MotionSet,
    tests: &[PathBuf],
    options: &LoadOptions,
    notes: &mut Vec<String>,
    begin: &mut BeginFile<'_>,
) -> Result<Vec<Clip>, GatherError> {
    let reading = on_floor(options);
    // The first is only there to lend its skeleton.
    let first = &set.clips()[0];
    let mut motions =
        vec![SourceMotion { name: first.name.clone(), clip: first.clone(), body: Ok(set.body().clone()) }];
    for path in tests {
        begin(path).map_err(GatherError::Stopped)?;
        let import = load(path, &reading)?;
        motions.push(SourceMotion { name: import.clip.name.clone(), clip: import.clip, body: import.body });
    }
    let mut gathered = gather_motions(motions, GRAPH_FRAME_RATE)?;
    if let Some(out) = gathered.left_out.pop() {
        return Err(out.why);
    }
    notes.append(&mut gathered.notes);
    Ok(gathered.set.clips()[1..].to_vec())
}

fn mirror_image(clip: &Clip, body: &BodyMap) -> Clip {
    let image = mirror(clip, body);
    image.with_name(format!("{} mirrored", clip.name))
}

/// What techniques are called in figures and tables.
pub fn technique_name(abstraction: Abstraction) -> &'static str {
    match abstraction {
        Abstraction::Pelvis => "pelvis (standard)",
        Abstraction::Joints => "joint combination",
        Abstraction::Extrema => "orientation extrema",
        Abstraction::Gaussian => "Gaussian smoothing",
        Abstraction::BSpline => "B-spline",
    }
}

fn colour_of(abstraction: Abstraction) -> usize {
    Abstraction::ALL.iter().position(|other| *other == abstraction).unwrap_or(0)
}

/// The test paths' names, in order.
pub const TEST_NAMES: [&str; 3] = ["straight", "low curvature", "high curvature"];

/// GRAPH figure 7: for each clip the pelvis from above with each abstraction laid over it, and all unrolled along the smoothed trajectory.
pub fn plot_abstractions(clips: &[&Clip], body: &BodyMap) -> String {
    let mut panels = Vec::new();
    for clip in clips {
        let poses = clip.world();
        let trajectories =
            Abstraction::ALL.map(|abstraction| (abstraction, abstract_trajectory(&poses, body, abstraction)));
        let course = abstract_trajectory(&poses, body, Abstraction::Gaussian);
        let curves = |see: &dyn Fn(&[Vec2]) -> Vec<[f64; 2]>| -> Vec<Curve> {
            let curve = |(abstraction, trajectory): &(Abstraction, Vec<Vec2>)| Curve {
                name: technique_name(*abstraction).to_string(),
                points: see(trajectory),
                colour: colour_of(*abstraction),
                dash: Dash::Solid,
            };
            trajectories.iter().map(curve).collect()
        };
        let view = View::along(&course);
        panels.push(from_above(format!("{} from above", clip.name), curves(&|trajectory| view.see(trajectory))));
        let title = format!("{}, to the left of the smoothed trajectory", clip.name);
        panels.push(over_distance(title, curves(&|trajectory| unrolled(trajectory, &course))));
    }
    trajectories_plot("The pelvis and its abstractions (GRAPH figure 7)", &panels)
}

/// GRAPH figure 10: the test paths, and the pelvis of the standard method and of Gaussian smoothing through the largest graph.
pub fn plot_examples(study: &AbstractionsStudy) -> String {
    let mut panels = Vec::new();
    for (test, (own, name)) in study.tests.iter().zip(TEST_NAMES).enumerate() {
        let path = &own.path.points;
        let view = View::along(path);
        for abstraction in [Abstraction::Pelvis, Abstraction::Gaussian] {
            let is_meant =
                |trajectory: &&ExampleTrajectory| trajectory.test == test && trajectory.abstraction == abstraction;
            let Some(example) = study.examples.iter().find(is_meant) else { continue };
            let curves = |path_points, trajectory_points, recorded: Vec<[f64; 2]>| {
                let curve = |name: &str, points, colour, dash| Curve { name: name.to_string(), points, colour, dash };
                vec![
                    curve("query path", path_points, 5, Dash::Dashed),
                    curve("pelvis of the recording", recorded, 2, Dash::Solid),
                    curve("pelvis that follows", trajectory_points, 4, Dash::Solid),
                ]
            };
            let title = format!("{name}: {}", technique_name(abstraction));
            let recorded = &own.trajectory;
            panels.push(from_above(
                title.clone(),
                curves(view.see(path), view.see(&example.trajectory), view.see(recorded)),
            ));
            let aside = curves(unrolled(path, path), unrolled(&example.trajectory, path), unrolled(recorded, path));
            panels.push(over_distance(format!("{title}, to the left of the path"), aside));
        }
    }
    trajectories_plot("Query paths and the pelvis that follows them, largest graph (GRAPH figure 10)", &panels)
}

fn from_above(title: String, curves: Vec<Curve>) -> TrajectoriesPanel {
    let chart = Chart { title, x: "along, m".to_string(), y: "aside, m".to_string(), curves };
    TrajectoriesPanel { chart, is_from_above: true }
}

fn over_distance(title: String, curves: Vec<Curve>) -> TrajectoriesPanel {
    let chart = Chart { title, x: "distance, m".to_string(), y: "to the left, cm".to_string(), curves };
    TrajectoriesPanel { chart, is_from_above: false }
}

/// A trajectory as it lies best on a page: from its first point to its last to the right, its left up.
struct View {
    from: Vec2,
    right: Vec2,
}

impl View {
    fn along(trajectory: &[Vec2]) -> View {
        let from = trajectory.first().copied().unwrap_or(Vec2::ZERO);
        let to = trajectory.last().copied().unwrap_or(Vec2::Y);
        View { from, right: (to - from).normalize_or(Vec2::Y) }
    }

    fn see(&self, trajectory: &[Vec2]) -> Vec<[f64; 2]> {
        let point = |at: &Vec2| {
            let from = *at - self.from;
            [from.dot(self.right), left_of(self.right, from)]
        };
        trajectory.iter().map(point).collect()
    }
}

/// How far a point is to the left of a direction: heading 0 is +Z, the second coordinate, and its left is +X.
fn left_of(direction: Vec2, from: Vec2) -> f64 {
    from.x * direction.y - from.y * direction.x
}

/// A trajectory against a course: metres along it, and centimetres to its left, of each point from the nearest of the course.
fn unrolled(trajectory: &[Vec2], course: &[Vec2]) -> Vec<[f64; 2]> {
    if course.len() < 2 {
        return Vec::new();
    }
    let mut along = vec![0.0; course.len()];
    for k in 1..course.len() {
        along[k] = along[k - 1] + course[k - 1].distance(course[k]);
    }
    let of_point = |point: &Vec2| {
        let on_piece = |k: usize| {
            let (a, b) = (course[k], course[k + 1]);
            let length = a.distance(b);
            let direction = (b - a).normalize_or_zero();
            let t = (*point - a).dot(direction).clamp(0.0, length);
            let nearest = a + direction * t;
            (point.distance(nearest), [along[k] + t, 100.0 * left_of(direction, *point - a)])
        };
        let nearest = (0..course.len() - 1).map(on_piece).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or([f64::NAN; 2], |found| found.1)
    };
    trajectory.iter().map(of_point).collect()
}

/// GRAPH figures 8, 9, 11 and 12: each with the name of its file.
pub fn plot_techniques(study: &AbstractionsStudy) -> Vec<(&'static str, String)> {
    let skating = |run: &AbstractionRun| run.metrics.skating.per_frame().map(|metres| 100.0 * metres);
    let amplitude = |run: &AbstractionRun| Some(100.0 * run.metrics.sway.map_or(0.0, |sway| sway.amplitude));
    let straight =
        study.tests.first().map(|test| MeanLevel { name: "recorded".to_string(), value: 100.0 * test.sway.amplitude });
    vec![
        (
            "figure-8.svg",
            over_graphs(
                study,
                "Foot skating over all paths (GRAPH figure 8)",
                "foot skating, cm/frame",
                |_| true,
                skating,
                None,
            ),
        ),
        (
            "figure-9.svg",
            overall(
                study,
                "Amplitude: difference from the recordings, all paths and graphs (GRAPH figure 9)",
                "absolute difference of the mean amplitude, cm",
                |run| Some(100.0 * study.amplitude_difference(run)),
            ),
        ),
        (
            "figure-11.svg",
            over_graphs(
                study,
                "Amplitude along the straight path (GRAPH figure 11)",
                "amplitude, cm",
                |run| run.test == 0,
                amplitude,
                straight,
            ),
        ),
        (
            "figure-12.svg",
            overall(
                study,
                "Wavelength: difference from the recordings, all paths and graphs (GRAPH figure 12)",
                "absolute difference of the mean wavelength, cm",
                |run| study.wavelength_difference(run).map(|metres| 100.0 * metres),
            ),
        ),
    ]
}

/// The techniques that were compared.
fn techniques(study: &AbstractionsStudy) -> Vec<Abstraction> {
    Abstraction::ALL
        .into_iter()
        .filter(|abstraction| study.runs.iter().any(|run| run.abstraction == *abstraction))
        .collect()
}

/// Where graphs are in figures: graphs of the paper's sizes as wide apart as its thresholds, others by their edges.
fn graph_axis(study: &AbstractionsStudy) -> (&'static str, Vec<f64>) {
    let papers = paper::TABLE_6.iter().map(|row| (row.edges as f64 * study.scale).round() as usize);
    if papers.eq(study.graphs.iter().map(|graph| graph.wanted_edges)) {
        let thresholds = paper::TABLE_6.iter().map(|row| row.threshold);
        return ("graph, by the paper's threshold whose number of edges it has", thresholds.collect());
    }
    ("edges of the graph", study.graphs.iter().map(|graph| graph.shape.n_edges as f64).collect())
}

fn over_graphs(
    study: &AbstractionsStudy,
    title: &str,
    y: &str,
    is_meant: impl Fn(&AbstractionRun) -> bool,
    value: impl Fn(&AbstractionRun) -> Option<f64>,
    level: Option<MeanLevel>,
) -> String {
    let (x, places) = graph_axis(study);
    let series = techniques(study).into_iter().map(|abstraction| MeanSeries {
        name: technique_name(abstraction).to_string(),
        points: (0..study.graphs.len())
            .map(|graph| {
                let of_graph =
                    |run: &AbstractionRun| run.abstraction == abstraction && run.graph == graph && is_meant(run);
                let [mean, error] = mean_and_error(study.summary(of_graph, &value));
                MeanPoint { x: places[graph], mean, error }
            })
            .collect(),
        colour: colour_of(abstraction),
    });
    means_plot(&MeansPlot {
        title: title.to_string(),
        x: x.to_string(),
        y: y.to_string(),
        series: series.collect(),
        level,
    })
}

fn overall(study: &AbstractionsStudy, title: &str, x: &str, value: impl Fn(&AbstractionRun) -> Option<f64>) -> String {
    let bar = |abstraction: Abstraction| {
        let [mean, error] = mean_and_error(study.summary(|run| run.abstraction == abstraction, &value));
        MeanBar { name: technique_name(abstraction).to_string(), mean, error, colour: colour_of(abstraction) }
    };
    let bars = techniques(study).into_iter().map(bar).collect();
    bars_plot(&BarsPlot { title: title.to_string(), x: x.to_string(), bars })
}

fn mean_and_error(summary: Option<Summary>) -> [f64; 2] {
    summary.map_or([f64::NAN, 0.0], |summary| [summary.mean, summary.error()])
}
