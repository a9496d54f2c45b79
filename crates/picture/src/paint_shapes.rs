//! Shapes painted.

use crate::colour::{self, Colour};
use crate::image::Image;
use crate::lettering::{draw_text, text_width};
use crate::shapes::{Anchor, Shape};
use surefoot_geom::Vec2;

/// Lines of each pixel row at which an area is looked at.
const SUB_ROWS: usize = 4;

pub(crate) fn paint(image: &mut Image, shape: &Shape) {
    match shape {
        Shape::Area { points, fill, edge, width } => {
            fill_area(image, points, *fill);
            let next = points.iter().cycle().skip(1);
            points.iter().zip(next).for_each(|(&a, &b)| image.draw_segment(a, b, *width, *edge));
        }
        Shape::Line { points, colour, width } => {
            points.windows(2).for_each(|pair| image.draw_segment(pair[0], pair[1], *width, *colour));
        }
        Shape::Disc { centre, radius, colour } => image.draw_disc(*centre, *radius, *colour, 1.0),
        Shape::Ring { centre, radius, colour, width } => image.draw_ring(*centre, *radius, *width, *colour),
        Shape::Text { at, words, size, colour, anchor, halo } => {
            let left = match anchor {
                Anchor::Start => at.x,
                Anchor::End => at.x - text_width(words, *size),
            };
            if *halo {
                for (x, y) in [(-1.5, 0.0), (1.5, 0.0), (0.0, -1.5), (0.0, 1.5)] {
                    draw_text(image, words, Vec2::new(left + x, at.y + y), *size, colour::CARD);
                }
            }
            draw_text(image, words, Vec2::new(left, at.y), *size, *colour);
        }
    }
}

/// Fills an outline row by row, whatever its shape: what an odd number of its lines encloses. Columns are covered exactly,
/// rows at a few lines of each.
fn fill_area(image: &mut Image, points: &[Vec2], colour: Colour) {
    let high = points.iter().fold(0.0, |high: f64, point| high.max(point.y));
    let low = points.iter().fold(f64::INFINITY, |low: f64, point| low.min(point.y));
    let rows = (low.floor().max(0.0) as u32)..(high.ceil().clamp(0.0, f64::from(image.height())) as u32);
    let mut cover = vec![0.0_f32; image.width() as usize];
    for row in rows {
        cover.fill(0.0);
        for sub in 0..SUB_ROWS {
            let y = f64::from(row) + (sub as f64 + 0.5) / SUB_ROWS as f64;
            for pair in crossings(points, y).as_chunks::<2>().0 {
                add_cover(&mut cover, pair[0], pair[1]);
            }
        }
        for (x, share) in cover.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            image.blend(x as u32, row, colour, (share / SUB_ROWS as f32).min(1.0));
        }
    }
}

/// Where a level line crosses an outline, from left to right: an even number of places.
fn crossings(points: &[Vec2], y: f64) -> Vec<f64> {
    let next = points.iter().cycle().skip(1);
    let edges = points.iter().zip(next).filter(|(a, b)| (a.y > y) != (b.y > y));
    let mut at: Vec<f64> = edges.map(|(a, b)| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)).collect();
    at.sort_by(f64::total_cmp);
    at
}

fn add_cover(cover: &mut [f32], from: f64, to: f64) {
    let (from, to) = (from.clamp(0.0, cover.len() as f64), to.clamp(0.0, cover.len() as f64));
    for (x, share) in cover.iter_mut().enumerate().take(to.ceil() as usize).skip(from as usize) {
        *share += ((to - x as f64).min(1.0) - (from - x as f64).max(0.0)).max(0.0) as f32;
    }
}
