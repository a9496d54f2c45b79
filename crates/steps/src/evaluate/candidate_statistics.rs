//! Which of the spanning neighbours were replaced, and by how many alternatives (STRIDE 7.4).

use crate::choose::region_beyond;
use crate::{Choice, Made, StepDatabase};

/// The candidate statistics of STRIDE 7.4.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CandidateStatistics {
    /// Steps that were blended inside the hull.
    pub n_steps: usize,
    /// Their spanning neighbours.
    pub n_neighbours: usize,
    /// Neighbours whose region held any other step.
    pub with_alternatives: usize,
    /// Neighbours that were replaced.
    pub replaced: usize,
    /// Other steps in all regions together.
    pub alternatives: usize,
    /// Sum over replaced neighbours of the weight before divided by the weight after.
    pub weight_loss: f64,
}

impl CandidateStatistics {
    /// Adds those of other walks.
    pub fn merge(&mut self, other: &CandidateStatistics) {
        self.n_steps += other.n_steps;
        self.n_neighbours += other.n_neighbours;
        self.with_alternatives += other.with_alternatives;
        self.replaced += other.replaced;
        self.alternatives += other.alternatives;
        self.weight_loss += other.weight_loss;
    }

    /// Adds the choices of a walk.
    pub fn add(&mut self, database: &StepDatabase, choices: &[Choice]) {
        for choice in choices.iter().filter(|choice| choice.made == Made::Inside) {
            let corners = choice.neighbours.map(|n| n.map(|n| database.steps()[n.spanning.step].point()));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
            let swing = database.steps()[choice.heaviest()].swing();
            self.n_steps += 1;
            for (i, neighbour) in choice.neighbours.iter().flatten().enumerate() {
                self.n_neighbours += 1;
                // The neighbour itself lies on the edge of its own region.
                let found = region_beyond([a, b, c, d], i)
                    .map_or(0, |region| database.space(swing).count_in(&region).saturating_sub(1));
                self.alternatives += found;
                self.with_alternatives += usize::from(found > 0);
                if let Some((step, _)) = neighbour.replaced_by {
                    self.replaced += 1;
                    let after = choice.parts().iter().find(|part| part.step == step).map_or(0.0, |part| part.weight);
                    self.weight_loss += neighbour.spanning.weight / after.max(1e-3);
                }
            }
        }
    }
}
