//! The colours of an animation: one palette for all its frames.
//!
//! Colours are counted in a cube of 64 steps a side, and boxes of the cube are split until there are enough: always the box
//! whose colours differ most from their mean (weighted by a root of their count, so that limbs are not crowded out by
//! the background), across the axis on which they differ most, at the mean.

use crate::Image;

/// Steps of the cube along red, green and blue, as bits.
const BITS: u32 = 6;
const CELLS: usize = 1 << (3 * BITS);
/// Colours of a palette; the 256th index is kept for "unchanged".
pub(crate) const MAX_COLOURS: usize = 255;

/// A colour of n pixels weighs n to this power.
const WEIGHT: f64 = 0.7;
/// How far a pixel's colour is moved before the nearest is sought, up or down by its place in a square of four by four: the
/// pale ground's slow gradients would show steps without. In steps of a byte.
const DITHER: [[i16; 4]; 4] = [[-4, 0, -3, 1], [2, -2, 3, -1], [-2, 2, -4, 1], [4, 0, 3, -1]];

/// Counts the colours of some pictures.
pub(crate) struct ColourCount {
    /// For each cell: how many pixels, and the sums of their red, green and blue.
    cells: Vec<[u64; 4]>,
}

/// A used cell: its mean colour and weight.
#[derive(Clone, Copy)]
struct Cell {
    colour: [f64; 3],
    weight: f64,
}

fn cell_of(pixel: [u8; 3]) -> usize {
    pixel.iter().fold(0, |cell, &byte| (cell << BITS) | usize::from(byte >> (8 - BITS)))
}

impl ColourCount {
    pub(crate) fn new() -> ColourCount {
        ColourCount { cells: vec![[0; 4]; CELLS] }
    }

    pub(crate) fn add(&mut self, image: &Image) {
        for &pixel in image.pixels().as_chunks::<3>().0 {
            let cell = &mut self.cells[cell_of(pixel)];
            cell[0] += 1;
            for (sum, byte) in cell[1..].iter_mut().zip(pixel) {
                *sum += u64::from(byte);
            }
        }
    }

    /// At most [`MAX_COLOURS`] colours that stand for all counted.
    pub(crate) fn palette(&self) -> Palette {
        let used = self.cells.iter().filter(|cell| cell[0] > 0).map(|&[n, r, g, b]| Cell {
            colour: [r, g, b].map(|sum| sum as f64 / n as f64),
            weight: (n as f64).powf(WEIGHT),
        });
        let mut boxes = vec![ColourBox::new(used.collect())];
        while boxes.len() < MAX_COLOURS {
            let widest = (0..boxes.len()).max_by(|&a, &b| boxes[a].spread.total_cmp(&boxes[b].spread));
            let Some(index) = widest.filter(|&index| boxes[index].spread > 0.0) else { break };
            let (low, high) = boxes.swap_remove(index).split();
            boxes.extend([low, high]);
        }
        let colours = boxes.iter().map(|colours| colours.mean.map(|part| (part + 0.5) as u8)).collect();
        Palette { colours, nearest: vec![UNKNOWN; CELLS] }
    }
}

/// Cells that one palette colour stands for.
struct ColourBox {
    cells: Vec<Cell>,
    mean: [f64; 3],
    /// Weighted sum of squared distances from the mean, and the axis that has most of it.
    spread: f64,
    axis: usize,
}

impl ColourBox {
    fn new(cells: Vec<Cell>) -> ColourBox {
        let total: f64 = cells.iter().map(|cell| cell.weight).sum();
        let mean = std::array::from_fn(|i| {
            cells.iter().map(|cell| cell.colour[i] * cell.weight).sum::<f64>() / total.max(1e-12)
        });
        let variance: [f64; 3] =
            std::array::from_fn(|i| cells.iter().map(|cell| cell.weight * (cell.colour[i] - mean[i]).powi(2)).sum());
        let axis = (0..3).fold(0, |best, i| if variance[i] > variance[best] { i } else { best });
        // A single cell may not be split, whatever rounding leaves of its variance.
        let spread = if cells.len() > 1 { variance.iter().sum() } else { 0.0 };
        ColourBox { cells, mean, spread, axis }
    }

    fn split(self) -> (ColourBox, ColourBox) {
        let (axis, mean) = (self.axis, self.mean[self.axis]);
        let (low, high) = self.cells.into_iter().partition(|cell| cell.colour[axis] < mean);
        (ColourBox::new(low), ColourBox::new(high))
    }
}

/// The colours of an animation.
pub(crate) struct Palette {
    pub(crate) colours: Vec<[u8; 3]>,
    /// For each cell of the cube the nearest colour, found when first asked for.
    nearest: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

impl Palette {
    /// Red, green and blue of all colours, one after the other.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// For each pixel of a picture the index of a near colour, dithered.
    pub(crate) fn indices(&mut self, image: &Image) -> Vec<u8> {
        let width = image.width() as usize;
        let pixels = image.pixels().as_chunks::<3>().0.iter().enumerate();
        let moved = pixels.map(|(i, pixel)| {
            let shift = DITHER[i / width % 4][i % width % 4];
            pixel.map(|byte| (i16::from(byte) + shift).clamp(0, 255) as u8)
        });
        moved.map(|pixel| self.index(pixel)).collect()
    }

    /// The index of the colour nearest to a pixel's cell.
    fn index(&mut self, pixel: [u8; 3]) -> u8 {
        let cell = cell_of(pixel);
        if self.nearest[cell] == UNKNOWN {
            let distance = |colour: &[u8; 3]| -> i32 {
                colour.iter().zip(pixel).map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
            };
            let best = (0..self.colours.len()).min_by_key(|&i| distance(&self.colours[i])).unwrap_or(0);
            self.nearest[cell] = best as u16;
        }
        self.nearest[cell] as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::{Colour, LEFT, PAGE, RIGHT};
    use crate::image::Rect;

    #[test]
    fn few_colours_are_kept_and_many_are_met_closely() {
        let mut image = Image::new(64, 64, PAGE).expect("small");
        image.fill_rect(Rect { x: 0, y: 0, width: 8, height: 8 }, LEFT);
        image.fill_rect(Rect { x: 8, y: 0, width: 1, height: 1 }, RIGHT);
        let mut count = ColourCount::new();
        count.add(&image);
        let mut palette = count.palette();
        assert_eq!(palette.colours.len(), 3);
        for colour in [PAGE, LEFT, RIGHT] {
            let index = palette.index(colour.0);
            assert_eq!(palette.colours[usize::from(index)], colour.0);
        }
        for (i, y) in (0..64).enumerate() {
            for x in 0..64 {
                image.set(x, y, Colour([i as u8 * 4, x as u8 * 4, 128]));
            }
        }
        let mut count = ColourCount::new();
        count.add(&image);
        let mut palette = count.palette();
        assert_eq!(palette.colours.len(), MAX_COLOURS);
        for &pixel in image.pixels().as_chunks::<3>().0 {
            let index = usize::from(palette.index(pixel));
            let found = palette.colours[index];
            assert!(found.iter().zip(pixel).all(|(&a, b)| a.abs_diff(b) <= 24), "{pixel:?} became {found:?}");
        }
    }
}
