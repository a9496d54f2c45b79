//! A plan that says where its flights are.

use surefoot_contact::{Behaviour, FootPlan};
use surefoot_plan::{SynthesisReport, TOGETHER};

/// A plan with its flights as they were made: `"support": 0` where nobody is planted when a foot lands, unless the plan has times there. Walked
/// footprints stay without times, and behaviours that were left open stay open: they are decided alike again. Whoever reads plans of
/// version 1, which have no behaviours, learns so that not all of it is walked.
pub fn plan_as_flown(plan: &FootPlan, report: &SynthesisReport) -> FootPlan {
    let mut plan = plan.clone();
    let mut landed = f64::NEG_INFINITY;
    for row in report.footprints.iter().filter(|row| row.behaviour.is_some_and(Behaviour::is_flight)) {
        let print = &mut plan.footprints[row.index];
        // Of two feet that land together, the second does not find the first one gone.
        if (row.land - landed).abs() > TOGETHER && print.land.is_none() && print.support.is_none() {
            print.support = Some(0.0);
        }
        landed = row.land;
    }
    plan
}
