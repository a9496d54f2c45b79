//! The demo's page: a player of everything the demo made, in one file that can be handed on alone.

use crate::demo_cleanup::DemoCleanup;
use crate::demo_job::{DemoFile, DemoWalkReport};
use crate::demo_walks::DemoWalk;
use crate::job_error::JobError;
use crate::metric_row::MetricChange;
use crate::plan_report::PlanReport;
use surefoot_contact::Take;
use surefoot_ground::Terrain;
use surefoot_picture::stones_under;
use surefoot_viewer::{Actor, Arrangement, Badge, ContactsFrom, Fact, Page, Show, page_html};

/// A walk that skates and what cleanup made of it, with the files beside them.
pub(crate) struct CleanupShow<'a> {
    pub(crate) cleanup: &'a DemoCleanup,
    pub(crate) changes: &'a [MetricChange],
    pub(crate) files: &'a [&'a DemoFile],
}

/// The page.
pub(crate) fn demo_page(
    plans: &[(&DemoWalk, &DemoWalkReport)],
    cleanup: Option<&CleanupShow<'_>>,
) -> Result<String, JobError> {
    // Plans are walked on ground as high as each footprint, which is what is drawn.
    let stones: Vec<Option<Terrain>> = plans
        .iter()
        .map(|(walk, _)| {
            let Take { clip, body, contacts } = walk.take();
            stones_under(contacts, body, &clip.skeleton, 0.0)
        })
        .collect();
    let mut shows: Vec<Show<'_>> =
        plans.iter().zip(&stones).map(|((walk, back), stones)| plan_show(walk, back, stones.as_ref())).collect();
    shows.extend(cleanup.map(cleanup_show));
    page_html(&Page { title: "Surefoot demo".to_string(), shows })
        .map_err(|error| JobError::new("demo", error.to_string()))
}

fn plan_show<'a>(walk: &'a DemoWalk, back: &DemoWalkReport, stones: Option<&'a Terrain>) -> Show<'a> {
    Show {
        name: walk.demo.name.to_string(),
        about: walk.demo.what.to_string(),
        actors: vec![actor(walk.demo.name, walk.take(), ContactsFrom::Given)],
        arrangement: Arrangement::Overlay,
        terrain: stones,
        floor: 0.0,
        obstacles: &[],
        plan: Some(&walk.demo.plan),
        verdict: Some(Badge {
            grade: back.synthesis.verdict.grade.name().to_string(),
            reasons: back.synthesis.verdict.reasons.clone(),
        }),
        facts: plan_facts(back),
        links: walk.files.iter().map(|(name, _)| name.clone()).collect(),
    }
}

/// What was measured in the BVH that was read back.
fn plan_facts(back: &DemoWalkReport) -> Vec<Fact> {
    let report: &PlanReport = &back.synthesis;
    let mm = |value: f64| format!("{value:.4} mm");
    let fact = |name: &str, value: String| Fact { name: name.to_string(), value, before: None };
    let mut facts = vec![
        fact("steps", report.steps.to_string()),
        fact("seconds", format!("{:.1}", report.seconds)),
        fact("steps made", report.origins_in_words()),
        fact("ball off its footprint while planted", mm(back.largest_placement_error_in_file_mm)),
        fact("largest drift of a planted ball", mm(back.largest_drift_in_file_mm)),
        fact("footprints missed", back.unmet_in_file.to_string()),
    ];
    facts.extend(
        report.metrics.penetration_mm.map(|depth| fact("deepest foot in the ground", format!("{depth:.1} mm"))),
    );
    facts
}

fn cleanup_show<'a>(show: &'a CleanupShow<'_>) -> Show<'a> {
    let (before, after) = show.cleanup.takes();
    let number = |value: f64, unit: &str| format!("{value:.2} {unit}");
    let fact = |change: &MetricChange| Fact {
        name: change.name.replace('_', " "),
        value: number(change.after, &change.unit),
        before: Some(change.before.map_or_else(String::new, |value| number(value, &change.unit))),
    };
    Show {
        name: "cleanup".to_string(),
        about: "a walk that was made to skate, its plants detected and put right".to_string(),
        actors: vec![actor("skating", before, ContactsFrom::Detected), actor("cleaned", after, ContactsFrom::Detected)],
        arrangement: Arrangement::Overlay,
        terrain: None,
        floor: 0.0,
        obstacles: &[],
        plan: None,
        verdict: None,
        facts: show.changes.iter().map(fact).collect(),
        links: show.files.iter().map(|(name, _)| name.clone()).collect(),
    }
}

fn actor<'a>(name: &'a str, take: &'a Take, contacts_from: ContactsFrom) -> Actor<'a> {
    Actor { name, clip: &take.clip, body: Some(&take.body), mesh: None, contacts: Some(&take.contacts), contacts_from }
}
