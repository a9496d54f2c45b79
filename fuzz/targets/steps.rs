//! Step databases: as they are, and with length and checksum made right, so that the contents are reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::own::{read_steps, write_steps};
use surefoot_fuzz::offer_seeds;
use surefoot_steps::{AnalyzeOptions, BuildOptions, PruneOptions, StepCollector, analyze_steps, prune_steps};
use surefoot_contact::{WalkerOptions, synthetic_walk};
use xxhash_rust::xxh3::Xxh3Default;

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        check(data);
        if data.len() > 28 {
            check(&sealed(data));
        }
    }
);

fn check(bytes: &[u8]) {
    let Ok(database) = read_steps(bytes) else { return };
    let again = write_steps(&database);
    assert_eq!(write_steps(&read_steps(&again).expect("our own database")), again);
    let options = AnalyzeOptions { n_shots: 1, ..AnalyzeOptions::default() };
    let analysis = analyze_steps(&database, &options);
    assert!(analysis.sides.left.coverage >= 0.0);
    assert!(prune_steps(&database, &PruneOptions::default()).steps().len() <= database.steps().len());
}

/// The same with a header that is right.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut file = b"\x89STEPS\r\n\x01\0\0\0".to_vec();
    let contents = &data[28..];
    file.extend((contents.len() as u64).to_le_bytes());
    let mut hash = Xxh3Default::new();
    hash.update(&file);
    hash.update(contents);
    file.extend(hash.digest().to_le_bytes());
    file.extend(contents);
    file
}

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 4, frame_rate: 30.0, ..Default::default() });
    let skeleton = walk.take.clip.skeleton.clone();
    let mut collector = StepCollector::new(skeleton, walk.take.body.clone(), &walk.take, BuildOptions::default());
    let _ = collector.add("walk", &walk.take);
    let mut parts = collector.finish().expect("steps").parts().clone();
    // As small as it gets: one step for each foot.
    let first = parts.steps[0].clone();
    let other = parts.steps.iter().find(|step| step.swing() != first.swing()).expect("both feet").clone();
    parts.steps = vec![first, other];
    vec![write_steps(&surefoot_steps::StepDatabase::new(parts).expect("two steps"))]
}
