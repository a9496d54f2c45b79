//! The demo's first half: foot plans that become walks.

use super::{DemoFile, written};
use crate::animate::{failure, report_json, sheet_options};
use crate::report::{ENVELOPE, Failure};
use crate::steps::database_of;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use surefoot::contact::{
    metrics::PlanPlacement, metrics::StaysFrom, metrics::foot_points, metrics::is_same_skeleton,
    metrics::measure_footprints,
};
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::own;
use surefoot::picture::{FrameChoice, PictureError, RenderOptions, Subject, contact_sheet, encode_png, strobe};
use surefoot::plan::{StepOrigin, Synthesis, World};
use surefoot::steps::{StepDatabase, WalkOptions};
use surefoot::{
    ConvertOptions, DemoPlan, LoadOptions, OutputFormat, PlanReport, animate_plan, convert, demo_plans, load,
};

/// A plan, its walk and their files.
pub(super) struct PlanWalk {
    pub(super) demo: DemoPlan,
    pub(super) walk: Synthesis,
    report: PlanReport,
    pub(super) files: Vec<DemoFile>,
}

/// What the written BVH holds, in millimetres.
pub(super) struct ReadBack {
    /// Farthest of a ball from its footprint over all whole plants.
    pub(super) placement: f64,
    /// Farthest of a ball from its own median place.
    pub(super) drift: f64,
    /// Footprints that nothing stands on.
    pub(super) n_missed: usize,
}

/// Figures in a strobe picture.
const N_STROBE: usize = 10;

/// Walks all plans of the demo.
pub(super) fn walk_all(db: Option<&Path>) -> Result<Vec<PlanWalk>, Failure> {
    let database = Arc::new(database_of(db)?);
    demo_plans().into_iter().map(|demo| PlanWalk::new(&database, demo)).collect()
}

impl PlanWalk {
    fn new(database: &Arc<StepDatabase>, demo: DemoPlan) -> Result<PlanWalk, Failure> {
        let world = Arc::new(World::default());
        let walk = animate_plan(database, &world, &demo.plan, &WalkOptions::default())
            .map_err(|error| failure(&error, Path::new(demo.name)))?;
        let report = PlanReport::new(&walk.report, &walk.take.clip);
        let files = files(&demo, &walk, &report)?;
        Ok(PlanWalk { demo, walk, report, files })
    }

    /// A name of one of its files.
    pub(super) fn file(&self, ending: &str) -> String {
        format!("{}{ending}", self.demo.name)
    }

    /// The content of one of its files.
    pub(super) fn bytes(&self, ending: &str) -> &[u8] {
        let name = self.file(ending);
        self.files.iter().find(|(file, _)| *file == name).map_or(&[], |(_, bytes)| bytes)
    }

    /// Measures the BVH in a folder against the plan.
    pub(super) fn read_back(&self, folder: &Path) -> Result<ReadBack, Failure> {
        let name = self.file(".bvh");
        let clip = load(&folder.join(&name), &LoadOptions::default())?.clip;
        let written = &self.walk.take;
        if !is_same_skeleton(&clip.skeleton, &written.clip.skeleton) || clip.n_frames() != written.clip.n_frames() {
            return Err(Failure::new("demo", format!("{name} does not read back as it was written")));
        }
        let feet = foot_points(&clip.world(), &clip.skeleton, &self.walk.take.body);
        let plan = &self.demo.plan;
        let PlanPlacement { footprints, .. } =
            measure_footprints(plan, &feet, &written.contacts, clip.frame_rate, StaysFrom::Contacts);
        let n_missed = footprints.iter().filter(|found| found.is_none()).count();
        let (mut placement, mut drift) = (0.0f64, 0.0f64);
        for (print, found) in plan.footprints.iter().zip(&footprints) {
            let Some(found) = found else { continue };
            drift = drift.max(found.drift);
            for frame in found.frames.clone() {
                placement = placement.max(feet[print.side].ball[frame].distance(print.position));
            }
        }
        Ok(ReadBack { placement: 1000.0 * placement, drift: 1000.0 * drift, n_missed })
    }

    /// `9 blended, 3 extrapolated`.
    pub(super) fn ways(&self) -> String {
        self.report.origins_in_words()
    }

    /// Seconds of the walk.
    pub(super) fn seconds(&self) -> f64 {
        self.walk.take.clip.duration()
    }

    pub(super) fn tell(&self, back: &ReadBack, text: &mut String) {
        let _ = writeln!(text, "{}: {}", self.demo.name, self.demo.what);
        let _ = writeln!(text, "  walked in {:.1} s; steps {}", self.seconds(), self.ways());
        let _ = writeln!(
            text,
            "  {}: over every whole plant the ball stays within {:.4} mm of its footprint, {} missed",
            self.file(".bvh"),
            back.placement,
            back.n_missed
        );
    }

    pub(super) fn to_json(&self, back: &ReadBack) -> Value {
        json!({
            "name": self.demo.name,
            "what": self.demo.what,
            "file": self.file(".bvh"),
            "steps": self.demo.plan.footprints.len() - 2,
            "seconds": self.seconds(),
            "verdict": self.report.verdict.grade,
            "blended": self.walk.report.n_of(StepOrigin::Blended),
            "extrapolated": self.walk.report.n_of(StepOrigin::Extrapolated),
            "ik_corrected": self.walk.report.n_of(StepOrigin::IkCorrected),
            "farthest_outside_cm": self.report.farthest_outside_cm,
            "missed": back.n_missed,
            "largest_ball_error_mm": back.placement,
            "largest_drift_mm": back.drift,
        })
    }
}

/// Plan, motion, contacts, pictures and report.
fn files(demo: &DemoPlan, walk: &Synthesis, report: &PlanReport) -> Result<Vec<DemoFile>, Failure> {
    let (clip, contacts) = (&walk.take.clip, &walk.take.contacts);
    let with_body = ConvertOptions { body_mesh: BodyMesh::With, ..ConvertOptions::default() };
    let glb = convert(clip, Some(&walk.take.body), Some(contacts), OutputFormat::Glb, &with_body)
        .map_err(|error| Failure::new("output", error.to_string()))?;
    let subject = Subject { clip, body: Some(&walk.take.body), contacts: Some(contacts) };
    let title = Some(demo.name.to_string());
    let sheet = RenderOptions { title: title.clone(), ..sheet_options(walk) };
    let along = RenderOptions { frames: FrameChoice::EvenlyAlongPath(N_STROBE), title, ..RenderOptions::default() };
    let draw = || -> Result<[Vec<u8>; 2], PictureError> {
        Ok([encode_png(&contact_sheet(&subject, &sheet)?)?, encode_png(&strobe(&subject, &along)?)?])
    };
    let [sheet, strobe] = draw().map_err(|error| Failure::new("picture", error.to_string()))?;
    let report = json!({ "surefoot": ENVELOPE, "command": "animate", "result": report_json(report) });
    let name = demo.name;
    Ok(vec![
        (format!("{name}.plan.json"), own::write_plan(&demo.plan).into_bytes()),
        (format!("{name}.contacts.json"), own::write_contacts(contacts).into_bytes()),
        (format!("{name}.report.json"), format!("{report:#}\n").into_bytes()),
        (format!("{name}.bvh"), written(clip, Some(&walk.take.body), Some(contacts), OutputFormat::Bvh)?),
        (format!("{name}.glb"), glb.bytes),
        (format!("{name}-sheet.png"), sheet),
        (format!("{name}-strobe.png"), strobe),
    ])
}
