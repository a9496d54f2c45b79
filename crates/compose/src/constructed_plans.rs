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
            match layer.random.index(12) {
                0 => layer.walk(),
                7 => layer.closing_steps(),
                8 => layer.taps(),
                9 | 10 => layer.in_place(),
                11 => layer.step_and_jump(),
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

    /// Steps that the other foot closes each, as on high or unknown ground, feet close together.
    fn closing_steps(&mut self) {
        let (usual, step, side) = (self.half_width, self.random.range(0.25, 1.2), self.any_side());
        self.half_width = self.random.range(0.03, 0.1);
        let rises = self.random.chance(0.5);
        for _ in 0..1 + self.random.index(4) {
            let share = 1.0 + 0.2 * self.random.signed();
            self.go(step * share, 0.0);
            self.turn(0.4);
            let rise = if rises { self.random.signed() * 0.45 } else { 0.0 };
            self.place.y += rise;
            let state = if rise.abs() > 0.08 { State::Stair } else { State::Walk };
            self.put(side, state);
            self.turn(0.3);
            self.put(side.opposite(), state);
        }
        self.half_width = usual;
    }

    /// A foot that is put elsewhere while the other one is planted.
    fn taps(&mut self) {
        let side = self.any_side();
        self.walk_on(side.opposite(), 0.5);
        let (heading, place) = (self.heading, self.place);
        for _ in 0..1 + self.random.index(2) {
            self.heading = heading + 0.6 * self.random.signed();
            self.place = place;
            let (forward, aside) = (0.5 * self.random.signed(), 0.3 * self.random.signed());
            self.go(forward, aside);
            self.put(side, State::Walk);
            if self.random.chance(0.5) {
                self.put(side, State::Walk);
            }
        }
        (self.heading, self.place) = (heading, place);
        self.walk_on(side.opposite(), 0.5);
    }

    fn walk_on(&mut self, side: Side, step: f64) {
        self.go(step, 0.0);
        self.put(side, State::Walk);
    }

    fn jumps(&mut self) {
        let longest = if self.random.chance(0.35) { 0.12 } else { 1.9 };
        let length = self.random.range(0.0, longest);
        let aside = if self.random.chance(0.2) { 0.8 * self.random.signed() } else { 0.0 };
        let turn = if self.random.chance(0.25) { 3.1 } else { 0.1 };
        for _ in 0..1 + self.random.index(8) {
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

    /// One foot lands in the middle, both land wide.
    fn hopscotch(&mut self) {
        let (usual, length, side) = (self.half_width, self.random.range(0.3, 1.2), self.any_side());
        for _ in 0..1 + self.random.index(3) {
            self.half_width = self.random.range(0.0, 0.12);
            self.go(length, 0.0);
            self.put(side, State::BothToOne);
            for _ in 0..self.random.index(3) {
                self.go(length, 0.0);
                self.put(side, State::Hop);
            }
            self.half_width = self.random.range(0.12, 0.42);
            self.go(length, 0.0);
            self.put_both(false);
        }
        self.half_width = usual;
    }

    /// Up and down: on both feet, on one, on the other.
    fn in_place(&mut self) {
        let drift = 0.06;
        for _ in 0..1 + self.random.index(3) {
            for _ in 0..self.random.index(6) {
                let (on, aside) = (drift * self.random.signed(), drift * self.random.signed());
                self.go(on, aside);
                self.put_both(true);
            }
            if self.random.chance(0.4) {
                let side = self.any_side();
                self.put(side, State::BothToOne);
                for _ in 0..self.random.index(4) {
                    self.put(side, State::Hop);
                }
                if self.random.chance(0.4) {
                    self.put(side.opposite(), State::OneToOther);
                    for _ in 0..self.random.index(3) {
                        self.put(side.opposite(), State::Hop);
                    }
                }
                self.put_both(false);
            }
        }
    }

    /// Some steps, the last of which takes off alone.
    fn step_and_jump(&mut self) {
        let (mut side, step) = (self.any_side(), self.random.range(0.4, 0.9));
        for _ in 0..1 + self.random.index(3) {
            self.walk_on(side, step);
            side = side.opposite();
        }
        let length = self.random.range(0.6, 1.8);
        self.go(length, 0.0);
        if self.random.chance(0.4) {
            self.place.y -= self.random.range(0.2, 1.0);
        }
        self.put_both(false);
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
