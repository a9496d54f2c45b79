//! The jumps of the corpus: every pattern with its mirror image, several distances and heights, from standing, walking and
//! running; hops and sequences.

use super::CorpusKind;
use super::script::Script;
use crate::{Approach, JumpOptions, lay_jumps};
use std::f64::consts::{FRAC_PI_2, PI};
use surefoot_geom::Vec2;
use surefoot_ground::{Stairs, Terrain};
use surefoot_plan::Feet;

/// Distances of jumps from standing, from a walk and from a run, at 1.8 m.
const STANDING_JUMPS: [f64; 5] = [0.0, 0.3, 0.6, 0.9, 1.3];
const WALKING_JUMPS: [f64; 3] = [0.6, 0.9, 1.2];
const RUNNING_JUMPS: [f64; 3] = [1.3, 1.7, 2.2];
/// Heights of boxes jumped onto and down from.
const BOXES: [f64; 3] = [0.15, 0.3, 0.45];
/// Distances of hops.
const HOPS: [f64; 4] = [0.0, 0.2, 0.4, 0.6];

impl Script<'_> {
    pub(super) fn jumps(&mut self) {
        let both = JumpOptions::default();
        for distance in STANDING_JUMPS {
            self.jump(&format!("{distance:.2}m"), "from standing", &JumpOptions { distance, ..both });
        }
        for (word, direction, distance) in [("left", FRAC_PI_2, 0.4), ("right", -FRAC_PI_2, 0.4), ("back", PI, 0.35)] {
            self.jump(word, "from standing", &JumpOptions { distance, direction, ..both });
        }
        for degrees in [45.0_f64, 90.0, 180.0, -45.0, -90.0, -180.0] {
            let turn = degrees.to_radians();
            self.jump(&format!("turn{degrees}"), "turning in the air", &JumpOptions { distance: 0.0, turn, ..both });
        }
        for distance in [0.3, 0.6] {
            self.jump(&format!("4x{distance:.2}m"), "in a row", &JumpOptions { distance, count: 4, ..both });
        }
        for height in BOXES {
            self.box_jump(height, &JumpOptions { distance: 0.75, ..both });
            self.box_jump(-height, &JumpOptions { distance: 0.75, ..both });
        }
        for distance in [0.4, 0.8] {
            let options = JumpOptions { distance, approach: Approach::Walk, ..both };
            self.jump(&format!("walk-{distance:.2}m"), "after walking", &options);
        }
        let one = |feet: Feet| if feet == Feet::Left { Feet::Right } else { Feet::Left };
        for feet in [Feet::Left, Feet::Right] {
            for distance in [0.3, 0.6, 0.9] {
                self.jump(
                    &format!("{distance:.2}m"),
                    "from standing",
                    &JumpOptions { landing: feet, distance, ..both },
                );
            }
            for landing in [Feet::Both, one(feet)] {
                let options = JumpOptions { take_off: feet, landing, ..both };
                for distance in WALKING_JUMPS {
                    let options = JumpOptions { distance, approach: Approach::Walk, ..options };
                    self.jump(&format!("walk-{distance:.2}m"), "from a walk", &options);
                }
                for distance in RUNNING_JUMPS {
                    let options = JumpOptions { distance, approach: Approach::Run, ..options };
                    self.jump(&format!("run-{distance:.2}m"), "from a run", &options);
                }
            }
            for distance in HOPS {
                let options = JumpOptions { take_off: feet, landing: feet, distance, count: 4, ..both };
                self.jump(&format!("4x{distance:.2}m"), "in a row", &options);
            }
        }
    }

    fn jump(&mut self, word: &str, how: &str, options: &JumpOptions) {
        let scaled = JumpOptions { distance: options.distance * self.scale, ..*options };
        let plan = lay_jumps(&scaled, self.scale).expect("jumps that the corpus itself laid out");
        let (kind, name, what) = self.named(word, how, options);
        let settings = self.walk();
        self.add_climb(kind, (name, what), (settings, None), plan);
    }

    /// Onto a box or down from one, with room for a foot before its edge and behind it.
    fn box_jump(&mut self, height: f64, options: &JumpOptions) {
        let start = Vec2::new(0.0, 0.5 * options.distance * self.scale);
        let shape = Stairs { start, tread: 4.0, rise: height * self.scale, n_steps: 1, ..Stairs::default() };
        let Ok(terrain) = Terrain::stairs(shape) else { return };
        let scaled = JumpOptions { distance: options.distance * self.scale, ..*options };
        let mut plan = lay_jumps(&scaled, self.scale).expect("jumps that the corpus itself laid out");
        plan.footprints.iter_mut().for_each(|print| print.position = terrain.project(print.position));
        let word = if height > 0.0 { format!("up-{height:.2}m") } else { format!("down-{:.2}m", -height) };
        let (kind, name, what) = self.named(&word, "onto or from a box", options);
        let settings = self.walk();
        self.add_climb(kind, (name, what), (settings, Some(terrain)), plan);
    }

    fn named(&self, word: &str, how: &str, options: &JumpOptions) -> (CorpusKind, String, String) {
        let (from, to) = (options.take_off.name(), options.landing.name());
        if options.take_off == options.landing && options.take_off != Feet::Both {
            return (CorpusKind::Hop, format!("hop-{from}-{word}"), format!("hops on the {from} foot, {how}"));
        }
        let feet = |name: &str| if name == "both" { "both feet".to_string() } else { format!("the {name} foot") };
        let what = format!("a jump from {} to {}, {how}", feet(from), feet(to));
        (CorpusKind::Jump, format!("jump-{from}-{to}-{word}"), what)
    }
}
