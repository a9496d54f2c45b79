//! Trunk and arms of one recorded step on the legs of a blend.
//!
//! Reference: STRIDE 7.2: blending is a low-pass filter, which makes arms swing less than any of the blended steps' do. "A
//! possible solution could lie in splicing a different motion onto the upper body"; 8.4 asks for postures to count then.
//!
//! 1. [`choose_upper`]: of the steps that resemble the query most, the one with the least sum of D_high, in which times
//!    count, and of what its trunk and arms differ by from those of the step before where the two meet.
//! 2. [`splice_upper`]: its joints above the hips take the place of the blend's, carried to the query like the blend
//!    (`step_model`). Rows are of the same phase in all steps: lifting and landing of the same foot are at the same rows.
//!
//! The pelvis stays the blend's: legs hang on it.
//!
//! Off by default: over recordings it comes less near than the blend does (`docs/EVALUATE.md`).

use super::choose::ChooseMemory;
use super::high_tree::Found;
use super::step_inputs::{StepInputs, turn_places};
use super::{ChooseOptions, StepDatabase, StepQuery, StepSpace};

/// Leaves of the tree whose steps are looked at.
const N_LEAVES: usize = 8;

/// The step whose trunk and arms suit a query best, after the one whose were taken before.
pub(super) fn choose_upper(
    database: &StepDatabase,
    space: &StepSpace,
    query: &StepQuery,
    options: &ChooseOptions,
    before: Option<usize>,
    memory: &mut ChooseMemory,
) -> usize {
    let tree = space.tree();
    tree.gather(query, &options.weights, N_LEAVES, &mut memory.gather);
    let cost = |found: &Found| {
        let change = before.map_or(0.0, |before| database.ends().upper_change(database.body(), before, found.step));
        (found.distance + options.posture * change, found.step)
    };
    let costs = memory.gather.found.iter().map(cost);
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a space has steps").1
}

/// Puts the joints above the hips of a step into blended rows. `asked` is what the rows were carried to, if they were.
pub(super) fn splice_upper(database: &StepDatabase, step: usize, asked: Option<&StepInputs>, rows: &mut [f32]) {
    let layout = database.layout();
    let source = &database.steps()[step];
    let mut own = source.rows.to_vec();
    if let Some(asked) = asked {
        let (model, inputs) = (database.model(source.swing()), database.inputs(step));
        let mut basis = model.basis(asked);
        basis.iter_mut().zip(model.basis(&inputs)).for_each(|(asked, own)| *asked -= own);
        turn_places(&mut own, layout.width(), -inputs.facing);
        model.add_to(&basis, &mut own);
    }
    for (row, own) in rows.chunks_exact_mut(layout.width()).zip(own.chunks_exact(layout.width())) {
        for joint in database.body().upper_body() {
            let at = layout.other_at(joint);
            row[at..at + 3].copy_from_slice(&own[at..at + 3]);
        }
    }
}
