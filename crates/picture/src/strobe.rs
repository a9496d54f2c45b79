//! A strobe picture: the complete path in one wide picture, with figures along it.
//!
//! Earlier figures are paler. On the ground are the pelvis trajectory and, where contacts are known, every footprint.

use crate::colour;
use crate::framing::{Extent, Frame, camera, fit, grid_spacing};
use crate::ground::draw_ground;
use crate::image::{Image, Rect, check_size};
use crate::legend::{HEADER, draw_header, draw_time};
use crate::plan_frames::{Forward, forward_direction, pelvis_path, plan_frames, plan_range};
use crate::raster::draw_solids;
use crate::relief::Relief;
use crate::scene::{FigureLook, Scene};
use crate::sheet::{STAGE, axes_over};
use crate::subject::{Actor, Moment};
use crate::view::Camera;
use crate::{PictureError, RenderOptions, Subject};
use surefoot_geom::{Vec2, Vec3, ground_point};

/// Around the figures, and below them for times, in pixels.
const MARGIN: f64 = 22.0;
const FOOT: f64 = 34.0;
/// A strobe picture is at most this much of its width high: a jump on the spot is not blown up to fill it.
const HIGHEST: f64 = 0.55;
/// Figures closer than this overlap in most views, in metres.
const LAYER: f64 = 0.7;
/// How far the first figure recedes.
const FIRST_FADE: f64 = 0.62;
/// Points of the path's line, and of the ground around it.
const PATH_POINTS: usize = 400;
const STAGE_POINTS: usize = 24;
/// Times closer than this would run into each other, in pixels.
const TIME_ROOM: f64 = 46.0;

/// A strobe picture before it is drawn.
pub(crate) struct Strobe {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) scene: Scene,
    pub(crate) camera: Camera,
    /// Where to write which time.
    pub(crate) times: Vec<(Vec2, String)>,
    pub(crate) spacing: f64,
}

/// A strobe picture of the chosen frames.
pub fn strobe(subject: &Subject<'_>, options: &RenderOptions) -> Result<Image, PictureError> {
    let actor = Actor::new(*subject);
    let strobe = plan_strobe(&actor, options)?;
    let mut image = Image::new(strobe.width.into(), strobe.height.into(), colour::CARD)?;
    let all = image.bounds();
    draw_ground(&mut image, all, &strobe.camera, &strobe.scene);
    draw_solids(&mut image, all, &strobe.camera, &strobe.scene.solids);
    if options.labels {
        let header = Rect { x: 12, y: 0, width: strobe.width.saturating_sub(24), height: HEADER };
        draw_header(&mut image, header, &actor, options, strobe.spacing);
        for (at, time) in &strobe.times {
            draw_time(&mut image, *at, time);
        }
    }
    Ok(image)
}

/// Places all figures, and finds the scale and the picture's height.
pub(crate) fn plan_strobe(actor: &Actor<'_>, options: &RenderOptions) -> Result<Strobe, PictureError> {
    options.check()?;
    let range = plan_range(actor, options)?;
    let moments: Vec<Moment> = plan_frames(actor, options)?.into_iter().map(|frame| actor.moment(frame)).collect();
    let flat = |points: Vec<Vec3>| points.into_iter().map(ground_point).collect::<Vec<Vec2>>();
    let mut scene = Scene { ground_height: options.ground_height, ..Scene::default() };
    scene.add_body(actor, &moments[0], FigureLook::default());
    let figure_side = scene.largest_side();
    scene.stage_radius = STAGE * figure_side;
    scene.solids.clear();
    scene.path = flat(pelvis_path(actor, range.clone(), PATH_POINTS, options.ground_height));
    scene.stage = flat(pelvis_path(actor, range.clone(), STAGE_POINTS, options.ground_height));
    if scene.stage.is_empty() {
        scene.stage = vec![actor.pelvis_ground(&moments[0].pose)];
    }
    scene.relief = Relief::new(actor, &scene.stage, scene.stage_radius, options.ground_height);
    add_figures(actor, &moments, &mut scene);
    scene.add_footprints(actor, range.clone());

    let forward = forward_direction(actor, range, Forward::OfPath);
    let on_ground = |at: &Vec2| Vec3::new(at.x, scene.height_at(*at), at.y);
    let axes = axes_over(options.view, forward, scene.stage.iter().map(on_ground));
    let target = on_ground(&scene.stage[scene.stage.len() / 2]);
    let mut extent = Extent::EMPTY;
    extent.add_scene(&axes, &scene, target);
    // Seen from above a turn on the spot is no larger than a person is broad; it should not fill the picture.
    extent.widen(figure_side);
    let (width, height, frame) = size_for(&extent, options);
    check_size(width.into(), height.into())?;
    let camera = camera(axes, target, fit(&extent, &frame));
    let times = if options.labels { times(actor, &moments, &camera, options, &frame) } else { Vec::new() };
    let spacing = grid_spacing(camera.scale);
    Ok(Strobe { width, height, scene, camera, times, spacing })
}

/// Adds all figures, paler the earlier they are. Where two come closer than [`LAYER`] the later one is a layer in front, so
/// that it is seen whole; figures well apart stand where they are.
fn add_figures(actor: &Actor<'_>, moments: &[Moment], scene: &mut Scene) {
    let last = moments.len().saturating_sub(1).max(1) as f64;
    let mut layer = 0.0;
    for (i, moment) in moments.iter().enumerate() {
        if i > 0 {
            let [before, here] = [&moments[i - 1], moment].map(|moment| actor.pelvis_ground(&moment.pose));
            layer += (LAYER - before.distance(here)).max(0.0);
        }
        let fade = if moments.len() == 1 { 0.0 } else { FIRST_FADE * (1.0 - i as f64 / last) };
        scene.add_body(actor, moment, FigureLook { figure: i as u32, fade, layer });
    }
}

/// The picture's size, and the box in it for the figures.
fn size_for(extent: &Extent, options: &RenderOptions) -> (u32, u32, Frame) {
    let width = f64::from(options.strobe_width);
    let margin = MARGIN.min(width / 8.0);
    let (top, bottom) = if options.labels { (f64::from(HEADER), FOOT) } else { (margin, margin) };
    let size = extent.size();
    let wanted = size.y * (width - 2.0 * margin) / size.x;
    let room = wanted.clamp(width * 0.1, width * HIGHEST).max(f64::from(crate::image::MIN_SIDE));
    let height = (room + top + bottom).ceil();
    let frame = Frame { low: Vec2::new(margin, top), high: Vec2::new(width - margin, height - bottom) };
    (options.strobe_width, height as u32, frame)
}

/// Times below the figures, leaving out those that would run into the one before.
fn times(
    actor: &Actor<'_>,
    moments: &[Moment],
    camera: &Camera,
    options: &RenderOptions,
    frame: &Frame,
) -> Vec<(Vec2, String)> {
    let mut times: Vec<(Vec2, String)> = Vec::new();
    for moment in moments {
        let Some(index) = moment.frame else { continue };
        let under = actor.pelvis_ground(&moment.pose);
        let x = camera.project_flat(Vec3::new(under.x, options.ground_height, under.y)).x;
        if times.iter().all(|(taken, _)| (taken.x - x).abs() >= TIME_ROOM) {
            let seconds = index as f64 / actor.subject.clip.frame_rate;
            times.push((Vec2::new(x, frame.high.y + FOOT * 0.62), format!("{seconds:.2} s")));
        }
    }
    times
}
