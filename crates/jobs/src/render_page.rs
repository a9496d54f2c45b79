//! The player that `render` writes: one or more motions in one HTML file.

use crate::input_report::InputReport;
use crate::input_request::{FloorRequest, InputRequest, TerrainRequest};
use crate::job_error::JobError;
use crate::render_job::RenderRequest;
use crate::scene_picture::{ScenePlaces, read_scene};
use serde::{Deserialize, Serialize};
use std::path::Path;
use surefoot_contact::metrics::{OffTerrain, foot_points};
use surefoot_contact::{Contacts, DetectOptions, FootPlan, detect_contacts, slice_contacts};
use surefoot_formats::{Import, own, read_bytes};
use surefoot_ground::{Scene, Terrain};
use surefoot_motion::{BodyMap, Clip, slice};
use surefoot_picture::stones_under;
use surefoot_viewer::{
    Actor, Arrangement, ContactsFrom, PackedPage, Page, Show, ViewerError, pack_page, page_html, plain_name,
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
}

/// A motion that is loaded.
struct Loaded {
    name: String,
    clip: Clip,
    body: Option<BodyMap>,
    contacts: Option<Contacts>,
    from: ContactsFrom,
    report: InputReport,
    floor: f64,
}

impl Loaded {
    fn new(input: &InputRequest, range: Option<(usize, usize)>) -> Result<Loaded, JobError> {
        let (import, known) = input.load_with_contacts()?;
        let report = InputReport::new(&input.file, &import);
        let floor = floor_of(input, &import);
        let name =
            input.file.file_stem().map_or_else(|| import.clip.name.clone(), |stem| stem.to_string_lossy().into_owned());
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
        Ok(Loaded { name: plain_name(&name), clip, body, contacts, from, report, floor })
    }

    fn actor(&self) -> Actor<'_> {
        Actor {
            name: &self.name,
            clip: &self.clip,
            body: self.body.as_ref(),
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
    let loaded = inputs.map(|input| Loaded::new(input, request.slice)).collect::<Result<Vec<_>, _>>()?;
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
        about: String::new(),
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
    Ok(RenderedPage { page, input, more: reports.collect(), off_terrain })
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
