//! A contact sheet: one panel for each chosen frame, all at one scale, the viewer going along with the pelvis.
//!
//! The layout and the panels' scenes are values, so that pixels ([`contact_sheet`]) and SVG ([`crate::sheet_svg`]) are made
//! from the same.

use crate::colour;
use crate::framing::{Extent, Frame, camera, fit, grid_spacing, spacing_name};
use crate::ground::draw_ground;
use crate::image::{Image, Rect, check_size};
use crate::legend::{HEADER, draw_footfall, draw_header, draw_panel_label};
use crate::plan_frames::{Forward, forward_direction, plan_frames, plan_range};
use crate::raster::draw_solids;
use crate::relief::Relief;
use crate::scene::{FigureLook, Scene};
use crate::subject::{Actor, Moment};
use crate::view::{Axes, Camera};
use crate::{PictureError, RenderOptions, Subject, View};
use surefoot_geom::{Vec2, Vec3};

/// Around the sheet and between panels, in pixels.
const MARGIN: u32 = 12;
const GAP: u32 = 8;
/// Roundness of a panel's corners, in pixels.
pub(crate) const CORNER: f64 = 7.0;
/// Kept free inside a panel: at the sides, for the label above, and below, in pixels.
const PANEL_SIDE: f64 = 10.0;
const PANEL_LABEL: f64 = 26.0;
const PANEL_FOOT: f64 = 16.0;

/// A sheet before it is drawn.
pub(crate) struct Sheet {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) panels: Vec<Panel>,
    pub(crate) spacing: f64,
}

/// One figure of a sheet.
pub(crate) struct Panel {
    pub(crate) rect: Rect,
    pub(crate) moment: Moment,
    pub(crate) scene: Scene,
    pub(crate) camera: Camera,
}

/// A contact sheet of the chosen frames.
pub fn contact_sheet(subject: &Subject<'_>, options: &RenderOptions) -> Result<Image, PictureError> {
    let actor = Actor::new(*subject);
    let sheet = plan_sheet(&actor, options)?;
    let mut image = Image::new(sheet.width.into(), sheet.height.into(), colour::PAGE)?;
    if options.labels {
        let header = Rect { x: MARGIN, y: 0, width: sheet.width - 2 * MARGIN, height: HEADER };
        draw_header(&mut image, header, &actor, options, sheet.spacing);
    }
    for panel in &sheet.panels {
        image.fill_rect(panel.rect, colour::CARD);
        draw_panel(&mut image, panel, &actor, options);
        image.round_corners(panel.rect, CORNER, colour::PAGE);
    }
    Ok(image)
}

/// Draws ground, body and labels of a panel over its card.
pub(crate) fn draw_panel(image: &mut Image, panel: &Panel, actor: &Actor<'_>, options: &RenderOptions) {
    draw_panel_picture(image, panel);
    if options.labels {
        draw_panel_label(image, panel.rect, actor, panel.moment.frame);
        draw_footfall(image, panel.rect, actor, panel.moment.frame);
    }
}

/// Draws ground and body of a panel over its card.
pub(crate) fn draw_panel_picture(image: &mut Image, panel: &Panel) {
    draw_ground(image, panel.rect, &panel.camera, &panel.scene);
    draw_solids(image, panel.rect, &panel.camera, &panel.scene.solids);
}

/// Chooses frames, lays panels out and finds the scale.
pub(crate) fn plan_sheet(actor: &Actor<'_>, options: &RenderOptions) -> Result<Sheet, PictureError> {
    options.check()?;
    let frames = plan_frames(actor, options)?;
    let columns = options.columns.clamp(1, frames.len() as u32);
    let rows = (frames.len() as u32).div_ceil(columns);
    let across = |n: u32, side: u32| u64::from(n) * u64::from(side) + u64::from((n - 1) * GAP + 2 * MARGIN);
    let top = if options.labels { HEADER } else { MARGIN };
    let width = across(columns, options.panel[0]);
    let height = across(rows, options.panel[1]) + u64::from(top - MARGIN);
    check_size(width, height)?;

    let forward = forward_direction(actor, plan_range(actor, options)?, Forward::OfBody);
    let staged: Vec<(Moment, Scene, Vec3)> = frames.into_iter().map(|frame| stage(actor, options, frame)).collect();
    let axes = axes_over(options.view, forward, staged.iter().map(|(_, _, target)| *target));
    let mut extent = Extent::EMPTY;
    for (_, scene, target) in &staged {
        extent.add_scene(&axes, scene, *target);
    }
    let (scale, centre) = fit(&extent, &panel_frame(options.panel, options.labels.then_some(PANEL_FOOT)));
    let panel = |(i, (moment, scene, target)): (usize, (Moment, Scene, Vec3))| {
        let (column, row) = (i as u32 % columns, i as u32 / columns);
        let (x, y) = (MARGIN + column * (options.panel[0] + GAP), top + row * (options.panel[1] + GAP));
        let rect = Rect { x, y, width: options.panel[0], height: options.panel[1] };
        let centre = centre + Vec2::new(f64::from(x), f64::from(y));
        Panel { rect, moment, scene, camera: camera(axes, target, (scale, centre)) }
    };
    let panels = staged.into_iter().enumerate().map(panel).collect();
    Ok(Sheet { width: width as u32, height: height as u32, panels, spacing: grid_spacing(scale) })
}

/// The scene of one frame, and the ground point under its pelvis.
fn stage(actor: &Actor<'_>, options: &RenderOptions, frame: Option<usize>) -> (Moment, Scene, Vec3) {
    let moment = actor.moment(frame);
    let under = actor.pelvis_ground(&moment.pose);
    let scene = follow_scene(actor, options, &moment, under);
    let height = scene.height_at(under);
    (moment, scene, Vec3::new(under.x, height, under.y))
}

/// The scene of one moment with the ground around a point.
pub(crate) fn follow_scene(actor: &Actor<'_>, options: &RenderOptions, moment: &Moment, under: Vec2) -> Scene {
    let mut scene = Scene { stage: vec![under], ground_height: options.ground_height, ..Scene::default() };
    scene.add_body(actor, moment, FigureLook::default());
    scene.stage_radius = STAGE * scene.largest_side();
    scene.relief = Relief::new(actor, &scene.stage, scene.stage_radius, options.ground_height);
    scene.add_planted(actor, moment);
    scene
}

/// The viewer's directions. Who climbs is seen from behind, for the stairs ahead would hide the feet.
pub(crate) fn axes_over(view: View, forward: Vec3, ground: impl Iterator<Item = Vec3>) -> Axes {
    let ground: Vec<Vec3> = ground.collect();
    let climbs = match (&ground[..], view) {
        ([first, .., last], View::ThreeQuarter | View::Front) => last.y - first.y > CLIMB,
        _ => false,
    };
    if climbs { Axes::behind(view, forward) } else { Axes::new(view, forward) }
}

/// A walk that rises by more than this is a climb, in metres: more than one stair.
const CLIMB: f64 = 0.3;

/// How far the ground is drawn around a figure, over its height.
pub(crate) const STAGE: f64 = 0.75;

/// Where figures may be in a panel of that size; `foot` is the room below them in a panel with labels.
pub(crate) fn panel_frame(panel: [u32; 2], foot: Option<f64>) -> Frame {
    let size = Vec2::new(f64::from(panel[0]), f64::from(panel[1]));
    // A tenth of a tiny panel is less than the label would take.
    let limit = |room: f64, side: f64| room.min(side / 8.0);
    let (above, below) = foot.map_or((PANEL_SIDE, PANEL_SIDE), |foot| (PANEL_LABEL, foot));
    let low = Vec2::new(limit(PANEL_SIDE, size.x), limit(above, size.y));
    Frame { low, high: size - Vec2::new(low.x, limit(below, size.y)) }
}

/// The sheet's header about the grid.
pub(crate) fn grid_note(spacing: f64) -> String {
    format!("grid {}", spacing_name(spacing))
}
