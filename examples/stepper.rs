//! Footprints pushed to a stepper while its frames are played, as a game does it at 60 Hz; one of them is replaced in the middle.
//!
//! `cargo run --example stepper`

use std::sync::Arc;
use surefoot::gait::{Gait, GaitOptions, GaitSettings, GaitSynthesizer, Rig};
use surefoot::geom::Vec3;
use surefoot::motion::{PerSide, PersonOptions, Poses, Side, person};
use surefoot::plan::{Footprint, Stepper, Synthesizer, World};

/// Footprint `k` of a walk straight on; feet are 20 cm apart and steps 60 cm long.
fn footprint(k: usize) -> Footprint {
    let (side, x) = if k.is_multiple_of(2) { (Side::Left, 0.1) } else { (Side::Right, -0.1) };
    Footprint::at(side, Vec3::new(x, 0.0, 0.6 * k.saturating_sub(1) as f64))
}

/// Plays the frames that no later footprint changes, and prints where balls land. `down` is what was planted before.
fn play(stepper: &mut Stepper, down: &mut PerSide<bool>) {
    // One pose is written again and again: nothing is allocated per frame.
    let mut pose = stepper.skeleton().rest_pose();
    while let Some(contacts) = stepper.next_frame(&mut pose) {
        for side in Side::BOTH {
            if contacts.feet[side].ball && !down[side] {
                let (seconds, at) = (stepper.n_frames() as f64 / stepper.frame_rate(), contacts.balls[side]);
                println!("{seconds:5.2} s: the {} ball lands at [{:.3}, {:.3}]", side.name(), at.x, at.z);
            }
            down[side] = contacts.feet[side].ball;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (skeleton, body) = person(&PersonOptions::default())?;
    let rig = Rig::new(&skeleton, &body, &Poses::default())?;
    let options = GaitOptions { settings: GaitSettings::natural(Gait::Walk, 1.8), frame_rate: 60.0, standing: 0.2 };
    let gait = GaitSynthesizer::new(Arc::new(skeleton), rig, &options);

    let mut stepper = gait.start(Arc::new(World::default()), [footprint(0), footprint(1)])?;
    let mut down = PerSide::from_fn(|_| true);
    for k in 2..8 {
        stepper.push(&footprint(k))?;
        play(&mut stepper, &mut down);
    }
    // The player turns: footprints 6 and 7 are replaced, and frames from `first_frame` on are made again.
    let aside = |k: usize| Footprint { position: footprint(k).position + Vec3::new(0.25, 0.0, 0.0), ..footprint(k) };
    let replaced = stepper.replace_from(6, &[aside(6), aside(7)])?;
    println!("replaced: frames from {} on are new", replaced.first_frame);
    play(&mut stepper, &mut down);
    stepper.finish()?;
    play(&mut stepper, &mut down);
    Ok(())
}
