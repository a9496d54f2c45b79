//! A moving picture: the clip in real time as a looped GIF, the viewer going along with the body.
//!
//! GIF counts time in hundredths of a second and browsers slow down anything below two, so frames are shown 25 a second, 4
//! hundredths each, unless another rate is asked for: clips of a higher rate are sampled at those times (between two poses by interpolation, so that speed
//! is even whatever the rate), clips of a lower rate are shown frame by frame, delays rounded so that errors never add up.
//! All frames share one palette; a frame stores only what has changed, in the smallest rectangle.

use crate::colour;
use crate::framing::{Extent, camera, fit};
use crate::image::{Image, check_size};
use crate::legend::draw_movie_labels;
use crate::palette::{ColourCount, MAX_COLOURS, Palette};
use crate::plan_frames::{Forward, evenly, forward_direction, plan_range};
use crate::relief::Relief;
use crate::sheet::{Panel, axes_over, draw_panel_picture, follow_scene, panel_frame};
use crate::subject::{Actor, Moment};
use crate::view::{Axes, Camera};
use crate::{PictureError, RenderOptions, Subject};
use std::borrow::Cow;
use surefoot_geom::{Vec2, Vec3, ground_point};

/// Most pictures of one animation: two minutes at 25 a second.
const MAX_PICTURES: usize = 3000;
/// Pictures whose colours are counted for the palette.
const PALETTE_SAMPLES: usize = 12;
/// The viewer follows the pelvis's mean over so many pictures to either side, twice over: sway is seen, not swum with.
const FOLLOW_REACH: usize = 6;
/// Kept free below the figure for the legend, in pixels.
const MOVIE_FOOT: f64 = 32.0;
/// Stands for a pixel that has not changed.
const UNCHANGED: u8 = MAX_COLOURS as u8;

/// The clip as a looped GIF in real time.
pub fn animated_gif(subject: &Subject<'_>, options: &RenderOptions) -> Result<Vec<u8>, PictureError> {
    animated_gif_with(subject, options, |_, _| ())
}

/// As [`animated_gif`]; `progress` is called with the number of pictures that are done and how many there are, after each.
pub fn animated_gif_with(
    subject: &Subject<'_>,
    options: &RenderOptions,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<u8>, PictureError> {
    let actor = Actor::new(*subject);
    let movie = Movie::plan(&actor, options)?;
    let mut palette = movie.palette()?;
    let failed = |error: gif::EncodingError| PictureError::Encoding { format: "GIF", reason: error.to_string() };
    let [width, height] = options.movie.map(|side| side as u16);
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette.bytes()).map_err(failed)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
    let mut shown: Vec<u8> = Vec::new();
    for i in 0..movie.moments.len() {
        let image = movie.picture(i)?;
        let indices = palette.indices(&image);
        let frame = changed_frame(&shown, &indices, usize::from(width), movie.delays[i]);
        encoder.write_frame(&frame).map_err(failed)?;
        shown = indices;
        progress(i + 1, movie.moments.len());
    }
    drop(encoder);
    Ok(bytes)
}

/// An animation before it is drawn.
struct Movie<'a> {
    actor: &'a Actor<'a>,
    options: &'a RenderOptions,
    moments: Vec<Moment>,
    /// Where the viewer looks at on the ground, for each moment.
    targets: Vec<Vec3>,
    /// Hundredths of a second that each picture is shown.
    delays: Vec<u16>,
    axes: Axes,
    scale: f64,
    centre: Vec2,
}

impl<'a> Movie<'a> {
    fn plan(actor: &'a Actor<'a>, options: &'a RenderOptions) -> Result<Movie<'a>, PictureError> {
        options.check()?;
        let [width, height] = options.movie;
        check_size(width.into(), height.into())?;
        let range = plan_range(actor, options)?;
        let rate = actor.subject.clip.frame_rate;
        let picture_rate = rate.min(options.movie_rate);
        let n = (range.len().saturating_sub(1) as f64 * picture_rate / rate).floor() + 1.0;
        // A frame rate that is no number must end here as well.
        if n.is_nan() || n > MAX_PICTURES as f64 {
            return Err(PictureError::TooManyFrames { n: n as usize, max: MAX_PICTURES });
        }
        let n = n as usize;
        let moments: Vec<Moment> = if range.is_empty() {
            vec![actor.moment(None)]
        } else {
            (0..n).map(|i| actor.moment_between(range.start as f64 + i as f64 * rate / picture_rate)).collect()
        };
        let time = |i: usize| (i as f64 * 100.0 / picture_rate).round();
        let delays = (0..moments.len()).map(|i| (time(i + 1) - time(i)).clamp(2.0, 6000.0) as u16).collect();
        let places: Vec<Vec2> = moments.iter().map(|moment| actor.pelvis_ground(&moment.pose)).collect();
        let relief = Relief::new(actor, &places, 0.5, options.ground_height);
        let height =
            |at: &Vec2| Vec2::new(relief.as_ref().map_or(options.ground_height, |relief| relief.height(*at)), 0.0);
        let heights: Vec<Vec2> = places.iter().map(height).collect();
        let smoothed = smooth(&smooth(&places)).into_iter().zip(smooth(&smooth(&heights)));
        let targets: Vec<Vec3> = smoothed.map(|(at, height)| Vec3::new(at.x, height.x, at.y)).collect();
        let forward = forward_direction(actor, range, Forward::OfBody);
        let axes = axes_over(options.view, forward, targets.iter().copied());
        let mut extent = Extent::EMPTY;
        for (moment, &target) in moments.iter().zip(&targets) {
            let scene = follow_scene(actor, options, moment, ground_point(target));
            extent.add_scene(&axes, &scene, target);
        }
        let (scale, centre) = fit(&extent, &panel_frame(options.movie, options.labels.then_some(MOVIE_FOOT)));
        Ok(Movie { actor, options, moments, targets, delays, axes, scale, centre })
    }

    fn picture(&self, i: usize) -> Result<Image, PictureError> {
        let [width, height] = self.options.movie;
        let mut image = Image::new(width.into(), height.into(), colour::CARD)?;
        let (moment, target) = (self.moments[i].clone(), self.targets[i]);
        let scene = follow_scene(self.actor, self.options, &moment, ground_point(target));
        let camera: Camera = camera(self.axes, target, (self.scale, self.centre));
        let panel = Panel { rect: image.bounds(), moment, scene, camera };
        draw_panel_picture(&mut image, &panel);
        if self.options.labels {
            draw_movie_labels(&mut image, self.actor, self.options, panel.moment.frame);
        }
        Ok(image)
    }

    /// The palette of some pictures of the movie.
    fn palette(&self) -> Result<Palette, PictureError> {
        let mut count = ColourCount::new();
        for i in evenly(0..self.moments.len(), PALETTE_SAMPLES) {
            count.add(&self.picture(i)?);
        }
        Ok(count.palette())
    }
}

/// The mean over neighbours within [`FOLLOW_REACH`], fewer at the ends but as many to either side.
fn smooth(points: &[Vec2]) -> Vec<Vec2> {
    let n = points.len();
    let mean = |i: usize| {
        let reach = FOLLOW_REACH.min(i).min(n - 1 - i);
        let near = &points[i - reach..=i + reach];
        near.iter().sum::<Vec2>() / near.len() as f64
    };
    (0..n).map(mean).collect()
}

/// The part of a picture that differs from the one shown before; all of the first.
fn changed_frame(shown: &[u8], indices: &[u8], width: usize, delay: u16) -> gif::Frame<'static> {
    let height = indices.len() / width;
    let differs = |x: usize, y: usize| shown.get(y * width + x) != Some(&indices[y * width + x]);
    let row_differs = |y: &usize| (0..width).any(|x| differs(x, *y));
    let top = (0..height).find(row_differs).unwrap_or(0);
    let bottom = (top..height).rev().find(row_differs).unwrap_or(top) + 1;
    let column_differs = |x: &usize| (top..bottom).any(|y| differs(*x, y));
    let left = (0..width).find(column_differs).unwrap_or(0);
    let right = (left..width).rev().find(column_differs).unwrap_or(left) + 1;
    let pixel = |y: usize, x: usize| if differs(x, y) { indices[y * width + x] } else { UNCHANGED };
    let buffer: Vec<u8> = (top..bottom).flat_map(|y| (left..right).map(move |x| pixel(y, x))).collect();
    gif::Frame {
        delay,
        dispose: gif::DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        top: top as u16,
        left: left as u16,
        width: (right - left) as u16,
        height: (bottom - top) as u16,
        buffer: Cow::Owned(buffer),
        ..gif::Frame::default()
    }
}
