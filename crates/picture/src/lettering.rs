//! A small stroke font of our own, so that labels need no font file.
//!
//! A glyph is a few strokes of points, each point two characters: x, then y from `0` to `b` (eleven). The baseline is at 3,
//! small letters reach 8, capitals and digits `a` (ten), tails go down to 0. A stroke that begins with `~` is rounded (a
//! quadratic B-spline that begins at the first point and ends at the last), one with `@` is rounded and closed.

use crate::colour::Colour;
use crate::image::Image;
use surefoot_geom::Vec2;

const BASELINE: f64 = 3.0;
/// From the baseline to the top of a capital, in glyph units.
const CAP_HEIGHT: f64 = 7.0;
/// Between glyphs, and the width of a space, in glyph units.
const GAP: f64 = 2.2;
const SPACE: f64 = 1.6;
/// Stroke width over cap height.
const STROKE: f64 = 0.135;
/// Points that a rounded corner is drawn with.
const CURVE_STEPS: usize = 5;
/// Drawn for characters that the font lacks.
const MISSING: &str = "03 43 4a 0a 03";

/// The strokes of a character.
fn strokes(character: char) -> &'static str {
    match character {
        '0' => "@03 43 4a 0a",
        '1' => "08 2a 23",
        '2' => "~08 0a 4a 47 03|03 43",
        '3' => "~09 0a 4a 47 17|~17 47 43 03 04",
        '4' => "33 3a 05 45",
        '5' => "4a 0a 07|~07 38 48 43 03 04",
        '6' => "@03 43 47 07|~3a 0a 05",
        '7' => "0a 4a 13",
        '8' => "@03 43 47 07|@07 47 4a 0a",
        '9' => "@06 46 4a 0a|~13 43 48",
        'a' => "@03 43 48 08|48 43",
        'b' => "@03 43 48 08|0a 03",
        'c' => "~47 48 08 03 43 44",
        'd' => "@03 43 48 08|4a 43",
        'e' => "05 45|~45 48 08 03 43 44",
        'f' => "~3a 1a 18 17|17 13|08 38",
        'g' => "@03 43 48 08|48 43|~43 40 00 01",
        'h' => "0a 03|~06 08 48 46|46 43",
        'i' => "08 03|0a 0a",
        'j' => "18 13|~13 10 00|1a 1a",
        'k' => "0a 03|38 05|16 33",
        'l' => "0a 03",
        'm' => "08 03|~06 08 38 36|36 33|~36 38 68 66|66 63",
        'n' => "08 03|~06 08 48 46|46 43",
        'o' => "@03 43 48 08",
        'p' => "@03 43 48 08|08 00",
        'q' => "@03 43 48 08|48 40",
        'r' => "08 03|~05 08 38",
        's' => "~37 38 08 05 36 33 03 04",
        't' => "1a 15|~15 13 33|08 38",
        'u' => "08 05|~05 03 43 45|48 43",
        'v' => "08 23 48",
        'w' => "08 13 37 53 68",
        'x' => "08 43|48 03",
        'y' => "08 23|48 10",
        'z' => "08 48 03 43",
        'A' => "03 2a 43|16 36",
        'B' => "03 0a|~0a 4a 47 07|~07 57 53 03",
        'C' => "~59 5a 0a 03 53 54",
        'D' => "03 0a|~0a 5a 53 03",
        'E' => "4a 0a 03 43|07 37",
        'F' => "4a 0a 03|07 37",
        'G' => "~59 5a 0a 03 53 56|56 36",
        'H' => "0a 03|4a 43|07 47",
        'I' => "0a 03",
        'J' => "3a 35|~35 33 03 05",
        'K' => "0a 03|4a 06|17 43",
        'L' => "0a 03 43",
        'M' => "03 0a 35 6a 63",
        'N' => "03 0a 43 4a",
        'O' => "@03 53 5a 0a",
        'P' => "03 0a|~0a 4a 46 06",
        'Q' => "@03 53 5a 0a|35 53",
        'R' => "03 0a|~0a 4a 46 06|26 43",
        'S' => "~49 4a 0a 07 46 43 03 04",
        'T' => "0a 4a|2a 23",
        'U' => "0a 05|~05 03 43 45|45 4a",
        'V' => "0a 23 4a",
        'W' => "0a 13 38 53 6a",
        'X' => "0a 43|4a 03",
        'Y' => "0a 26 4a|26 23",
        'Z' => "0a 4a 03 43",
        '.' => "03 03",
        ',' => "13 01",
        ':' => "03 03|07 07",
        ';' => "13 01|17 17",
        '·' => "06 06",
        '-' | '–' => "06 36",
        '+' => "06 46|24 28",
        '=' => "05 45|07 47",
        '_' => "02 42",
        '/' => "02 4a",
        '\\' => "0a 42",
        '|' => "0b 02",
        '(' => "~2b 08 05 22",
        ')' => "~0b 28 25 02",
        '[' => "2b 0b 02 22",
        ']' => "0b 2b 22 02",
        '<' => "49 06 43",
        '>' => "09 46 03",
        '%' => "03 5a|@08 28 2a 0a|@33 53 55 35",
        '#' => "13 1a|33 3a|05 45|08 48",
        '*' => "26 2a|07 49|47 09",
        '!' => "0a 05|03 03",
        '?' => "~09 0a 4a 47 26 25|23 23",
        '\'' => "0a 08",
        '"' => "0a 08|2a 28",
        ' ' => "",
        _ => MISSING,
    }
}

/// Width of a line of text whose capitals are `size` pixels high.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(advance).sum();
    (units - GAP).max(0.0) * size / CAP_HEIGHT
}

fn advance(character: char) -> f64 {
    let points = strokes(character).split(['|', ' ']).filter_map(parse_point);
    let width = points.map(|point| point.x).fold(0.0, f64::max);
    if character == ' ' { SPACE + GAP } else { width + GAP }
}

/// Writes a line of text whose capitals are `size` pixels high, from `at` on the baseline.
pub(crate) fn draw_text(image: &mut Image, text: &str, at: Vec2, size: f64, colour: Colour) {
    let unit = size / CAP_HEIGHT;
    let mut pen = at.x;
    for character in text.chars() {
        for stroke in strokes(character).split('|').filter(|stroke| !stroke.is_empty()) {
            let points = outline(stroke);
            let place = |point: &Vec2| Vec2::new(pen + point.x * unit, at.y - (point.y - BASELINE) * unit);
            draw_stroke(image, &points.iter().map(place).collect::<Vec<Vec2>>(), STROKE * size, colour);
        }
        pen += advance(character) * unit;
    }
}

/// The longest beginning of a text, with two dots where it is cut, that is no wider than `room` pixels.
pub(crate) fn shorten(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_string();
    }
    let mut short: Vec<char> = text.chars().take(256).collect();
    while short.pop().is_some() {
        let cut = short.iter().collect::<String>() + "..";
        if text_width(&cut, size) <= room {
            return cut;
        }
    }
    String::new()
}

/// A stroke is one shape, so that its corners are not covered twice.
fn draw_stroke(image: &mut Image, points: &[Vec2], width: f64, colour: Colour) {
    let reach = Vec2::splat(width / 2.0 + 1.0);
    let low = points.iter().fold(Vec2::INFINITY, |low, point| low.min(*point)) - reach;
    let high = points.iter().fold(Vec2::NEG_INFINITY, |high, point| high.max(*point)) + reach;
    image.fill_shape(low, high, colour, 1.0, |at| {
        let pairs = points.windows(2);
        let nearest = pairs.map(|pair| at.distance(crate::image::nearest_on_segment(at, pair[0], pair[1])));
        nearest.fold(f64::INFINITY, f64::min) - width / 2.0
    });
}

/// A stroke's points in glyph units, curves drawn out.
fn outline(stroke: &str) -> Vec<Vec2> {
    let is_loop = stroke.starts_with('@');
    let is_round = is_loop || stroke.starts_with('~');
    let points: Vec<Vec2> = stroke.trim_start_matches(['@', '~']).split(' ').filter_map(parse_point).collect();
    if !is_round || points.len() < 3 {
        return points;
    }
    let n = points.len();
    // Each corner is a parabola between the middles of its two sides; an open stroke's first and last reach its ends.
    let corners: Vec<[Vec2; 3]> = if is_loop {
        (0..n).map(|i| [points[(i + n - 1) % n], points[i], points[(i + 1) % n]]).collect()
    } else {
        points.windows(3).map(|w| [w[0], w[1], w[2]]).collect()
    };
    let n_corners = corners.len();
    let mut out = Vec::new();
    for (i, [before, corner, after]) in corners.into_iter().enumerate() {
        let from = if !is_loop && i == 0 { before } else { (before + corner) / 2.0 };
        let to = if !is_loop && i + 1 == n_corners { after } else { (corner + after) / 2.0 };
        for step in 0..=CURVE_STEPS {
            let t = step as f64 / CURVE_STEPS as f64;
            out.push(from.lerp(corner, t).lerp(corner.lerp(to, t), t));
        }
    }
    out
}

fn parse_point(text: &str) -> Option<Vec2> {
    let mut digits = text.trim_start_matches(['@', '~']).chars().map(|c| c.to_digit(12).map(f64::from));
    Some(Vec2::new(digits.next()??, digits.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{CARD, INK};

    #[test]
    fn every_glyph_parses_to_points_inside_its_box() {
        for character in (' '..='~').chain(['·', '–', 'é']) {
            for stroke in strokes(character).split('|').filter(|stroke| !stroke.is_empty()) {
                let written = stroke.trim_start_matches(['@', '~']).split(' ').count();
                assert_eq!(stroke.split(' ').filter_map(parse_point).count(), written, "{character}");
                let points = outline(stroke);
                assert!(points.len() >= 2, "{character}");
                assert!(
                    points.iter().all(|p| (0.0..=6.0).contains(&p.x) && (0.0..=11.0).contains(&p.y)),
                    "{character}"
                );
            }
        }
    }

    #[test]
    fn text_stays_within_its_width_and_is_cut_to_fit() {
        let mut image = Image::new(200, 40, CARD).expect("a small picture");
        draw_text(&mut image, "Walk 02_01 (side)", Vec2::new(10.0, 25.0), 9.0, INK);
        let width = text_width("Walk 02_01 (side)", 9.0);
        let inked = |x: u32| (0..40).any(|y| image.pixel(x, y) != CARD.0);
        let last = (0..200).rev().find(|&x| inked(x)).expect("some ink");
        assert!(f64::from(last) <= 10.0 + width + 2.0 && f64::from(last) >= 10.0 + width - 3.0);
        let cut = shorten("a name that is far too long", 9.0, 60.0);
        assert!(cut.ends_with("..") && text_width(&cut, 9.0) <= 60.0);
        assert_eq!(shorten("anything", 9.0, 1.0), "");
    }
}
