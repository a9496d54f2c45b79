//! The demo's first half: foot plans that become walks.

use crate::animate_job::step_failure;
use crate::build_behaviours_job::corpus_behaviours;
use crate::composer::compose_on;
use crate::convert::{ConvertOptions, Converted, OutputFormat, convert};
use crate::demo_courses::demo_courses;
use crate::demo_job::{DemoFile, DemoWalkReport, bytes_of, written};
use crate::demo_plans::{DemoPlan, demo_plans};
use crate::job::{Envelope, to_json_text};
use crate::job_error::JobError;
use crate::load::load_bytes;
use crate::plan_as_flown::plan_as_flown;
use crate::plan_report::PlanReport;
use crate::walk_picture::walk_sheet_options;
use std::path::Path;
use std::sync::Arc;
use surefoot_compose::FlightLibrary;
use surefoot_contact::Take;
use surefoot_contact::metrics::{PlanPlacement, StancesFrom, foot_points, is_same_skeleton, measure_footprints};
use surefoot_formats::gltf::BodyMesh;
use surefoot_formats::own;
use surefoot_gait::{CorpusError, CorpusOptions};
use surefoot_picture::{FrameChoice, PictureError, RenderOptions, Subject, contact_sheet, encode_png, strobe};
use surefoot_plan::{Synthesis, Synthesizer, World, synthesize};
use surefoot_steps::{StepDatabase, Steps, WalkOptions};

/// A plan, its walk and their files.
pub(crate) struct DemoWalk {
    pub(crate) demo: DemoPlan,
    walk: Synthesis,
    pub(crate) files: Vec<DemoFile>,
}

/// Figures in a strobe picture.
const N_STROBE: usize = 10;

/// Walks all plans of the demo.
pub(crate) fn walk_demo_plans(
    (database, flights): (&Arc<StepDatabase>, &FlightLibrary),
    begin: &mut dyn FnMut(&str) -> Result<(), JobError>,
) -> Result<Vec<DemoWalk>, JobError> {
    let failed = |error: CorpusError| JobError::new("corpus", error.to_string());
    let behaviours = corpus_behaviours(&CorpusOptions::default()).map_err(failed)?;
    let steps = Steps::new(database.clone(), WalkOptions::default());
    let composer = compose_on((&steps, flights), &behaviours, None, None)?;
    let walks = demo_plans().into_iter().map(|demo| (demo, &steps as &dyn Synthesizer));
    let courses = demo_courses().into_iter().map(|demo| (demo, &composer as &dyn Synthesizer));
    let walk = |(demo, synthesizer): (DemoPlan, &dyn Synthesizer)| {
        begin(demo.name)?;
        DemoWalk::new(synthesizer, demo)
    };
    walks.chain(courses).map(walk).collect()
}

impl DemoWalk {
    fn new(synthesizer: &dyn Synthesizer, demo: DemoPlan) -> Result<DemoWalk, JobError> {
        let world = Arc::new(World::default());
        let walk = synthesize(synthesizer, &world, &demo.plan, "walk")
            .map_err(|error| step_failure(&error, Path::new(demo.name)))?;
        let files = files(&demo, &walk)?;
        Ok(DemoWalk { demo, walk, files })
    }

    /// Its motion.
    pub(crate) fn take(&self) -> &Take {
        &self.walk.take
    }

    /// A name of one of its files.
    pub(crate) fn file(&self, ending: &str) -> String {
        format!("{}{ending}", self.demo.name)
    }

    /// Measures the BVH that is written against the plan.
    pub(crate) fn read_back(&self) -> Result<DemoWalkReport, JobError> {
        let name = self.file(".bvh");
        let clip = load_bytes(&name, bytes_of(&self.files, &name))?.clip;
        let written = &self.walk.take;
        if !is_same_skeleton(&clip.skeleton, &written.clip.skeleton) || clip.n_frames() != written.clip.n_frames() {
            return Err(JobError::new("demo", format!("{name} does not read back as it was written")));
        }
        let feet = foot_points(&clip.world(), &clip.skeleton, &written.body);
        let plan = &self.demo.plan;
        let PlanPlacement { footprints, .. } =
            measure_footprints(plan, &feet, &written.contacts, clip.frame_rate, StancesFrom::Contacts);
        let (mut placement, mut drift) = (0.0f64, 0.0f64);
        for (print, found) in plan.footprints.iter().zip(&footprints) {
            let Some(found) = found else { continue };
            drift = drift.max(found.drift);
            for frame in found.frames.clone() {
                placement = placement.max(feet[print.side].ball[frame].distance(print.position));
            }
        }
        Ok(DemoWalkReport {
            name: self.demo.name.to_string(),
            what: self.demo.what.to_string(),
            file: name,
            unmet_in_file: footprints.iter().filter(|found| found.is_none()).count(),
            largest_placement_error_in_file_mm: 1000.0 * placement,
            largest_drift_in_file_mm: 1000.0 * drift,
            synthesis: PlanReport::new(&self.walk.report, &written.clip),
        })
    }
}

/// Plan, motion, contacts, pictures and report.
fn files(demo: &DemoPlan, walk: &Synthesis) -> Result<Vec<DemoFile>, JobError> {
    let take = &walk.take;
    let (clip, body, contacts) = (&take.clip, Some(&take.body), Some(&take.contacts));
    let with_body = ConvertOptions { body_mesh: BodyMesh::With, ..ConvertOptions::default() };
    let glb = convert(clip, body, contacts, OutputFormat::Glb, &with_body)
        .and_then(Converted::into_bytes)
        .map_err(|error| JobError::new("output", error.to_string()))?;
    let subject = Subject { clip, body, contacts, terrain: None };
    let title = Some(demo.name.to_string());
    let sheet = RenderOptions { title: title.clone(), ..walk_sheet_options(demo.plan.footprints.len()) };
    let along = RenderOptions { frames: FrameChoice::EvenlyAlongPath(N_STROBE), title, ..RenderOptions::default() };
    let draw = || -> Result<[Vec<u8>; 2], PictureError> {
        Ok([encode_png(&contact_sheet(&subject, &sheet)?)?, encode_png(&strobe(&subject, &along)?)?])
    };
    let [sheet, strobe] = draw().map_err(|error| JobError::new("picture", error.to_string()))?;
    let report = to_json_text(&Envelope::new("animate", PlanReport::new(&walk.report, clip)));
    let name = demo.name;
    let flown = plan_as_flown(&demo.plan, &walk.report);
    let mut files = Vec::new();
    if flown != demo.plan {
        files.push((format!("{name}.footprints.json"), own::write_plan(&demo.plan).into_bytes()));
    }
    files.extend([
        (format!("{name}.plan.json"), own::write_plan(&flown).into_bytes()),
        (format!("{name}.contacts.json"), own::write_contacts(&take.contacts).into_bytes()),
        (format!("{name}.report.json"), report.into_bytes()),
        (format!("{name}.bvh"), written(clip, body, contacts, OutputFormat::Bvh)?),
        (format!("{name}.glb"), glb),
        (format!("{name}-sheet.png"), sheet),
        (format!("{name}-strobe.png"), strobe),
    ]);
    Ok(files)
}
