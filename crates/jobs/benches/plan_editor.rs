//! The plan editor: a dragged footprint of a hundred, from the edited plan to the frames that a window shows, and the complete walk.

use divan::Bencher;
use std::sync::{Arc, LazyLock};
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::Vec3;
use surefoot_jobs::{AnimateWith, EditorCast, PlanEditor};
use surefoot_motion::Side;

fn main() {
    divan::main();
}

static CAST: LazyLock<Arc<EditorCast>> = LazyLock::new(|| {
    let cast = EditorCast::load(Arc::default(), None, None).unwrap();
    cast.composer().unwrap();
    Arc::new(cast)
});

/// A walk that bends to one side and back, with times left open.
fn plan(n_footprints: usize) -> FootPlan {
    let print = |index: usize| {
        let (side, aside) = if index.is_multiple_of(2) { (Side::Left, 0.09) } else { (Side::Right, -0.09) };
        let along = 0.62 * index.saturating_sub(1) as f64;
        Footprint::at(side, Vec3::new(aside + 0.6 * (0.25 * along).sin(), 0.0, along))
    };
    FootPlan { footprints: (0..n_footprints).map(print).collect() }
}

fn solved(plan: &FootPlan, with: AnimateWith) -> PlanEditor {
    let mut editor = PlanEditor::new(CAST.clone(), None, with);
    editor.solve(plan).unwrap();
    editor
}

#[divan::bench(args = [2, 50, 98])]
fn preview_of_100(bencher: Bencher<'_, '_>, dragged: usize) {
    let mut plan = plan(100);
    let mut editor = solved(&plan, AnimateWith::Compose);
    let mut by = 0.02;
    bencher.bench_local(|| {
        plan.footprints[dragged].position.x += by;
        by = -by;
        editor.preview(&plan).unwrap().expect("it is walked")
    });
}

#[divan::bench(args = [100], sample_count = 10)]
fn solve(bencher: Bencher<'_, '_>, n_footprints: usize) {
    let plan = plan(n_footprints);
    let mut editor = solved(&plan, AnimateWith::Compose);
    bencher.bench_local(|| editor.solve(&plan).unwrap());
}
