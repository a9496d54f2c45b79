//! Body files, for a skeleton that has a person and for one whose joints all have one name.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::LazyLock;
use surefoot_formats::own::{read_body, write_body};
use surefoot_fuzz::{mutate_words, offer_seeds};
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_motion::{BodyMap, Joint, Skeleton, WorldPose};

struct Person {
    skeletons: [Skeleton; 2],
    body: BodyMap,
}

static PERSON: LazyLock<Person> = LazyLock::new(|| {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 0, standing: 0.1, ..Default::default() });
    let skeleton = Skeleton::clone(&walk.take.clip.skeleton);
    let alike = |joint: &Joint| Joint { name: "J".to_string(), ..joint.clone() };
    let joints = skeleton.joints().iter().map(alike).collect();
    let all_alike = Skeleton::new(joints, skeleton.end_sites().to_vec()).expect("the same tree");
    Person { skeletons: [skeleton, all_alike], body: walk.take.body }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_words(data, size, max_size, seed) });

fuzz_target!(
    init: offer_seeds(seeds()),
    |data: &[u8]| {
        let person = &*PERSON;
        for skeleton in &person.skeletons {
            for base in [None, Some(&person.body)] {
                let Ok(body) = read_body(data, skeleton, base, &[]) else { continue };
                let text = write_body(&body, skeleton);
                assert_eq!(read_body(text.as_bytes(), skeleton, None, &[]).expect("our own body file"), body);
                use_body(&body, skeleton);
            }
        }
    }
);

fn use_body(body: &BodyMap, skeleton: &Skeleton) {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    assert!(body.leg_length(skeleton) > 0.0);
    for side in surefoot_motion::Side::BOTH {
        assert!(body.heel(&rest, side).is_finite() && body.ball(&rest, side).is_finite());
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let person = &*PERSON;
    let written = person.skeletons.each_ref().map(|skeleton| write_body(&person.body, skeleton).into_bytes());
    let small = [
        "body = 1\npelvis = \"Hips\"\nspine = [\"Spine\", \"Chest\"]\n[left]\nball = \"\"\ntoe = \"LeftToes_End\"\n",
        "body = 1\n[left]\nknee = \"LeftLowerLeg\"\nsole = { heel = [0, -0.1, -5e-2] }\narm = { shoulder = \"\" }\n",
        "body = 1\npelvis = \"J\"\n[right]\nhip = \"J#18\"\nknee = \"J#19\"\n",
    ];
    written.into_iter().chain(small.map(|text| text.as_bytes().to_vec())).collect()
}
