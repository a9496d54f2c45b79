//! The demo's second half: the walk made to skate, its contacts detected, its feet put right.
//!
//! Everything from the skating file on is done as a user would, by `surefoot contacts` and `surefoot clean`: when feet are
//! planted is found from the motion, not known from the walk; and what is reported was measured in the bytes that are written.

use crate::clean::{CleanForm, CleanTake, clean};
use crate::convert::OutputFormat;
use crate::demo_job::{DemoFile, bytes_of, written};
use crate::job_error::JobError;
use crate::load::load_bytes;
use crate::metric_row::{MetricChange, pair_metrics};
use crate::plot_contacts::plot_contacts;
use std::f64::consts::TAU;
use surefoot_cleanup::footskate::CleanOptions;
use surefoot_contact::metrics::{MeasureOptions, is_same_skeleton, measure_take};
use surefoot_contact::{DetectOptions, SyntheticWalk, Take, detect_contacts};
use surefoot_formats::own;
use surefoot_motion::{BodyMap, Clip};
use surefoot_picture::{CleanupPlot, cleanup_plot};

/// How much farther the body travels than its feet walk: what stretching a walk to the speed of a game does. A foot slides by
/// four centimetres while it is planted.
const TRAVEL_SCALE: f64 = 1.05;
/// How far the body rises and sinks besides, in metres, as recorded floors do; and how often a second, out of step with the
/// feet.
const BOB: f64 = 0.006;
const BOB_RATE: f64 = 0.4;

/// The written file that is read back.
const CLEANED: &str = "cleaned.bvh";

/// The metrics that the demo reports; `surefoot clean --report` has all.
const REPORTED: [&str; 7] = [
    "skate_speed",
    "drift_max",
    "off_ground_max",
    "penetration_max",
    "stretch_max",
    "rotation_step_max",
    "knee_acceleration_p99",
];

/// A skating walk and what cleanup made of it.
pub(crate) struct DemoCleanup {
    source: Take,
    cleaned: CleanTake,
    /// The skating walk, its body, its contacts and their plot; the cleaned walk and the plot of both.
    pub(crate) files: Vec<DemoFile>,
}

/// The walk with a body that does not keep to its feet: it travels too far, and bobs.
fn make_skate(walk: &Clip) -> Clip {
    let mut clip = walk.clone();
    let roots: Vec<_> = clip.skeleton.roots().collect();
    for (frame, mut pose) in clip.poses_mut().iter_mut().enumerate() {
        let time = frame as f64 / walk.frame_rate;
        for &root in &roots {
            let (at, start) = (&mut pose[root].translation, walk.pose(0)[root].translation);
            at.x = start.x + TRAVEL_SCALE * (at.x - start.x);
            at.z = start.z + TRAVEL_SCALE * (at.z - start.z);
            at.y += BOB * (TAU * BOB_RATE * time).sin();
        }
    }
    clip
}

/// The skating file as it is read.
fn read_skating(bytes: &[u8]) -> Result<(Clip, BodyMap), JobError> {
    let import = load_bytes("skating.bvh", bytes)?;
    let body = import.body.map_err(|error| JobError::new("body", error.to_string()))?;
    Ok((import.clip.with_name("skating"), body))
}

impl DemoCleanup {
    /// Makes a walk skate, and cleans it.
    pub(crate) fn of(walk: &SyntheticWalk) -> Result<DemoCleanup, JobError> {
        let skating = written(&make_skate(&walk.take.clip), None, None, OutputFormat::Bvh)?;
        let (clip, body) = read_skating(&skating)?;
        let detect_options = DetectOptions::default();
        let detection = detect_contacts(&clip.world(), &body, clip.frame_rate, &detect_options);
        let contacts_plot = plot_contacts(&clip.name, clip.frame_rate, &detection, &detect_options);
        let source = Take { clip, body, contacts: detection.contacts };
        let cleaned = clean(&source, None, &CleanOptions::default(), CleanForm::Offline)
            .ok_or_else(|| JobError::new("demo", "no plant was found in the skating walk"))?;
        let mut files = vec![
            ("skating.bvh".into(), skating),
            ("skating.contacts.json".into(), own::write_contacts(&source.contacts).into_bytes()),
            ("skating-contacts.svg".into(), contacts_plot.into_bytes()),
        ];
        files.extend(cleaned_files(&source.clip, &cleaned)?);
        Ok(DemoCleanup { source, cleaned, files })
    }

    /// Before and after.
    pub(crate) fn takes(&self) -> (&Take, &Take) {
        (&self.source, &self.cleaned.take)
    }

    /// Plants that were found.
    pub(crate) fn n_plants(&self) -> usize {
        self.source.contacts.plants.iter().map(|(_, plants)| plants.len()).sum()
    }

    /// Metrics before and after, the latter of the cleaned file, by the plants and soles of the skating one.
    pub(crate) fn read_back(&self) -> Result<Vec<MetricChange>, JobError> {
        let clip = load_bytes(CLEANED, bytes_of(&self.files, CLEANED))?.clip;
        if !is_same_skeleton(&clip.skeleton, &self.source.clip.skeleton)
            || clip.n_frames() != self.source.clip.n_frames()
        {
            return Err(JobError::new("demo", format!("{CLEANED} does not read back as it was written")));
        }
        let read_back = Take { clip, ..self.cleaned.take.clone() };
        let [before, after] = [&self.source, &read_back]
            .map(|take| measure_take(take, &self.cleaned.terrain, &MeasureOptions::default()));
        let of = |measures: &surefoot_contact::metrics::Measures, name: &&str| {
            measures.metric(name).ok_or_else(|| JobError::new("demo", format!("{name} could not be measured")))
        };
        let before = REPORTED.iter().map(|name| of(&before, name)).collect::<Result<Vec<_>, _>>()?;
        let after = REPORTED.iter().map(|name| of(&after, name)).collect::<Result<Vec<_>, _>>()?;
        Ok(pair_metrics(&before, &after))
    }
}

/// The cleaned walk, and the plot of what changed.
fn cleaned_files(before: &Clip, cleaned: &CleanTake) -> Result<[DemoFile; 3], JobError> {
    let Take { clip, body, contacts } = &cleaned.take;
    let plot = CleanupPlot::measure(before, clip, body, contacts, |at| cleaned.terrain.height(at));
    Ok([
        (CLEANED.into(), written(clip, Some(body), Some(contacts), OutputFormat::Bvh)?),
        ("cleaned.glb".into(), written(clip, Some(body), Some(contacts), OutputFormat::Glb)?),
        ("cleanup.svg".into(), cleanup_plot(&plot).into_bytes()),
    ])
}
