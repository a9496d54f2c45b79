//! The plan of a recording, and when its feet landed.

use surefoot_contact::{FootPlan, FootTracks, Take};
use surefoot_plan::extract_recorded_plan;

/// A recording's plan and when its footprints were taken.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedPlan {
    /// With headings and times, at the height that its footprints have on the median.
    pub plan: FootPlan,
    /// When the feet landed, in frames and between them, for each footprint but the two standing ones.
    pub landings: Vec<f64>,
}

/// The plan of a recording that walks on level ground.
pub fn recorded_plan(take: &Take) -> RecordedPlan {
    let mut plan = extract_recorded_plan(take);
    for print in &mut plan.footprints {
        // Contacts of a walk may show no frame with both feet down. That is the shortest double support, not a flight.
        print.support = print.support.map(|support| support.max(f64::EPSILON));
    }
    let stays = FootTracks::new(take).recorded_stances(take);
    // A foot that waits in the air at first has a footprint without a stay.
    let n_waiting = plan.footprints.len() - stays.len();
    let landings = stays.iter().skip(2 - n_waiting.min(2)).map(|stay| stay.lands_at).collect();
    RecordedPlan { plan, landings }
}
