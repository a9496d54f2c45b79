//! Databases that have never seen a recording, or its actor.

use crate::{CanonicalStep, StepDatabase};

/// A database without the steps of some takes and their mirror images; `None` if too little is left.
pub fn without_takes(database: &StepDatabase, names: &[&str]) -> Option<StepDatabase> {
    keep(database, |step| !names.contains(&&*step.source.take))
}

/// A database without all steps of an actor ([`crate::actor_of`]) and their mirror images; `None` if too little is left.
pub fn without_actor(database: &StepDatabase, actor: &str) -> Option<StepDatabase> {
    keep(database, |step| step.source.actor() != actor)
}

/// A database of the steps of an actor alone; `None` if there are too few.
pub fn only_actor(database: &StepDatabase, actor: &str) -> Option<StepDatabase> {
    keep(database, |step| step.source.actor() == actor)
}

fn keep(database: &StepDatabase, is_kept: impl Fn(&CanonicalStep) -> bool) -> Option<StepDatabase> {
    let mut parts = database.parts().clone();
    parts.steps.retain(is_kept);
    StepDatabase::new(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildOptions, StepCollector};
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    fn database(takes: &[&str]) -> StepDatabase {
        let take = synthetic_walk(&WalkerOptions::default()).take;
        let mut collector =
            StepCollector::new(take.clip.skeleton.clone(), take.body.clone(), &take, BuildOptions::default());
        for name in takes {
            let _ = collector.add(name, &take);
        }
        collector.finish().expect("a walk has steps")
    }

    fn names(database: Option<StepDatabase>) -> Vec<String> {
        let database = database.expect("steps are left");
        let mut names: Vec<String> = database.steps().iter().map(|step| step.source.take.to_string()).collect();
        names.dedup();
        names
    }

    #[test]
    fn takes_and_actors_are_left_out_with_their_mirror_images() {
        let all = database(&["16_01", "16_02", "160_01"]);
        assert_eq!(names(without_takes(&all, &["16_01"])), ["16_02", "160_01"]);
        assert_eq!(names(without_takes(&all, &["16_01", "160_01"])), ["16_02"]);
        assert_eq!(names(without_actor(&all, "16")), ["160_01"]);
        assert_eq!(names(without_actor(&all, "1")), ["16_01", "16_02", "160_01"]);
        assert!(without_actor(&database(&["16_01", "16_02"]), "16").is_none());
        assert_eq!(names(only_actor(&all, "16")), ["16_01", "16_02"]);
        assert!(only_actor(&all, "17").is_none());
    }
}
