//! Footprints whose behaviour is known because we laid them: they complete what recordings lack.
//!
//! Recordings of hops, of jumps in place and of jumps from or to one foot are few (COMPOSE had 25 of each pattern; the recordings that we
//! learn from have 5 to 15 before mirroring). What such footprints look like is no secret: a hop is the same foot again, feet that jump
//! together keep their places to each other. So plans are laid by these rules, with random lengths, turns and noise, and are learned
//! beside the recordings. Lengths are over the leg length.

use crate::behaviour_database::turned;
use crate::footprint_features::BarePrint;
use crate::recognise::State;
use surefoot_geom::{Random, Vec3};
use surefoot_motion::Side;

/// Deviation of a place, over the leg length: some centimetres.
const NOISE: f64 = 0.03;

/// Plans with their states, the same each time.
pub(crate) fn constructed_plans(n_plans: usize) -> Vec<(Vec<BarePrint>, Vec<State>)> {
    let mut random = Random::new(5);
    (0..n_plans).map(|_| Layer::plan(&mut random)).collect()
}

struct Layer<'a> {
    random: &'a mut Random,
    prints: Vec<BarePrint>,
    states: Vec<State>,
    /// Between the feet, on the ground.
    place: Vec3,
    heading: f64,
    half_width: f64,
}

impl Layer<'_> {
    fn plan(random: &mut Random) -> (Vec<BarePrint>, Vec<State>) {
        let (heading, half_width) = (random.range(-3.0, 3.0), random.range(0.08, 0.28));
        let mut layer =
            Layer { random, prints: Vec::new(), states: Vec::new(), place: Vec3::ZERO, heading, half_width };
        let first = layer.any_side();
        layer.put(first, State::Stand);
        // Recordings may begin on one foot.
        if layer.random.chance(0.12) {
            layer.hop_on(first);
        } else {
            layer.put(first.opposite(), State::Stand);
        }
        let n_parts = 1 + layer.random.index(3);
        for _ in 0..n_parts {
            match layer.random.index(7) {
                0 => layer.walk(),
                1 | 2 => layer.jumps(),
                3 => layer.hops(),
                4 => layer.hopscotch(),
                5 => layer.run_and_jump(),
                _ => layer.drop(),
            }
        }
        (layer.prints, layer.states)
    }

    fn any_side(&mut self) -> Side {
        if self.random.chance(0.5) { Side::Left } else { Side::Right }
    }

    fn go(&mut self, forward: f64, aside: f64) {
        self.place += turned(Vec3::new(aside, 0.0, forward), self.heading);
    }

    fn put(&mut self, side: Side, state: State) {
        let out = if side == Side::Left { self.half_width } else { -self.half_width };
        let noise = self.random.in_cube() * NOISE;
        let ball = self.place + turned(Vec3::new(out, 0.0, 0.0), self.heading) + Vec3::new(noise.x, 0.0, noise.z);
        let heading = self.heading + out.signum() * 0.12 + 0.1 * self.random.signed();
        self.prints.push(BarePrint { side, ball, heading });
        self.states.push(state);
    }

    fn put_both(&mut self, from_both: bool) {
        let first = self.any_side();
        self.put(first, State::ToBoth { from_both, is_first: true });
        self.put(first.opposite(), State::ToBoth { from_both, is_first: false });
    }

    fn turn(&mut self, most: f64) {
        self.heading += most * self.random.signed();
    }

    /// Some steps, and feet side by side.
    fn walk(&mut self) {
        let (mut side, step, n_steps) = (self.any_side(), self.random.range(0.3, 0.9), 1 + self.random.index(5));
        for _ in 0..n_steps {
            self.go(step, 0.0);
            self.turn(0.15);
            self.put(side, State::Walk);
            side = side.opposite();
        }
        self.put(side, State::Walk);
    }

    fn jumps(&mut self) {
        let longest = if self.random.chance(0.35) { 0.12 } else { 1.9 };
        let length = self.random.range(0.0, longest);
        let aside = if self.random.chance(0.2) { 0.8 * self.random.signed() } else { 0.0 };
        let turn = if self.random.chance(0.2) { 1.6 } else { 0.1 };
        for _ in 0..1 + self.random.index(5) {
            let share = 1.0 + 0.15 * self.random.signed();
            self.go(length * share, aside * share);
            self.turn(turn);
            self.put_both(true);
        }
    }

    fn hops(&mut self) {
        let (side, length) = (self.any_side(), self.hop_length());
        self.go(length, 0.0);
        // The first from both feet, or after a step.
        if self.random.chance(0.5) {
            self.put(side, State::BothToOne);
        } else {
            self.put(side, State::Walk);
        }
        self.hop_along(side, length);
    }

    fn hop_on(&mut self, side: Side) {
        let length = self.hop_length();
        self.hop_along(side, length);
    }

    /// Few people hop in place.
    fn hop_length(&mut self) -> f64 {
        if self.random.chance(0.2) { self.random.range(0.0, 0.15) } else { self.random.range(0.5, 1.5) }
    }

    fn hop_along(&mut self, side: Side, length: f64) {
        for _ in 0..1 + self.random.index(4) {
            let share = 1.0 + 0.2 * self.random.signed();
            self.go(length * share, 0.0);
            self.put(side, State::Hop);
        }
        self.after_one(side, length);
    }

    /// After a flight to one foot: both feet, the other one, or a step.
    fn after_one(&mut self, side: Side, length: f64) {
        match self.random.index(3) {
            0 => {
                self.go(length, 0.0);
                self.put_both(false);
            }
            1 => {
                let step = self.random.range(0.3, 0.8);
                self.go(step, 0.0);
                self.put(side.opposite(), State::Walk);
                self.put(side, State::Walk);
            }
            _ => self.put(side.opposite(), State::Walk),
        }
    }

    fn hopscotch(&mut self) {
        let length = self.random.range(0.3, 1.2);
        for _ in 0..1 + self.random.index(3) {
            let side = self.any_side();
            self.go(length, 0.0);
            self.put(side, State::BothToOne);
            self.go(length, 0.0);
            self.put_both(false);
        }
    }

    fn run_and_jump(&mut self) {
        let (mut side, step) = (self.any_side(), self.random.range(0.9, 1.7));
        self.go(step * 0.6, 0.0);
        self.put(side, State::Walk);
        for _ in 0..2 + self.random.index(4) {
            side = side.opposite();
            let share = 1.0 + 0.1 * self.random.signed();
            self.go(step * share, 0.0);
            self.put(side, State::Run);
        }
        let length = step * self.random.range(1.1, 2.0);
        self.go(length, 0.0);
        if self.random.chance(0.6) {
            self.put_both(false);
        } else if length > 1.6 {
            self.put(side.opposite(), State::OneToOther);
            self.after_one(side.opposite(), 0.4);
        } else {
            self.put(side.opposite(), State::Run);
            self.put(side, State::Walk);
        }
    }

    /// A jump off something, or onto it.
    fn drop(&mut self) {
        let length = self.random.range(0.4, 1.6);
        let height = self.random.range(0.5, 1.0);
        self.place.y += if self.random.chance(0.85) { -height } else { 0.7 * height };
        self.go(length, 0.0);
        if self.random.chance(0.5) {
            let side = self.any_side();
            let drop = self.place.y;
            self.place.y = self.prints.last().map_or(drop, |print| print.ball.y);
            self.put(side, State::Walk);
            self.place.y = drop;
            self.go(length, 0.0);
            self.put_both(false);
        } else {
            self.put_both(true);
        }
    }
}
