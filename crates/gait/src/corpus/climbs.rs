//! The plans of the corpus that go up and down: stairs, slopes, kerbs, uneven ground.
//!
//! A step that is blended for a height needs recorded steps of that height around it, in the three lengths of a step (STRIDE 3.2). On
//! regular stairs all steps are alike and span nothing, so most stairs here are trodden unevenly: each foot elsewhere on its tread, nearer
//! to the other foot or farther from it.

use super::CorpusKind;
use super::script::{Script, WIDTH};
use super::trail::{STANCE, Trail};
use crate::LayOptions;
use surefoot_contact::FootPlan;
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::{Side, Sole};

/// Gentle stairs, with room for a foot that swings on before it lands; and how they are taken, in steps a second.
const STAIR_RISE: f64 = 0.17;
const STAIR_TREAD: f64 = 0.32;
/// Least depth of a tread beyond the foot's length.
const TREAD_ROOM: f64 = 0.05;
const N_STAIRS: usize = 8;
const STAIR_CADENCE: f64 = 1.6;
/// Going up is slower: at 1.6 steps a second the pelvis would come to rest on each stair with more than 1 g. What counts is the rise times the square of the cadence, in m/s2.
const UPSTAIRS_CADENCE: f64 = 1.2;
const UPSTAIRS_EFFORT: f64 = 0.19;
/// Of slopes and kerbs, against the natural pace, for the same reason.
const CLIMB_PACE: f64 = 0.9;
/// On uneven ground and on terraces, in steps a second.
const CAREFUL_CADENCE: f64 = 1.15;
/// Share of a step with both feet down.
const BOTH_DOWN: f64 = 0.3;
/// Other stairs: what they rise by, 4 cm apart, so that any height between is within 2 cm of a recorded one; and how deep they are.
const STAIR_RISES: [f64; 4] = [0.09, 0.13, 0.17, 0.21];
const TREADS: [f64; 3] = [0.3, 0.37, 0.44];
const N_OTHER_STAIRS: usize = 6;
/// How far feet are from the edges of a tread.
const EDGE_ROOM: f64 = 0.015;
/// Terraces: how deep they are, and how long steps on them.
const TERRACE: f64 = 0.95;
const N_TERRACES: usize = 4;
const TERRACE_STEPS: usize = 11;
const TERRACE_LENGTHS: [f64; 2] = [0.28, 0.55];
/// Treads with both feet on each.
const TREAD_OF_BOTH: f64 = 0.36;
const N_OF_BOTH: usize = 4;
/// How far apart feet are: between these, in metres. Nearer ones would touch.
const APART: [f64; 2] = [0.1, 0.26];
/// Slopes in degrees, as streets and ramps have them.
const SLOPES: [f64; 2] = [4.0, 8.0];
/// Kerbs, in metres.
const KERBS: [f64; 4] = [0.05, 0.1, 0.15, 0.2];
/// Uneven ground: walks, their steps, how long these are and between which heights they go.
const N_UNEVEN: usize = 8;
const UNEVEN_STEPS: usize = 12;
const UNEVEN_LENGTHS: [f64; 2] = [0.3, 0.7];
const HIGHEST: f64 = 0.2;
const UP_AND_DOWN: [(f64, &str); 2] = [(1.0, "up"), (-1.0, "down")];
/// The root of x^4 = x + 1: its powers are shares by which a sequence fills a box evenly.
const GOLDEN_3D: f64 = 1.220_744_084_605_759_5;

/// Numbers from 0 to 1, three at a time, that fill a box evenly.
struct Spread(f64);

impl Spread {
    fn next(&mut self) -> [f64; 3] {
        self.0 += 1.0;
        [1, 2, 3].map(|power| (0.5 + self.0 / GOLDEN_3D.powi(power)).fract())
    }
}

fn between([least, most]: [f64; 2], share: f64) -> f64 {
    least + share * (most - least)
}

impl Script<'_> {
    pub(super) fn climbs(&mut self) {
        self.stairs();
        self.uneven_stairs();
        self.terraces();
        self.stairs_with_both_feet();
        self.slopes();
        self.kerbs();
        self.uneven();
    }

    /// A tread, or as much as long feet need.
    fn tread(&self, tread: f64) -> f64 {
        (tread * self.scale).max(self.foot(|sole| sole.toe_tip.z - sole.heel.z) + TREAD_ROOM * self.scale)
    }

    /// A length of the longer foot.
    fn foot(&self, of: fn(&Sole) -> f64) -> f64 {
        let soles = &self.rig.proportions().soles;
        Side::BOTH.map(|side| of(&soles[side])).into_iter().fold(0.0, f64::max)
    }

    /// How far heel and toe tip are from the ball.
    fn heel_and_toe(&self) -> [f64; 2] {
        [self.foot(|sole| sole.ball.z - sole.heel.z), self.foot(|sole| sole.toe_tip.z - sole.ball.z)]
    }

    /// The usual stairs, foot over foot.
    fn stairs(&mut self) {
        let tread = self.tread(STAIR_TREAD);
        for (sign, word) in UP_AND_DOWN {
            let start = Vec2::new(0.0, 0.5 * self.scale);
            let rise = sign * STAIR_RISE * self.scale;
            let Ok(terrain) = Terrain::stairs(Stairs { start, tread, rise, n_steps: N_STAIRS, ..Stairs::default() })
            else {
                continue;
            };
            let mut settings = self.pace(tread / self.scale, 1.0);
            let cadence = stair_cadence(sign * STAIR_RISE);
            settings.walk.parameters.cadence = cadence / self.scale.sqrt();
            let options = LayOptions { n_steps: Some(N_STAIRS + 4), terrain: Some(&terrain), ..LayOptions::default() };
            let plan = self.lay(&settings, &options);
            let what = format!("{word} {N_STAIRS} stairs of {STAIR_RISE} m");
            self.add_climb(CorpusKind::Stairs, (format!("stairs-{word}"), what), (settings, Some(terrain)), plan);
        }
    }

    /// Each foot elsewhere on its tread.
    fn uneven_stairs(&mut self) {
        let (mut spread, mut first) = (Spread(0.0), Side::Left);
        for rise in STAIR_RISES {
            for depth in TREADS {
                let tread = self.tread(depth);
                // Both heel and toe tip on the tread, a little from its edges.
                let [heel, toe] = self.heel_and_toe();
                let places = [heel + EDGE_ROOM * self.scale, tread - toe - EDGE_ROOM * self.scale];
                for (sign, word) in UP_AND_DOWN {
                    let start = Vec2::new(0.0, 0.4 * self.scale + places[0]);
                    let shape = Stairs {
                        start,
                        tread,
                        rise: sign * rise * self.scale,
                        n_steps: N_OTHER_STAIRS,
                        ..Stairs::default()
                    };
                    let Ok(terrain) = Terrain::stairs(shape) else { continue };
                    let mut trail = self.trail(first);
                    trail.step(STANCE, 0.35, 0.0);
                    for stair in 0..N_OTHER_STAIRS {
                        let [across, along, _] = spread.next();
                        let here = start.y + stair as f64 * tread + between(places, along);
                        trail.step_to(between(APART, across), here);
                        pace(&mut trail, stair_cadence(sign * rise));
                    }
                    trail.step(WIDTH, 0.4, 0.0);
                    trail.close();
                    let plan = on_terrain(trail, &terrain);
                    let settings = self.walk();
                    let name = format!("stairs-{word}-{rise:.2}m-{depth:.2}m");
                    let what = format!("{word} {N_OTHER_STAIRS} stairs of {rise} m, {depth} m deep, trodden unevenly");
                    self.add_climb(CorpusKind::Stairs, (name, what), (settings, Some(terrain)), plan);
                    first = first.opposite();
                }
            }
        }
    }

    /// Single stairs with some steps between them, each begun at another distance.
    fn terraces(&mut self) {
        let (mut spread, mut first) = (Spread(100.0), Side::Left);
        let [heel, toe] = self.heel_and_toe().map(|length| length + EDGE_ROOM * self.scale);
        let tread = TERRACE * self.scale;
        for rise in STAIR_RISES {
            for (sign, word) in UP_AND_DOWN {
                let start = Vec2::new(0.0, 0.5 * self.scale);
                let shape =
                    Stairs { start, tread, rise: sign * rise * self.scale, n_steps: N_TERRACES, ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let (mut trail, mut here) = (self.trail(first), 0.0);
                for _ in 0..TERRACE_STEPS {
                    let [across, along, _] = spread.next();
                    here += between(TERRACE_LENGTHS, along) * self.scale;
                    // Not over an edge: behind it, where the toes would be in the next terrace, or beyond it with the heel.
                    let over = (here + toe - start.y).rem_euclid(tread);
                    here += if here + toe > start.y { (heel + toe - over).max(0.0) } else { 0.0 };
                    trail.step_to(between(APART, across), here);
                    pace(&mut trail, CAREFUL_CADENCE.min(stair_cadence(sign * rise)));
                }
                trail.close();
                let (plan, settings) = (on_terrain(trail, &terrain), self.walk());
                let what = format!("{word} single stairs of {rise} m with steps between them");
                let name = format!("terraces-{word}-{rise:.2}m");
                self.add_climb(CorpusKind::Stairs, (name, what), (settings, Some(terrain)), plan);
                first = first.opposite();
            }
        }
    }

    fn stairs_with_both_feet(&mut self) {
        let tread = self.tread(TREAD_OF_BOTH);
        let [heel, toe] = self.heel_and_toe();
        for rise in STAIR_RISES {
            for (first, (sign, word)) in [(Side::Left, UP_AND_DOWN[0]), (Side::Right, UP_AND_DOWN[1])] {
                // Feet in the middle of their treads.
                let start = Vec2::new(0.0, 0.5 * (tread - heel + toe));
                let shape =
                    Stairs { start, tread, rise: sign * rise * self.scale, n_steps: N_OF_BOTH, ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let mut trail = self.trail(first);
                for _ in 0..N_OF_BOTH {
                    for along in [tread / self.scale, 0.0] {
                        trail.step(STANCE, along, 0.0);
                        pace(&mut trail, CAREFUL_CADENCE.min(stair_cadence(sign * rise)));
                    }
                }
                let plan = on_terrain(trail, &terrain);
                let foot = first.name();
                let what = format!("{word} {N_OF_BOTH} stairs of {rise} m, both feet on each, {foot} foot first");
                let (name, settings) = (format!("stairs-{word}-{rise:.2}m-both-feet"), self.walk());
                self.add_climb(CorpusKind::Stairs, (name, what), (settings, Some(terrain)), plan);
            }
        }
    }

    fn slopes(&mut self) {
        let mut first = Side::Left;
        for degrees in SLOPES {
            for (sign, word) in UP_AND_DOWN {
                let (sin, cos) = (sign * degrees.to_radians()).sin_cos();
                let Ok(terrain) = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, cos, -sin)) else { continue };
                for (length, width) in [(0.4, 0.14), (0.55, 0.2), (0.7, WIDTH)] {
                    let mut settings = self.pace(length, CLIMB_PACE);
                    settings.walk.attributes.stride_width = width * self.scale;
                    let plan =
                        self.lay(&settings, &LayOptions { first, terrain: Some(&terrain), ..LayOptions::default() });
                    let what = format!("{word} a slope of {degrees} degrees with steps of {length} m");
                    let name = format!("slope-{word}-{degrees}-{length:.2}m");
                    self.add_climb(CorpusKind::Slope, (name, what), (settings, Some(terrain.clone())), plan);
                    first = first.opposite();
                }
            }
        }
    }

    /// Onto a kerb, some steps on it, and down again.
    fn kerbs(&mut self) {
        for rise in KERBS {
            for (length, first) in [(0.45, Side::Left), (0.65, Side::Right)] {
                let start = Vec2::new(0.0, 1.0 * self.scale);
                let tread = 3.0 * length * self.scale;
                let shape =
                    Stairs { start, tread, rise: rise * self.scale, n_steps: 1, after: Some(0.0), ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let settings = self.pace(length, CLIMB_PACE);
                let options = LayOptions { n_steps: Some(9), first, terrain: Some(&terrain), ..LayOptions::default() };
                let plan = self.lay(&settings, &options);
                let what = format!("onto a kerb of {rise} m and down again, steps of {length} m");
                let name = format!("kerb-{rise:.2}m-{length:.2}m");
                self.add_climb(CorpusKind::Kerb, (name, what), (settings, Some(terrain)), plan);
            }
        }
    }

    /// Every step to another height, on ground that nothing is known of but the footprints.
    fn uneven(&mut self) {
        let mut spread = Spread(0.0);
        for index in 0..N_UNEVEN {
            let mut trail = self.trail(Side::BOTH[index % 2]);
            for _ in 0..UNEVEN_STEPS {
                let [across, along, up] = spread.next();
                trail.step(between(APART, across), between(UNEVEN_LENGTHS, along), 0.0);
                trail.raise(HIGHEST * up);
                pace(&mut trail, CAREFUL_CADENCE);
            }
            trail.close();
            let (plan, settings) = (trail.plan(), self.walk());
            let name = format!("uneven-{:02}", index + 1);
            let what = format!("every step to another height, up to {HIGHEST} m");
            self.add_climb(CorpusKind::Uneven, (name, what), (settings, None), plan);
        }
    }
}

/// Times of the last footprint for so many steps a second.
fn pace(trail: &mut Trail, cadence: f64) {
    trail.hurry(BOTH_DOWN / cadence, Some((1.0 - BOTH_DOWN) / cadence));
}

/// Steps a second of people 1.8 m tall.
fn stair_cadence(rise: f64) -> f64 {
    if rise > 0.0 { UPSTAIRS_CADENCE.min((UPSTAIRS_EFFORT / rise).sqrt()) } else { STAIR_CADENCE }
}

/// A plan at the height of a terrain.
fn on_terrain(trail: Trail, terrain: &Terrain) -> FootPlan {
    let mut plan = trail.plan();
    plan.footprints.iter_mut().for_each(|print| print.position = terrain.project(print.position));
    plan
}
