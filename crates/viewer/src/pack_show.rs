//! A show as the page reads it: JSON that points into one run of bytes.
//!
//! Everything is seen from an origin near the motion, so that single precision is enough for drawing: `origin` in the JSON leads
//! back to the world. The shape of the JSON is `web/document.js`'s `Show`.

use crate::ground_mesh::{Stage, ground_mesh, obstacle_mesh};
use crate::pack_character::{PackedCharacter, pack_character};
use crate::pack_integers::pack_integers;
use crate::pack_mesh::Mesh;
use crate::pack_motion::pack_motion;
use crate::series::{Series, series};
use crate::show::{Actor, Arrangement, Badge, ContactsFrom, Fact, Show};
use crate::{MAX_JOINT_FRAMES, ViewerError};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::metrics::{FootPoints, StancesFrom, foot_points, measure_footprints};
use surefoot_contact::{Contacts, FootPart, FootPlan, FootTracks, Take};
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::{Obstacle, Terrain};
use surefoot_motion::{BodyMap, BodyPoint, JointId, MeshDetail, PerSide, Side, Skeleton, WorldPose, figure_mesh};

/// How far the ground is drawn around a motion, in metres.
const AROUND: f64 = 2.5;
/// Toes are planted while their tip is lower than this over the ground, and slower, in metres and metres a second. No contacts file has
/// them: they are shown, and nothing is measured by them.
const TOES_LOW: f64 = 0.02;
const TOES_SLOW: f64 = 0.4;

/// A part of the page's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Span {
    at: usize,
    length: usize,
}

/// The bytes of a page while they grow.
#[derive(Debug, Default)]
pub(crate) struct Blob {
    pub(crate) bytes: Vec<u8>,
}

impl Blob {
    pub(crate) fn add<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> (Span, T) {
        let at = self.bytes.len();
        let made = write(&mut self.bytes);
        (Span { at, length: self.bytes.len() - at }, made)
    }

    fn add_mesh(&mut self, mesh: &Mesh) -> Option<Span> {
        (!mesh.is_empty()).then(|| self.add(|bytes| mesh.pack(bytes)).0)
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct PackedShow {
    name: String,
    about: String,
    origin: [f64; 3],
    floor: Option<f64>,
    ground: Option<Span>,
    obstacles: Option<Span>,
    prints: Vec<Print>,
    actors: Vec<PackedActor>,
    arrangement: Arrangement,
    verdict: Option<Badge>,
    facts: Vec<Fact>,
    links: Vec<String>,
}

/// A footprint, or a stance of a foot that nobody planned.
#[derive(Debug, Serialize)]
struct Print {
    side: usize,
    at: [f64; 3],
    normal: [f64; 3],
    heading: Option<f64>,
    /// Whose feet: an index into the actors.
    actor: usize,
    /// Its number in the plan; `None` for a stance.
    number: Option<usize>,
    /// Frames of its stance, half-open; `None` where it was missed.
    frames: Option<[usize; 2]>,
    /// Largest distance of the ball from it over its stance, in millimetres.
    error_mm: Option<f64>,
    behaviour: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct PackedActor {
    name: String,
    rate: f64,
    frames: usize,
    joints: Vec<String>,
    motion: Span,
    /// Farthest that a joint is from where it was, in millimetres.
    error_mm: f64,
    skin: usize,
    /// The joint that the camera follows.
    centre: usize,
    feet: Option<[FootMarks; 2]>,
    contacts: Option<PackedContacts>,
    series: Vec<Series>,
    values: Option<Span>,
}

/// Points of a foot, each in the space of a joint.
#[derive(Debug, Serialize)]
struct FootMarks {
    heel: Mark,
    ball: Mark,
    toe: Mark,
}

#[derive(Debug, Serialize)]
struct Mark {
    joint: usize,
    at: [f64; 3],
}

#[derive(Debug, Serialize)]
struct PackedContacts {
    from: ContactsFrom,
    /// Heel, ball and toe of the left foot, then of the right: half-open ranges of frames.
    bars: [Vec<[usize; 2]>; 6],
    /// Where plants are: side, part (0 heel, 1 ball), place, frames.
    plants: Vec<(usize, usize, [f64; 3], [usize; 2])>,
}

/// The bodies of a page: those that are alike are kept once.
#[derive(Debug, Default)]
pub(crate) struct Skins {
    made: Vec<(Vec<u8>, Skin)>,
    /// Where skeleton, body and mesh of actors are, with their skins: of a crowd nobody is measured twice.
    known: Vec<([usize; 3], usize)>,
}

/// A body in two grades of detail, or a character as it is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Skin {
    fine: Option<Span>,
    coarse: Option<Span>,
    character: Option<PackedCharacter>,
}

impl Skins {
    fn of(&mut self, actor: &Actor<'_>, blob: &mut Blob) -> usize {
        let body = actor.body.map_or(0, |body| std::ptr::from_ref(body).addr());
        let mesh = actor.mesh.map_or(0, |mesh| std::ptr::from_ref(mesh).addr());
        let own = [Arc::as_ptr(&actor.clip.skeleton).addr(), body, mesh];
        if let Some((_, skin)) = self.known.iter().find(|(known, _)| *known == own) {
            return *skin;
        }
        let skin = self.make(actor, blob);
        self.known.push((own, skin));
        skin
    }

    fn make(&mut self, actor: &Actor<'_>, blob: &mut Blob) -> usize {
        let (skeleton, body) = (&actor.clip.skeleton, actor.body);
        let character = actor.mesh.filter(|mesh| !mesh.parts.is_empty());
        let fine = Mesh::of_figure(&figure_mesh(skeleton, body, MeshDetail::FINE));
        let mut key = Blob::default();
        match character {
            Some(mesh) => drop(pack_character(mesh, &mut key)),
            None => fine.pack(&mut key.bytes),
        }
        if let Some(index) = self.made.iter().position(|(made, _)| *made == key.bytes) {
            return index;
        }
        let skin = match character {
            Some(mesh) => Skin { fine: None, coarse: None, character: Some(pack_character(mesh, blob)) },
            None => {
                let coarse = Mesh::of_figure(&figure_mesh(skeleton, body, MeshDetail::COARSE));
                Skin { fine: blob.add_mesh(&fine), coarse: blob.add_mesh(&coarse), character: None }
            }
        };
        self.made.push((key.bytes, skin));
        self.made.len() - 1
    }

    pub(crate) fn list(&self) -> Vec<Skin> {
        self.made.iter().map(|(_, skin)| skin.clone()).collect()
    }
}

/// Packs a show.
pub(crate) fn pack_show(show: &Show<'_>, skins: &mut Skins, blob: &mut Blob) -> Result<PackedShow, ViewerError> {
    for actor in &show.actors {
        check(actor)?;
    }
    let first = show.actors.first().ok_or(ViewerError::Empty)?;
    let origin = first.clip.world().first().map_or(Vec3::ZERO, |pose| pose.world()[0].translation.with_y(0.0).round());
    let terrain = show.terrain.cloned().unwrap_or_else(|| Terrain::flat(show.floor));
    let feet: Vec<_> = show.actors.iter().map(|actor| Feet::of(actor)).collect();
    let ground = ground_mesh(&terrain, stage(show));
    let moved = |mut mesh: Mesh| {
        mesh.positions.iter_mut().for_each(|place| *place -= origin);
        mesh
    };
    let mut prints = Vec::new();
    match (show.plan, &feet[0]) {
        (Some(plan), feet) => prints.extend(planned(plan, first, feet.as_ref(), origin)),
        (None, _) => {
            for (index, (actor, feet)) in show.actors.iter().zip(&feet).enumerate() {
                let stances = feet.as_ref().map(|feet| stances(actor, feet, index, origin));
                prints.extend(stances.into_iter().flatten());
            }
        }
    }
    let actors = show.actors.iter().zip(&feet);
    let actors = actors.map(|(actor, feet)| pack_actor(actor, feet.as_ref(), &terrain, origin, skins, blob)).collect();
    Ok(PackedShow {
        name: show.name.clone(),
        about: show.about.clone(),
        origin: origin.to_array(),
        floor: ground.floor,
        ground: blob.add_mesh(&moved(ground.mesh)),
        obstacles: blob.add_mesh(&moved(obstacle_mesh(show.obstacles))),
        prints,
        actors,
        arrangement: show.arrangement,
        verdict: show.verdict.clone(),
        facts: show.facts.clone(),
        links: show.links.clone(),
    })
}

/// Refuses what cannot be shown.
fn check(actor: &Actor<'_>) -> Result<(), ViewerError> {
    let clip = actor.clip;
    let name = || actor.name.to_string();
    if clip.n_frames() == 0 || clip.skeleton.n_joints() == 0 {
        return Err(ViewerError::NoMotion(name()));
    }
    let joint_frames = clip.n_frames() * clip.skeleton.n_joints();
    if joint_frames > MAX_JOINT_FRAMES {
        let most = MAX_JOINT_FRAMES / clip.skeleton.n_joints();
        return Err(ViewerError::TooLong { name: name(), frames: clip.n_frames(), most });
    }
    match clip.transforms().iter().position(|transform| !transform.is_finite()) {
        Some(index) => Err(ViewerError::NotFinite { name: name(), frame: index / clip.skeleton.n_joints() }),
        None => Ok(()),
    }
}

/// The feet of an actor whose body and contacts are known.
struct Feet {
    points: PerSide<FootPoints>,
    take: Take,
}

impl Feet {
    fn of(actor: &Actor<'_>) -> Option<Feet> {
        let (body, contacts) = (actor.body?, actor.contacts?);
        let points = foot_points(&actor.clip.world(), &actor.clip.skeleton, body);
        let take = Take { clip: actor.clip.clone(), body: body.clone(), contacts: contacts.clone() };
        (contacts.n_frames <= actor.clip.n_frames()).then_some(Feet { points, take })
    }
}

/// The ground that is drawn: around the motion, the plan and the obstacles.
fn stage(show: &Show<'_>) -> Stage {
    let roots = show.actors.iter().flat_map(|actor| {
        let world = actor.clip.world();
        let places: Vec<Vec2> = world.iter().map(|pose| ground_point(pose.world()[0].translation)).collect();
        places
    });
    let prints = show.plan.iter().flat_map(|plan| plan.footprints.iter().map(|print| ground_point(print.position)));
    let obstacles = show.obstacles.iter().flat_map(|Obstacle { outline, .. }| outline.iter().copied());
    let places: Vec<Vec2> = roots.chain(prints).chain(obstacles).filter(|place| place.is_finite()).collect();
    let low = places.iter().copied().reduce(Vec2::min).unwrap_or_default();
    let high = places.iter().copied().reduce(Vec2::max).unwrap_or_default();
    Stage { low: low - AROUND, high: high + AROUND }
}

/// The footprints of a plan, with what came of them.
fn planned(plan: &FootPlan, actor: &Actor<'_>, feet: Option<&Feet>, origin: Vec3) -> Vec<Print> {
    let measured = feet.map(|feet| {
        measure_footprints(plan, &feet.points, &feet.take.contacts, actor.clip.frame_rate, StancesFrom::Contacts)
            .footprints
    });
    let print = |(number, print): (usize, &surefoot_contact::Footprint)| {
        let found = measured.as_ref().and_then(|measured| measured[number].as_ref());
        Print {
            side: side_index(print.side),
            at: (print.position - origin).to_array(),
            normal: print.normal.to_array(),
            heading: print.heading,
            actor: 0,
            number: Some(number),
            frames: found.map(|found| pair(&found.frames)),
            error_mm: found.map(|found| 1000.0 * found.max.hypot(found.height)),
            behaviour: print.behaviour.map(surefoot_contact::Behaviour::name),
        }
    };
    plan.footprints.iter().enumerate().map(print).collect()
}

/// Stances as footprints that nobody planned.
fn stances(actor: &Actor<'_>, feet: &Feet, index: usize, origin: Vec3) -> Vec<Print> {
    if feet.take.contacts.n_frames != actor.clip.n_frames() {
        return Vec::new();
    }
    let stances = FootTracks::new(&feet.take).stances(&feet.take);
    let print = |stance: surefoot_contact::FootStance| Print {
        side: side_index(stance.side),
        at: (stance.position - origin).to_array(),
        normal: [0.0, 1.0, 0.0],
        heading: stance.heading,
        actor: index,
        number: None,
        frames: Some(pair(&stance.frames)),
        error_mm: None,
        behaviour: None,
    };
    stances.into_iter().map(print).collect()
}

fn pack_actor(
    actor: &Actor<'_>,
    feet: Option<&Feet>,
    terrain: &Terrain,
    origin: Vec3,
    skins: &mut Skins,
    blob: &mut Blob,
) -> PackedActor {
    let clip = actor.clip;
    let skin = skins.of(actor, blob);
    let (motion, packed) = blob.add(|bytes| pack_motion(clip, origin, bytes));
    let none = Contacts::none(clip.n_frames());
    let series = match (actor.body, feet) {
        (Some(body), feet) => {
            let own = feet.is_none().then(|| foot_points(&clip.world(), &clip.skeleton, body));
            let points = feet.map(|feet| &feet.points).or(own.as_ref()).expect("one of them");
            series(clip, body, points, feet.map_or(&none, |feet| &feet.take.contacts), terrain)
        }
        (None, _) => Vec::new(),
    };
    let tracks: Vec<Vec<i32>> = series.iter().flat_map(|series| &series.lines).map(|line| line.steps.clone()).collect();
    let values = (!tracks.is_empty()).then(|| blob.add(|bytes| pack_integers(&tracks, bytes)).0);
    PackedActor {
        name: actor.name.to_string(),
        rate: clip.frame_rate,
        frames: clip.n_frames(),
        joints: clip.skeleton.joints().iter().map(|joint| joint.name.clone()).collect(),
        motion,
        error_mm: 1000.0 * packed.largest_error,
        skin,
        centre: actor.body.map_or(0, |body| body.pelvis.index()),
        feet: actor.body.map(|body| Side::BOTH.map(|side| foot_marks(&clip.skeleton, body, side))),
        contacts: feet.map(|feet| pack_contacts(feet, terrain, clip.frame_rate, actor.contacts_from, origin)),
        series,
        values,
    }
}

fn pack_contacts(feet: &Feet, terrain: &Terrain, rate: f64, from: ContactsFrom, origin: Vec3) -> PackedContacts {
    let plants = &feet.take.contacts.plants;
    let bar = |side: Side, part: FootPart| -> Vec<[usize; 2]> {
        plants[side].iter().filter(|plant| plant.part == part).map(|plant| pair(&plant.frames)).collect()
    };
    let toes = |side: Side| toes_low(&feet.points[side].toe_tip, terrain, rate);
    let foot = |side: Side| [bar(side, FootPart::Heel), bar(side, FootPart::Ball), toes(side)];
    let [[a, b, c], [d, e, f]] = Side::BOTH.map(foot);
    let places = Side::BOTH.into_iter().flat_map(|side| {
        plants[side].iter().map(move |plant| {
            let part = usize::from(plant.part == FootPart::Ball);
            (side_index(side), part, (plant.position - origin).to_array(), pair(&plant.frames))
        })
    });
    PackedContacts { from, bars: [a, b, c, d, e, f], plants: places.collect() }
}

/// Frames in which the tip of the toes is low and slow.
fn toes_low(tip: &[Vec3], terrain: &Terrain, rate: f64) -> Vec<[usize; 2]> {
    let is_low = |frame: usize| {
        let at = tip[frame];
        let moved = if frame > 0 { ground_point(at - tip[frame - 1]).length() } else { 0.0 };
        at.y - terrain.height(ground_point(at)) < TOES_LOW && moved * rate < TOES_SLOW
    };
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for frame in (0..tip.len()).filter(|&frame| is_low(frame)) {
        match ranges.last_mut().filter(|range| range[1] == frame) {
            Some(range) => range[1] = frame + 1,
            None => ranges.push([frame, frame + 1]),
        }
    }
    ranges
}

fn foot_marks(skeleton: &Skeleton, body: &BodyMap, side: Side) -> FootMarks {
    let leg = &body.legs[side];
    let mark = |joint: JointId, at: Vec3| Mark { joint: joint.index(), at: at.to_array() };
    let on_ankle = |at: Vec3| mark(leg.ankle, at);
    let drawn = leg.drawn_toe_tip(&WorldPose::new(skeleton, &skeleton.rest_pose())).zip(leg.ball);
    FootMarks {
        heel: on_ankle(leg.foot.heel),
        ball: leg.ball.map_or_else(|| on_ankle(leg.foot.ball), |ball| mark(ball, Vec3::ZERO)),
        toe: match (leg.toe, drawn) {
            (Some(BodyPoint::Joint(joint)), _) => mark(joint, Vec3::ZERO),
            (Some(BodyPoint::EndSite(index)), _) => {
                let site = &skeleton.end_sites()[index];
                mark(site.parent, site.offset)
            }
            (None, Some((tip, ball))) => mark(ball, tip),
            (None, None) => on_ankle(leg.foot.toe_tip),
        },
    }
}

fn side_index(side: Side) -> usize {
    usize::from(side == Side::Right)
}

fn pair(frames: &Range<usize>) -> [usize; 2] {
    [frames.start, frames.end]
}
