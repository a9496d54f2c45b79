//! The player that `render` writes: one or more motions in one HTML file.

use crate::input_report::InputReport;
use crate::input_request::{FloorRequest, InputRequest, TerrainRequest};
use crate::job_error::JobError;
use crate::render_job::RenderRequest;
use crate::scene_picture::{ScenePlaces, read_scene};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use surefoot_contact::metrics::{OffTerrain, foot_points};
use surefoot_contact::{Contacts, DetectOptions, FootPlan, detect_contacts, slice_contacts};
use surefoot_formats::{Import, ReadError, own, read_bytes};
use surefoot_ground::{Scene, Terrain};
use surefoot_motion::{BodyMap, CharacterMesh, Clip, slice};
use surefoot_picture::stones_under;
use surefoot_viewer::{
    Actor, Arrangement, ContactsFrom, PackedPage, Page, Show, ViewerError, live_pose, pack_page, page_html, plain_name,
};

/// Motions on one page that is still opened by a browser.
pub const MAX_ACTORS: usize = 200;
/// Two motions that begin nearer to each other than this, in metres, are before and after, not neighbours.
const SAME_PLACE: f64 = 0.5;

/// How several motions are arranged on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrangementRequest {
    /// All where they are: before and after.
    Overlay,
    /// Each in a lane of its own.
    SideBySide,
}

/// A page and what there is to report of it.
pub(crate) struct RenderedPage<T> {
    pub(crate) page: T,
    pub(crate) input: InputReport,
    pub(crate) more: Vec<InputReport>,
    pub(crate) off_terrain: Option<String>,
    pub(crate) without_mesh: Option<String>,
}

/// A motion that is loaded.
struct Loaded {
    name: String,
    clip: Clip,
    body: Option<BodyMap>,
    contacts: Option<Contacts>,
    from: ContactsFrom,
    mesh: Option<Arc<CharacterMesh>>,
    /// Why its own mesh is not drawn.
    without_mesh: Option<String>,
    /// Whether it has the joints of the character that was asked for.
    is_on: bool,
    report: InputReport,
    floor: f64,
}

/// The character whose mesh is drawn.
struct Shown {
    joints: Vec<String>,
    /// Or why there is none.
    mesh: Result<Arc<CharacterMesh>, String>,
}

impl Shown {
    fn load(on: &InputRequest) -> Result<Shown, JobError> {
        let import = on.load()?;
        let file = on.file.display();
        let mesh = match import.character_mesh() {
            Some(mesh) => mesh.map(Arc::new).map_err(|error| not_drawn(&error)),
            None => Err(format!("{file} has no mesh of its own; a .glb or .gltf of a character has")),
        };
        Ok(Shown { joints: joint_names(&import.clip), mesh })
    }
}

fn not_drawn(error: &ReadError) -> String {
    format!("the character's mesh is not drawn: {error}")
}

fn joint_names(clip: &Clip) -> Vec<String> {
    clip.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
}

impl Loaded {
    fn new(input: &InputRequest, range: Option<(usize, usize)>, on: Option<&Shown>) -> Result<Loaded, JobError> {
        let (import, known) = input.load_with_contacts()?;
        let report = InputReport::new(&input.file, &import);
        let floor = floor_of(input, &import);
        let name =
            input.file.file_stem().map_or_else(|| import.clip.name.clone(), |stem| stem.to_string_lossy().into_owned());
        // Of a mesh that cannot be drawn the motion can: it is shown on a body of ours.
        let on = on.filter(|on| on.joints == joint_names(&import.clip));
        let mesh = match on {
            Some(on) => Some(on.mesh.clone()),
            None => import.character_mesh().map(|mesh| mesh.map(Arc::new).map_err(|error| not_drawn(&error))),
        };
        let (mesh, without_mesh) = match mesh {
            Some(Ok(mesh)) => (Some(mesh), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let is_on = on.is_some();
        let Import { mut clip, body, .. } = import;
        let body = body.ok();
        let from = if known.is_some() { ContactsFrom::Given } else { ContactsFrom::Detected };
        let detect =
            |body: &BodyMap| detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts;
        let mut contacts = known.map(|(contacts, _)| contacts).or_else(|| body.as_ref().map(detect));
        if let Some((from, to)) = range {
            clip =
                slice(&clip, from..to).map_err(|error| JobError::of_file("picture", &input.file, error.to_string()))?;
            contacts = contacts.map(|contacts| slice_contacts(&contacts, from..to));
        }
        Ok(Loaded { name: plain_name(&name), clip, body, contacts, from, mesh, without_mesh, is_on, report, floor })
    }

    fn actor(&self) -> Actor<'_> {
        Actor {
            name: &self.name,
            clip: &self.clip,
            body: self.body.as_ref(),
            mesh: self.mesh.as_deref(),
            contacts: self.contacts.as_ref(),
            contacts_from: self.from,
        }
    }
}

/// The floor that the soles are on: at 0 if the motion was moved there, and where nothing shows it.
pub(crate) fn floor_of(input: &InputRequest, import: &Import) -> f64 {
    if input.read.floor == FloorRequest::Keep { import.assumed.floor.unwrap_or(0.0) } else { 0.0 }
}

/// The page of a request.
pub(crate) fn render_page(request: &RenderRequest) -> Result<RenderedPage<String>, JobError> {
    page_of(request, page_html)
}

/// What the player of a request shows, for a viewer that a server gives its modules. Nothing is written.
pub fn show_motions(request: &RenderRequest) -> Result<PackedPage, JobError> {
    page_of(request, pack_page).map(|rendered| rendered.page)
}

/// Motions as they play, for a viewer that is given frames instead of whole motions.
pub struct MotionStream {
    /// Everybody in the first frame.
    pub page: PackedPage,
    people: Vec<(Arc<Clip>, f64)>,
}

/// Seconds by which people of one motion follow each other.
const STAGGER: f64 = 0.37;

impl MotionStream {
    /// The motions of a request. With `n_people` they are repeated until there are so many, each a little later than the one before.
    pub fn open(request: &RenderRequest, n_people: Option<usize>) -> Result<MotionStream, JobError> {
        let inputs = std::iter::once(&request.input).chain(&request.more);
        let on = request.on.as_ref().map(Shown::load).transpose()?;
        let loaded = inputs.map(|input| Loaded::new(input, None, on.as_ref())).collect::<Result<Vec<_>, JobError>>()?;
        let n_people = n_people.unwrap_or(loaded.len());
        if !(1..=MAX_ACTORS).contains(&n_people) || loaded.len() > MAX_ACTORS {
            let message = format!("{n_people} people; 1 to {MAX_ACTORS} are shown");
            return Err(JobError::new("usage", message).at_field("people"));
        }
        let clips: Vec<Arc<Clip>> = loaded.iter().map(|loaded| Arc::new(loaded.clip.clone())).collect();
        let first = |clip: &Clip| slice(clip, 0..1.min(clip.n_frames()));
        let firsts: Vec<Clip> = clips
            .iter()
            .zip(&loaded)
            .map(|(clip, loaded)| {
                first(clip).map_err(|error| JobError::new("picture", format!("{}: {error}", loaded.name)))
            })
            .collect::<Result<_, _>>()?;
        let actor = |index: usize| Actor {
            name: &loaded[index % loaded.len()].name,
            clip: &firsts[index % loaded.len()],
            body: loaded[index % loaded.len()].body.as_ref(),
            mesh: loaded[index % loaded.len()].mesh.as_deref(),
            contacts: None,
            contacts_from: ContactsFrom::Detected,
        };
        let show = Show {
            name: String::new(),
            about: String::new(),
            actors: (0..n_people).map(actor).collect(),
            arrangement: Arrangement::SideBySide,
            terrain: None,
            floor: loaded[0].floor,
            obstacles: &[],
            plan: None,
            verdict: None,
            facts: Vec::new(),
            links: Vec::new(),
        };
        let page = pack_page(&Page { title: "people".to_string(), shows: vec![show] })
            .map_err(|error| JobError::of_file("picture", &request.input.file, error.to_string()))?;
        let people = (0..n_people).map(|index| {
            let later = (index / clips.len()) as f64 * STAGGER;
            (clips[index % clips.len()].clone(), later)
        });
        Ok(MotionStream { page, people: people.collect() })
    }

    /// Appends everybody's frame at a time, one after the other; motions begin again at their ends.
    pub fn frame(&self, seconds: f64, bytes: &mut Vec<u8>) {
        for (clip, later) in &self.people {
            let n_joints = clip.skeleton.n_joints();
            let frame = ((seconds + later) * clip.frame_rate).max(0.0) as usize % clip.n_frames();
            live_pose(&clip.transforms()[frame * n_joints..(frame + 1) * n_joints], bytes);
        }
    }
}

fn page_of<T>(
    request: &RenderRequest,
    make: impl FnOnce(&Page<'_>) -> Result<T, ViewerError>,
) -> Result<RenderedPage<T>, JobError> {
    let scene = request.scene.as_deref().map(load_scene).transpose()?;
    let plan: Option<FootPlan> = request
        .plan
        .as_deref()
        .map(|file| own::read_plan(&read_bytes(file)?).map_err(|error| error.in_file(file)))
        .transpose()?;
    let inputs = std::iter::once(&request.input).chain(&request.more);
    let on = request.on.as_ref().map(Shown::load).transpose()?;
    let loaded =
        inputs.map(|input| Loaded::new(input, request.slice, on.as_ref())).collect::<Result<Vec<_>, JobError>>()?;
    if let Some(on) = request.on.as_ref().filter(|_| !loaded.iter().any(|loaded| loaded.is_on)) {
        let message = "no motion has the joints of this character; `surefoot retarget` makes one that has";
        return Err(JobError::of_file("body", &on.file, message));
    }
    let without_mesh = loaded.iter().find_map(|loaded| loaded.without_mesh.clone());
    let first = &loaded[0];
    let floor = match request.terrain {
        Some(TerrainRequest::Flat(height)) => height,
        _ => first.floor,
    };
    let given = request.terrain.as_ref().map(TerrainRequest::load).transpose()?;
    let given = given.or_else(|| scene.as_ref().and_then(|scene| scene.terrain.clone()));
    let off_terrain = given.as_ref().zip(first.body.as_ref()).and_then(|(terrain, body)| {
        let feet = foot_points(&first.clip.world(), &first.clip.skeleton, body);
        OffTerrain::of_feet(&feet, terrain).map(|place| place.to_string())
    });
    let terrain = given.or_else(|| stones(first, floor));
    let name = match loaded.len() {
        1 => first.name.clone(),
        2 => format!("{} and {}", first.name, loaded[1].name),
        n => format!("{} and {} more", first.name, n - 1),
    };
    let show = Show {
        name: name.clone(),
        about: without_mesh.clone().unwrap_or_default(),
        actors: loaded.iter().map(Loaded::actor).collect(),
        arrangement: arrangement(request.arrangement, &loaded),
        terrain: terrain.as_ref(),
        floor,
        obstacles: scene.as_ref().map_or(&[], |scene| &scene.obstacles),
        plan: plan.as_ref(),
        verdict: None,
        facts: Vec::new(),
        links: Vec::new(),
    };
    let page = make(&Page { title: name, shows: vec![show] })
        .map_err(|error| JobError::of_file("picture", &request.input.file, error.to_string()))?;
    let mut reports = loaded.into_iter().map(|loaded| loaded.report);
    let input = reports.next().expect("the first input");
    Ok(RenderedPage { page, input, more: reports.collect(), off_terrain, without_mesh })
}

fn load_scene(file: &Path) -> Result<Scene, JobError> {
    read_scene(file, ScenePlaces::default()).map_err(|problem| *problem.error)
}

/// Stones under feet that are planted above the ground.
fn stones(loaded: &Loaded, floor: f64) -> Option<Terrain> {
    stones_under(loaded.contacts.as_ref()?, loaded.body.as_ref()?, &loaded.clip.skeleton, floor)
}

/// As requested; else two that begin at one place are before and after, and others stand side by side.
fn arrangement(request: Option<ArrangementRequest>, loaded: &[Loaded]) -> Arrangement {
    let start = |loaded: &Loaded| loaded.clip.world().first().map(|pose| pose.world()[0].translation);
    let is_pair = || {
        let [before, after] = loaded else { return false };
        start(before).zip(start(after)).is_some_and(|(before, after)| before.distance(after) < SAME_PLACE)
    };
    match request {
        Some(ArrangementRequest::Overlay) => Arrangement::Overlay,
        Some(ArrangementRequest::SideBySide) => Arrangement::SideBySide,
        None if is_pair() => Arrangement::Overlay,
        None => Arrangement::SideBySide,
    }
}
