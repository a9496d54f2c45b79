//! A picture of bytes, the few shapes that labels need, and PNG.

use crate::PictureError;
use crate::colour::Colour;
use surefoot_geom::Vec2;

/// Narrowest picture or panel, in pixels: less shows nothing.
pub(crate) const MIN_SIDE: u32 = 32;
/// Widest and highest picture, in pixels.
pub(crate) const MAX_SIDE: u32 = 16_384;
/// Most pixels of a picture: 120 MB as bytes.
pub(crate) const MAX_PIXELS: u64 = 40_000_000;

/// A picture: three bytes (red, green, blue in sRGB) for each pixel, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Rect {
    pub(crate) fn right(&self) -> u32 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> u32 {
        self.y + self.height
    }
}

impl Image {
    /// A picture of one colour, or an error where the size is void or beyond the limits.
    pub(crate) fn new(width: u64, height: u64, fill: Colour) -> Result<Image, PictureError> {
        check_size(width, height)?;
        let pixels = fill.0.repeat((width * height) as usize);
        Ok(Image { width: width as u32, height: height as u32, pixels })
    }

    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Three bytes for each pixel, rows from the top.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Red, green and blue of one pixel. Panics outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        assert!(x < self.width && y < self.height, "pixel ({x}, {y}) of {} x {}", self.width, self.height);
        let at = self.offset(x, y);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    fn offset(&self, x: u32, y: u32) -> usize {
        (y as usize * self.width as usize + x as usize) * 3
    }

    pub(crate) fn bounds(&self) -> Rect {
        Rect { x: 0, y: 0, width: self.width, height: self.height }
    }

    /// Sets a pixel inside the picture.
    #[inline]
    pub(crate) fn set(&mut self, x: u32, y: u32, colour: Colour) {
        let at = self.offset(x, y);
        self.pixels[at..at + 3].copy_from_slice(&colour.0);
    }

    /// Lays a colour over a pixel inside the picture, `share` of it.
    #[inline]
    pub(crate) fn blend(&mut self, x: u32, y: u32, colour: Colour, share: f32) {
        if share <= 0.0 {
            return;
        }
        let under = Colour(self.pixel(x, y));
        self.set(x, y, under.mix(colour, share));
    }

    /// Draws the shape whose signed distance in pixels (negative inside) `distance` gives, within a box around it.
    pub(crate) fn fill_shape(
        &mut self,
        low: Vec2,
        high: Vec2,
        colour: Colour,
        share: f32,
        distance: impl Fn(Vec2) -> f64,
    ) {
        let [x0, x1] = pixel_range(low.x, high.x, self.width);
        let [y0, y1] = pixel_range(low.y, high.y, self.height);
        for y in y0..y1 {
            for x in x0..x1 {
                let at = Vec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let coverage = (0.5 - distance(at)).clamp(0.0, 1.0) as f32;
                self.blend(x, y, colour, coverage * share);
            }
        }
    }

    /// A line with round ends.
    pub(crate) fn draw_segment(&mut self, from: Vec2, to: Vec2, width: f64, colour: Colour) {
        let reach = Vec2::splat(width / 2.0 + 1.0);
        self.fill_shape(from.min(to) - reach, from.max(to) + reach, colour, 1.0, |at| {
            at.distance(nearest_on_segment(at, from, to)) - width / 2.0
        });
    }

    /// A full circle.
    pub(crate) fn draw_disc(&mut self, centre: Vec2, radius: f64, colour: Colour, share: f32) {
        let reach = Vec2::splat(radius + 1.0);
        self.fill_shape(centre - reach, centre + reach, colour, share, |at| at.distance(centre) - radius);
    }

    /// A circle's line.
    pub(crate) fn draw_ring(&mut self, centre: Vec2, radius: f64, width: f64, colour: Colour) {
        let reach = Vec2::splat(radius + width + 1.0);
        self.fill_shape(centre - reach, centre + reach, colour, 1.0, |at| {
            (at.distance(centre) - radius).abs() - width / 2.0
        });
    }

    /// A rectangle of one colour.
    pub(crate) fn fill_rect(&mut self, rect: Rect, colour: Colour) {
        for y in rect.y..rect.bottom() {
            let start = self.offset(rect.x, y);
            let row = &mut self.pixels[start..start + rect.width as usize * 3];
            row.as_chunks_mut().0.fill(colour.0);
        }
    }

    /// Rounds a rectangle's corners by laying what is around it over them.
    pub(crate) fn round_corners(&mut self, rect: Rect, corner: f64, around: Colour) {
        let reach = Vec2::splat(corner);
        let (left, right) = (f64::from(rect.x), f64::from(rect.right()));
        let (top, bottom) = (f64::from(rect.y), f64::from(rect.bottom()));
        for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
            // The centre of the corner's circle is inside the rectangle.
            let outer = Vec2::new(x, y);
            let inward = Vec2::new(if x == left { 1.0 } else { -1.0 }, if y == top { 1.0 } else { -1.0 });
            let centre = outer + inward * reach;
            self.fill_shape(outer.min(centre), outer.max(centre), around, 1.0, |at| corner - at.distance(centre));
        }
    }
}

pub(crate) fn check_size(width: u64, height: u64) -> Result<(), PictureError> {
    let sides = u64::from(MIN_SIDE)..=u64::from(MAX_SIDE);
    // The sides are small once checked, so the product cannot overflow.
    if sides.contains(&width) && sides.contains(&height) && width * height <= MAX_PIXELS {
        Ok(())
    } else {
        Err(PictureError::Size { width, height })
    }
}

/// The point of a segment closest to `at`.
pub(crate) fn nearest_on_segment(at: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    from + along * share
}

/// Pixels touched by an interval, within a picture's side.
fn pixel_range(low: f64, high: f64, side: u32) -> [u32; 2] {
    let clamp = |value: f64| value.clamp(0.0, f64::from(side)) as u32;
    [clamp(low.floor()), clamp(high.ceil())]
}

/// A picture as a PNG file.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, PictureError> {
    let failed = |error: png::EncodingError| PictureError::Encoding { format: "PNG", reason: error.to_string() };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&image.pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
