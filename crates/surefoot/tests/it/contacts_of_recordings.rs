//! Contacts and foot plans of the recordings, against the manifest's counts of steps and against themselves at other rates.

use std::path::Path;
use surefoot::contact::{
    Contacts, DetectOptions, FootPart, HeightDetectOptions, Take, detect_by_height, detect_contacts,
};
use surefoot::formats::Import;
use surefoot::motion::{Side, resample};
use surefoot::plan::extract_plan;
use surefoot::{LoadOptions, load};
use surefoot_recordings::{Row, manifest, shared_folder};

/// A recording with feet.
struct Recording {
    row: Row,
    import: Import,
}

impl Recording {
    fn load(folder: &Path, row: Row) -> Option<Recording> {
        let mut options = LoadOptions::default();
        if row["fps_true"] != row["fps_declared"] {
            options.import.frame_rate = row["fps_true"].parse().ok();
        }
        let path = folder.join(&row["file"]);
        let import = load(&path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        import.body.is_ok().then_some(Recording { row, import })
    }

    fn contacts(&self) -> Contacts {
        let (clip, body) = (&self.import.clip, self.import.body.as_ref().expect("a body"));
        detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts
    }

    fn is(&self, behaviours: &[&str]) -> bool {
        behaviours.iter().any(|behaviour| self.row["behaviours"].contains(behaviour))
    }
}

fn n_steps(contacts: &Contacts) -> usize {
    let steps = contacts.summary().n_steps;
    steps.left + steps.right
}

/// All recordings whose steps the manifest counts. Half of the tests' time is reading them, so each is read once and given to all
/// checks.
fn recordings() -> Option<Vec<Recording>> {
    let folder = shared_folder()?.join("mocap");
    let rows = manifest(&folder).into_iter().filter(|row| row["steps"].parse::<usize>().is_ok());
    let recordings: Vec<Recording> = rows.filter_map(|row| Recording::load(&folder, row)).collect();
    assert!(recordings.len() > 100, "only {} recordings", recordings.len());
    Some(recordings)
}

#[test]
fn recordings_stand_step_and_plan_as_people_do() {
    let Some(recordings) = recordings() else { return };
    let found: Vec<(Recording, Contacts)> = recordings
        .into_iter()
        .map(|recording| {
            let contacts = recording.contacts();
            (recording, contacts)
        })
        .collect();
    steps_agree_with_the_manifest(&found);
    somebody_stands(&found);
    plants_hardly_move(&found);
    plans_can_be_walked(&found);
    a_quarter_of_the_rate_gives_the_same_plants(&found);
    heights_alone_find_the_same_balls(&found);
}

/// The manifest counted by a simple test, within one step. Nine in ten is the least; all are.
fn steps_agree_with_the_manifest(found: &[(Recording, Contacts)]) {
    let moving: Vec<_> = found.iter().filter(|(recording, _)| recording.is(&["walk", "run"])).collect();
    let mut n_agree = 0;
    for (recording, contacts) in &moving {
        let counted: usize = recording.row["steps"].parse().expect("a number");
        if n_steps(contacts).abs_diff(counted) <= 1 {
            n_agree += 1;
        } else {
            println!("{}: {} steps, manifest {counted}", recording.row["file"], n_steps(contacts));
        }
    }
    println!("steps within 1 of the manifest: {n_agree} of {} walking and running clips", moving.len());
    assert!(moving.len() > 90 && n_agree * 100 >= moving.len() * 97, "{n_agree} of {}", moving.len());
}

/// Walkers have a planted foot in every frame but where plants are cut short to be still; runners fly.
fn somebody_stands(found: &[(Recording, Contacts)]) {
    for (recording, contacts) in found {
        let summary = contacts.summary();
        let only_walks = recording.is(&["walk;straight", "walk;curve", "stairs"]) && !recording.is(&["run", "quirk"]);
        // The Daz export was rounded so coarsely that its feet jump by centimetres.
        if only_walks && recording.row["dataset"] != "cmu-bvh-daz" {
            assert!(summary.flight_share < 0.15, "{}: {summary:?}", recording.row["file"]);
        }
        if recording.is(&["run;straight", "run;fast", "run;curve"]) {
            assert!(summary.flight_share > 0.15, "{}: {summary:?}", recording.row["file"]);
            assert!(summary.double_support_share < 0.05, "{}: {summary:?}", recording.row["file"]);
        }
    }
}

/// Within plants parts stay near where they are; the worst are the noisiest recording's.
fn plants_hardly_move(found: &[(Recording, Contacts)]) {
    let mut drifts = Vec::new();
    for (recording, contacts) in found {
        let body = recording.import.body.as_ref().expect("a body");
        let poses = recording.import.clip.world();
        let errors = surefoot::contact::measure_placement(&poses, body, contacts);
        drifts.extend(errors.iter().map(|error| error.distance));
    }
    drifts.sort_by(f64::total_cmp);
    let quantile = |share: f64| drifts[(drifts.len() as f64 * share) as usize];
    println!("drift of {} plants: median {:.3} m, 99 % {:.3} m", drifts.len(), quantile(0.5), quantile(0.99));
    assert!(quantile(0.5) < 0.02 && quantile(0.99) < 0.06, "{} {}", quantile(0.5), quantile(0.99));
}

fn plans_can_be_walked(found: &[(Recording, Contacts)]) {
    for (recording, contacts) in found {
        let body = recording.import.body.as_ref().expect("a body");
        let take = Take { clip: recording.import.clip.clone(), body: body.clone(), contacts: contacts.clone() };
        let plan = extract_plan(&take);
        let moves = recording.is(&["walk", "run", "jump", "stairs", "step", "hop", "turn"]);
        if moves && !recording.is(&["in-place", "keyframed", "quirk:zero-lead-frames"]) {
            assert_eq!(surefoot::plan::PlanChecker::default().check(&plan), Ok(()), "{}", recording.row["file"]);
            assert!(plan.footprints.len() >= n_steps(contacts), "{}", recording.row["file"]);
        }
    }
}

/// Plants last whole steps: at 30 Hz there are as many, and their edges are where they were, within two frames for most.
fn a_quarter_of_the_rate_gives_the_same_plants(found: &[(Recording, Contacts)]) {
    let (mut n_plants, mut n_found, mut edges) = (0, 0, Vec::new());
    for (recording, contacts) in found.iter().filter(|(recording, _)| recording.import.clip.frame_rate == 120.0) {
        let body = recording.import.body.as_ref().expect("a body");
        let clip = resample(&recording.import.clip, 30.0).expect("a rate");
        let slow = detect_contacts(&clip.world(), body, 30.0, &DetectOptions::default()).contacts;
        for side in Side::BOTH {
            for plant in &contacts.plants[side] {
                n_plants += 1;
                let frames = plant.frames.start / 4..plant.frames.end.div_ceil(4);
                let Some(same) = slow.plants_within(side, plant.part, frames).next() else { continue };
                n_found += 1;
                edges.push(same.frames.start as f64 - plant.frames.start as f64 / 4.0);
                edges.push(same.frames.end as f64 - plant.frames.end as f64 / 4.0);
            }
        }
    }
    let near = edges.iter().filter(|edge| edge.abs() <= 2.0).count();
    println!("at 30 Hz {n_found} of {n_plants} plants again, {near} of {} edges within two frames", edges.len());
    assert!(n_plants > 1000 && n_found * 100 >= n_plants * 98, "{n_found} of {n_plants}");
    assert!(near * 100 >= edges.len() * 94, "{near} of {}", edges.len());
}

/// GRAPH's detector is coarser, and knows the same stays.
fn heights_alone_find_the_same_balls(found: &[(Recording, Contacts)]) {
    let (mut n_balls, mut n_found) = (0, 0);
    for (recording, contacts) in found.iter().filter(|(recording, _)| recording.is(&["walk;straight"])) {
        let (clip, body) = (&recording.import.clip, recording.import.body.as_ref().expect("a body"));
        let low = detect_by_height(&clip.world(), body, clip.frame_rate, &HeightDetectOptions::default());
        for side in Side::BOTH {
            for plant in contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball) {
                n_balls += 1;
                n_found += usize::from(low.plants_within(side, FootPart::Ball, plant.frames.clone()).next().is_some());
            }
        }
    }
    assert!(n_balls > 50 && n_found * 100 >= n_balls * 98, "{n_found} of {n_balls}");
}
