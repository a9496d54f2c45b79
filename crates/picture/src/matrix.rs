//! A distance matrix as a picture (GRAPH figure 2).
//!
//! ```text
//!              straight     left
//!            +-----------+--------+
//!   straight | .  /  /   |  /  /  |    frame windows of all clips one after another, on both axes; the nearer two are, the
//!            | /  .  /   | /  /   |    lighter; strides show as light diagonals
//!            +-----------+--------+
//!       left |  /  /     | .  /   |
//!            +-----------+--------+
//! ```
//!
//! Distances are shown by the root of their share of the farthest 2 %, so that what is near can be told apart. Where a matrix has
//! more frame windows than the picture pixels, a pixel is the mean of its windows. Where a name is wider than its clip, columns have
//! numbers, and rows tell whose they are; clips of a few pixels have no label.

use crate::PictureError;
use crate::colour::{self, Colour};
use crate::image::{Image, Rect};
use crate::lettering::{draw_text, shorten, text_width};
use std::collections::BTreeMap;
use surefoot_geom::Vec2;
use surefoot_graph::{DistanceMatrix, MotionSet, Transition};
use surefoot_motion::Clip;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct MatrixPicture<'a> {
    /// Above it.
    pub title: &'a str,
    /// The clips that are compared.
    pub set: &'a MotionSet,
    /// Their distances.
    pub matrix: &'a DistanceMatrix,
    /// Marked with dots; may be empty.
    pub transitions: &'a [Transition],
}

/// Longest side of the matrix itself, in pixels.
const SIDE: usize = 900;
/// Largest side of a frame window, in pixels.
const MAX_CELL: usize = 6;
/// Tones between near and far; more cannot be told apart and make larger files.
const TONES: f32 = 40.0;
/// Around everything.
const MARGIN: u32 = 16;
/// Title and legend.
const HEAD: u32 = 46;
/// Widest names of clips to the left, and height of those above.
const NAMES: f64 = 260.0;
const NAME_ROW: u32 = 18;
/// From one name to the left to the next, at least, and the least height of a clip that has one.
const NAME_STEP: f64 = 13.0;
const LEAST_ROW: f64 = 10.0;
/// Heights of capitals.
const TITLE: f64 = 10.0;
const SMALL: f64 = 8.0;

const NEAR: Colour = Colour::hex(0xFF_FF_FF);
const FAR: Colour = Colour::hex(0x14_1B_2E);
const BORDER: Colour = Colour::hex(0x2F_7F_D0);
const DOT: Colour = Colour::hex(0xE8_50_10);

/// The picture as a PNG file.
pub fn matrix_png(picture: &MatrixPicture<'_>) -> Result<Vec<u8>, PictureError> {
    encode_by_palette(&draw(picture)?)
}

/// As a PNG of few colours: a third of the bytes, for soft shades that do not compress well.
fn encode_by_palette(image: &Image) -> Result<Vec<u8>, PictureError> {
    let failed = |error: png::EncodingError| PictureError::Encoding { format: "PNG", reason: error.to_string() };
    let pixels = image.pixels().as_chunks::<3>().0;
    let mut counts: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    pixels.iter().for_each(|pixel| *counts.entry(*pixel).or_default() += 1);
    // The commonest as they are; edges of letters have many more, which few miss.
    let mut palette: Vec<[u8; 3]> = counts.keys().copied().collect();
    palette.sort_by_key(|colour| std::cmp::Reverse(counts[colour]));
    palette.truncate(256);
    palette.sort_unstable();
    let apart = |a: &[u8; 3], b: &[u8; 3]| -> u32 { (0..3).map(|k| u32::from(a[k].abs_diff(b[k])).pow(2)).sum() };
    let nearest =
        |colour: &[u8; 3]| (0..palette.len()).min_by_key(|index| apart(&palette[*index], colour)).unwrap_or(0);
    let numbers: BTreeMap<[u8; 3], u8> = counts.keys().map(|colour| (*colour, nearest(colour) as u8)).collect();
    let indices: Vec<u8> = pixels.iter().map(|pixel| numbers[pixel]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width(), image.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&indices).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Where the frame windows of each clip begin, and how they are drawn.
struct Layout {
    /// First frame window of each clip, and the end.
    starts: Vec<usize>,
    /// Frame windows of a pixel; 1 unless there are more than pixels.
    step: usize,
    /// Pixels of a frame window; 1 unless there are fewer.
    cell: usize,
    /// Pixels of a side.
    side: usize,
    /// The top left corner.
    corner: [u32; 2],
}

impl Layout {
    fn of(picture: &MatrixPicture<'_>, names: f64) -> Layout {
        let mut starts = vec![0];
        for clip in picture.set.clips() {
            let n_windows = (clip.n_frames() + 1).saturating_sub(picture.matrix.window);
            starts.push(starts[starts.len() - 1] + n_windows);
        }
        let n = starts[starts.len() - 1].max(1);
        let step = n.div_ceil(SIDE);
        let cell = if step > 1 { 1 } else { (SIDE / n).clamp(1, MAX_CELL) };
        let corner = [MARGIN + names.ceil() as u32 + 8, MARGIN + HEAD + NAME_ROW];
        Layout { starts, step, cell, side: n.div_ceil(step) * cell, corner }
    }

    /// The pixel at which a frame window begins.
    fn pixel(&self, window: usize) -> usize {
        window / self.step * self.cell
    }
}

fn draw(picture: &MatrixPicture<'_>) -> Result<Image, PictureError> {
    let clips = picture.set.clips();
    // With a number before it, should it need one.
    let width = |clip: &Clip| text_width(&format!("{}  {}", clips.len(), clip.name), SMALL);
    let widest = clips.iter().map(width).fold(40.0, f64::max).min(NAMES);
    let layout = Layout::of(picture, widest);
    let [left, top] = layout.corner;
    let side = layout.side as u64;
    let width = (u64::from(left) + side + u64::from(MARGIN)).max(560);
    let mut image = Image::new(width, u64::from(top) + side + u64::from(MARGIN), colour::CARD)?;
    let far = picture.matrix.quantile(0.98).max(f32::MIN_POSITIVE);
    draw_head(&mut image, picture, far);
    draw_distances(&mut image, picture, &layout, far);
    draw_names(&mut image, picture, &layout, widest);
    for transition in picture.transitions {
        let [a, b] = [transition.a, transition.b].map(|(clip, frame)| layout.pixel(layout.starts[clip] + frame));
        let radius = (layout.cell as f64 * 0.5).clamp(1.1, 2.2);
        for (row, column) in [(a, b), (b, a)] {
            let at = Vec2::new(f64::from(left) + column as f64, f64::from(top) + row as f64);
            image.draw_disc(at + Vec2::splat(layout.cell as f64 / 2.0), radius, DOT, 1.0);
        }
    }
    Ok(image)
}

/// The share of darkness of a distance.
fn tone(distance: f32, far: f32) -> f32 {
    ((distance / far).clamp(0.0, 1.0).sqrt() * TONES).round() / TONES
}

fn draw_head(image: &mut Image, picture: &MatrixPicture<'_>, far: f32) {
    let x = f64::from(MARGIN);
    let room = f64::from(image.width()) - 2.0 * x;
    let title = shorten(picture.title, TITLE, room);
    draw_text(image, &title, Vec2::new(x, f64::from(MARGIN) + 12.0), TITLE, colour::INK);
    let y = f64::from(MARGIN) + 34.0;
    draw_text(image, "distance 0", Vec2::new(x, y), SMALL, colour::INK_SOFT);
    let mut x = x + text_width("distance 0", SMALL) + 8.0;
    for k in 0..120u32 {
        let distance = far * k as f32 / 119.0;
        let rect = Rect { x: x as u32 + k, y: y as u32 - 9, width: 1, height: 10 };
        image.fill_rect(rect, NEAR.mix(FAR, tone(distance, far)));
    }
    x += 128.0;
    let end = format!("{} and more", short_number(far));
    draw_text(image, &end, Vec2::new(x, y), SMALL, colour::INK_SOFT);
    if !picture.transitions.is_empty() {
        x += text_width(&end, SMALL) + 24.0;
        image.draw_disc(Vec2::new(x, y - 4.0), 3.0, DOT, 1.0);
        let text = format!("{} transitions", picture.transitions.len());
        draw_text(image, &text, Vec2::new(x + 8.0, y), SMALL, colour::INK_SOFT);
    }
}

/// A number with three digits.
fn short_number(value: f32) -> String {
    let digits = (2 - f64::from(value.max(f32::MIN_POSITIVE)).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

fn draw_distances(image: &mut Image, picture: &MatrixPicture<'_>, layout: &Layout, far: f32) {
    let n = layout.side / layout.cell;
    let (mut sums, mut counts) = (vec![0.0f32; n * n], vec![0u32; n * n]);
    for block in &picture.matrix.blocks {
        let [first, second] = block.clips.map(|clip| layout.starts[clip]);
        for row in 0..block.n_rows {
            let y = (first + row) / layout.step;
            for (column, distance) in block.row(row).iter().enumerate() {
                let x = (second + column) / layout.step;
                sums[y * n + x] += distance;
                counts[y * n + x] += 1;
                if block.clips[0] != block.clips[1] {
                    sums[x * n + y] += distance;
                    counts[x * n + y] += 1;
                }
            }
        }
    }
    let [left, top] = layout.corner;
    let cell = layout.cell as u32;
    for (index, (sum, count)) in sums.iter().zip(&counts).enumerate().filter(|(_, (_, count))| **count > 0) {
        let (x, y) = ((index % n) as u32 * cell, (index / n) as u32 * cell);
        let shade = NEAR.mix(FAR, tone(sum / *count as f32, far));
        image.fill_rect(Rect { x: left + x, y: top + y, width: cell, height: cell }, shade);
    }
}

fn draw_names(image: &mut Image, picture: &MatrixPicture<'_>, layout: &Layout, widest: f64) {
    let [left, top] = layout.corner;
    let side = layout.side as u32;
    for start in &layout.starts {
        let from = (layout.pixel(*start) as u32).min(side);
        for rect in [
            Rect { x: left + from, y: top, width: 1, height: side },
            Rect { x: left, y: top + from, width: side + 1, height: 1 },
        ] {
            image.fill_rect(rect, BORDER);
        }
    }
    for Label { at, text } in labels(picture.set.clips(), layout, widest) {
        draw_text(image, &text, at, SMALL, colour::INK);
    }
}

/// A name or a number, and where its baseline begins.
struct Label {
    at: Vec2,
    text: String,
}

/// What is written above and beside the matrix; no two of them meet.
fn labels(clips: &[Clip], layout: &Layout, widest: f64) -> Vec<Label> {
    let [left, top] = layout.corner.map(f64::from);
    let span = |clip: usize| {
        [layout.starts[clip], layout.starts[clip + 1]].map(|window| layout.pixel(window).min(layout.side) as f64)
    };
    let fits = |clip: usize, label: &str| {
        let [from, to] = span(clip);
        text_width(label, SMALL) + 6.0 <= to - from
    };
    let is_numbered = clips.iter().enumerate().any(|(clip, motion)| !fits(clip, &motion.name));
    let mut labels = Vec::new();
    // Where the next name to the left may begin.
    let mut free = 0.0;
    for (clip, motion) in clips.iter().enumerate() {
        let [from, to] = span(clip);
        let (above, beside) = match is_numbered {
            true => ((clip + 1).to_string(), format!("{}  {}", clip + 1, motion.name)),
            false => (motion.name.clone(), motion.name.clone()),
        };
        if fits(clip, &above) {
            labels.push(Label { at: Vec2::new(left + from + 3.0, top - 6.0), text: above });
        }
        // A small clip has a name where it takes none from a larger one after it.
        let [_, next_to] = span((clip + 1).min(clips.len() - 1));
        let has_room = to - from >= NAME_STEP || (to - from >= LEAST_ROW && next_to - to < NAME_STEP);
        if has_room && from >= free {
            let text = shorten(&beside, SMALL, widest);
            let x = left - 8.0 - text_width(&text, SMALL);
            labels.push(Label { at: Vec2::new(x, top + from + 11.0), text });
            free = from + NAME_STEP;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_graph::{Metric, Threads};
    use surefoot_motion::slice;

    /// What is written where, of clips of so many frames.
    fn written(clips: &[(&str, usize)]) -> Vec<(String, Vec2, f64)> {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 20, ..WalkerOptions::default() });
        let clip =
            |(name, n_frames): &(&str, usize)| slice(&walk.take.clip, 0..*n_frames).expect("frames").with_name(*name);
        let set = MotionSet::new(clips.iter().map(clip).collect(), walk.take.body.clone()).expect("one skeleton");
        let matrix = DistanceMatrix::new(&set, &Metric::angles(), 10, Threads::One);
        let picture = MatrixPicture { title: "walks", set: &set, matrix: &matrix, transitions: &[] };
        assert!(matrix_png(&picture).expect("a picture").starts_with(b"\x89PNG"));
        let layout = Layout::of(&picture, NAMES);
        let label = |label: Label| (label.text.clone(), label.at, text_width(&label.text, SMALL));
        labels(set.clips(), &layout, NAMES).into_iter().map(label).collect()
    }

    #[test]
    fn names_never_meet_and_are_numbers_where_they_are_too_long() {
        let short = written(&[("one", 150), ("two", 160)]);
        assert_eq!(short.iter().map(|label| &label.0[..]).collect::<Vec<_>>(), ["one", "one", "two", "two"]);
        let long = "a-walk-with-a-name-that-is-long";
        let many: Vec<(&str, usize)> = (0..12).map(|k| (long, [21, 200, 11, 16][k % 4])).collect();
        let labels = written(&many);
        let has_name = |clip: usize| labels.iter().any(|label| label.0.starts_with(&format!("{clip}  ")));
        assert!([2, 6, 10].into_iter().all(has_name), "every large clip has its name");
        assert!(labels.iter().any(|label| label.0 == "2") && labels.iter().any(|label| label.0.ends_with("long")));
        for (k, (text, at, width)) in labels.iter().enumerate() {
            assert!(!text.is_empty() && !text.starts_with(".."), "{text:?}");
            for (other, there, other_width) in &labels[k + 1..] {
                let beside = there.x >= at.x + width || at.x >= there.x + other_width;
                let apart = beside || (there.y - at.y).abs() >= 10.0;
                assert!(apart, "{text} and {other}");
            }
        }
    }
}
