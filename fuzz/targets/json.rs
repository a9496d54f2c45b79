//! Foot plans, contacts, paths, terrains, scenes and keys of displacements: every input is tried as each of them.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use surefoot_formats::own;
use surefoot_fuzz::{mutate_words, offer_seeds};
use surefoot_contact::{Contacts, Plant, WalkerOptions, synthetic_walk};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        if let Ok(plan) = own::read_plan(data) {
            surefoot_plan::PlanChecker::default().check(&plan).expect("a plan that was read can be walked");
            let text = own::write_plan(&plan);
            let again = own::read_plan(text.as_bytes()).expect("our own plan");
            assert_eq!(own::write_plan(&again), text);
        }
        if let Ok(ranges) = own::read_contacts(data) {
            let mut contacts = Contacts::none(ranges.n_frames);
            for (side, part, frames) in ranges.ranges.clone() {
                contacts.plants[side].push(Plant { part, frames, position: Default::default() });
            }
            let text = own::write_contacts(&contacts);
            assert_eq!(own::read_contacts(text.as_bytes()).expect("our own contacts"), ranges);
        }
        if let Ok(path) = own::read_path(data) {
            assert!(path.length() > 0.0);
            assert_eq!(own::read_path(own::write_path(&path).as_bytes()).expect("our own path"), path);
        }
        if let Ok(terrain) = own::read_terrain(data) {
            assert!(terrain.height(Default::default()).is_finite() && terrain.normal(Default::default()).is_normalized());
            let text = own::write_terrain(&terrain);
            let again = own::read_terrain(text.as_bytes()).expect("our own terrain");
            assert_eq!(own::write_terrain(&again), text);
        }
        if let Ok(keys) = own::read_keys(data) {
            let text = own::write_keys(&keys);
            let again = own::read_keys(text.as_bytes()).expect("our own keys");
            assert_eq!(own::write_keys(&again), text);
        }
        if let Ok(scene) = own::read_scene(data) {
            let text = own::write_scene(&scene);
            let again = own::read_scene(text.as_bytes()).expect("our own scene");
            assert_eq!(own::write_scene(&again), text);
        }
    }
);

fn seeds() -> Vec<Vec<u8>> {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 2, frame_rate: 10.0, ..Default::default() });
    let written = [own::write_plan(&walk.plan), own::write_contacts(&walk.take.contacts)];
    let small = [
        r#"{"footplan":1,"footprints":[{"foot":"left","position":[0.1,0,0]},{"foot":"right","position":[-0.1,0,0],"heading":-3.5e1,"swing":0.4,"support":0}]}"#,
        r#"{"contacts":1,"frames":9,"left":{"heel":[[0,3],[5,9]],"ball":[]},"right":{"heel":[],"ball":[[1,2]]}}"#,
        r#"{"path":1,"points":[[0,0],[0,4],[3,7.5]]}"#,
        r#"{"scene":1,"bounds":[[-5,-5],[5,-5],[5,5],[-5,5]],"obstacles":[{"outline":[[1,1],[2,1],[2,2]],"height":1.0}],"start":{"position":[-4,-4],"heading":0},"goal":{"position":[4,4]}}"#,
        r#"{"terrain":1,"plane":{"point":[0,1,0],"slope":10,"heading":90}}"#,
        r#"{"terrain":1,"stairs":{"start":[0,1],"tread":0.28,"rise":-0.17,"steps":5,"after":0.85,"width":1}}"#,
        r#"{"terrain":1,"height_field":{"origin":[-1,-1],"spacing":0.5,"heights":[[0,0,0],[0,0.1,0]]}}"#,
        r#"{"terrain":1,"patches":{"base":0,"discs":[{"centre":[0,0.4],"radius":0.2,"height":0.1}]}}"#,
        r#"{"displacement":1,"fade":"ends","flow":"smooth","keys":[{"frame":12,"turn":"LeftArm","degrees":[30,0,-1.5],"axes":"world","tension":0.5},{"seconds":1.5,"reach":"left-hand","to":[0.3,1.2,0.5],"extent":[0.3,1]}]}"#,
        r#"{"displacement":1,"keys":[{"frame":0,"hold":["all"]},{"frame":9,"pose":"a.bvh","pose_frame":3,"joints":"arms"},{"frame":9,"move":"Hips","by":[0,1,0]}]}"#,
        "\u{feff}{\"path\":1,\"points\":[[1e3,-2.5E-1],[\"\\u00e4\\n\",null,true]]}",
    ];
    written.into_iter().map(String::into_bytes).chain(small.map(|text| text.as_bytes().to_vec())).collect()
}
