//! What happens to the points before the first is inserted: scaling, duplicates, and the order of insertion.
//!
//! The order is that of a Hilbert curve through the points' cube, taken in rounds: first every 8^k-th point along the
//! curve, then every 8^(k-1)-th, and so on, as in a biased randomised insertion order (Amenta 2003) but with the curve
//! in place of the dice. Neighbours in a round are near to each other, so walks are short, and early tetrahedra are
//! spread over the whole set, so that few are large. It depends on the set of points only, not on the order in which
//! they came.
//!
//! Scaling is by a power of two, which is exact. It brings the largest coordinate to about 1; coordinates below 2^-150
//! of it count as 0. Then the products of five differences in the in-sphere determinant neither overflow nor underflow,
//! and the predicates are exact for all finite input.

use super::predicates::{Point, collinear, orient};
use crate::Vec3;

/// Bits of each axis along the curve: 63 in all.
const CURVE_BITS: u32 = 21;
/// Coordinates smaller than this, after scaling, count as 0. The fifth power of a kept one's last bit, 2^-1015, is
/// still a normal number.
const SMALLEST: f64 = 1.0 / (1u128 << 75) as f64 / (1u128 << 75) as f64;
/// Queries farther out than this, after scaling, are pulled in toward the origin.
const FARTHEST: f64 = (1u128 << 64) as f64;

/// Scales points into the range of the exact predicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// A power of two.
    factor: f64,
}

impl Scale {
    fn new(points: &[Vec3]) -> Self {
        let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        if largest == 0.0 {
            return Self { factor: 1.0 };
        }
        // Biased by 1023; subnormal numbers read 0, which is near enough.
        let exponent = (largest.to_bits() >> 52) as i32 - 1022;
        Self { factor: 2f64.powi(-exponent.clamp(-1000, 1000)) }
    }

    pub(super) fn point(self, point: Vec3) -> Point {
        let coordinate = |x: f64| {
            let scaled = x * self.factor;
            if scaled.abs() < SMALLEST { 0.0 } else { scaled }
        };
        Point { x: coordinate(point.x), y: coordinate(point.y), z: coordinate(point.z) }
    }

    /// A query, which may lie far outside; `None` if it is not finite.
    pub(super) fn query(self, point: Vec3) -> Option<Point> {
        if !point.is_finite() {
            return None;
        }
        let largest = point.abs().max_element();
        // `largest * factor` may overflow, its halves do not.
        let far = (largest * 0.5f64.powi(64)) * self.factor > 1.0;
        Some(self.point(if far { point / largest * (FARTHEST / self.factor) } else { point }))
    }
}

/// The Hilbert curve through the cube around all points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve {
    low: [f64; 3],
    cells_per_unit: f64,
}

impl Curve {
    fn new(points: &[Point]) -> Self {
        let axes: [fn(&Point) -> f64; 3] = [|p| p.x, |p| p.y, |p| p.z];
        let low = axes.map(|axis| points.iter().map(axis).fold(f64::INFINITY, f64::min));
        let high = axes.map(|axis| points.iter().map(axis).fold(f64::NEG_INFINITY, f64::max));
        let extent = (0..3).map(|i| high[i] - low[i]).fold(0.0, f64::max);
        let cells = (1u32 << CURVE_BITS) as f64;
        Self { low, cells_per_unit: if extent > 0.0 { cells / extent } else { 0.0 } }
    }

    /// The place of a point along the curve; points outside the cube count as on its surface.
    pub(super) fn place(&self, point: Point) -> u64 {
        let last = (1u32 << CURVE_BITS) - 1;
        let cell = |x: f64, low: f64| (((x - low) * self.cells_per_unit) as u32).min(last);
        hilbert_place([cell(point.x, self.low[0]), cell(point.y, self.low[1]), cell(point.z, self.low[2])])
    }
}

/// The place of a cell along the Hilbert curve, after Skilling 2004 and without branches: they would be
/// mispredicted half the time.
fn hilbert_place(mut cell: [u32; 3]) -> u64 {
    // All ones if the bit is set.
    let mask = |number: u32, bit: u32| ((number >> bit) & 1).wrapping_neg();
    // Undo the excess work: exchange and invert the lower bits by each higher bit.
    for bit in (1..CURVE_BITS).rev() {
        let lower = (1 << bit) - 1;
        for axis in 0..3 {
            let inverts = mask(cell[axis], bit);
            let exchanged = (cell[0] ^ cell[axis]) & lower & !inverts;
            cell[0] ^= exchanged | lower & inverts;
            cell[axis] ^= if axis == 0 { 0 } else { exchanged };
        }
    }
    // Gray encode.
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    let inverted = (1..CURVE_BITS).fold(0, |inverted, bit| inverted ^ (((1 << bit) - 1) & mask(cell[2], bit)));
    cell.iter().fold(0, |place, &axis| (place << 1) | spread(axis ^ inverted))
}

/// The 21 bits of a number, two zeros between each.
fn spread(number: u32) -> u64 {
    let mut x = number as u64 & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Points, ready to be inserted.
pub(super) struct Arranged {
    pub(super) scale: Scale,
    /// Scaled, by input index.
    pub(super) points: Vec<Point>,
    /// The lowest index of an equal point, by input index; its own if there is none.
    pub(super) duplicate_of: Vec<u32>,
    pub(super) curve: Curve,
    /// Each distinct point along the curve: its place and its index.
    pub(super) along_curve: Vec<(u64, u32)>,
    /// The distinct points as they are to be inserted. In three dimensions the first four span a tetrahedron.
    pub(super) sequence: Vec<u32>,
    /// -1 without points, else the dimension of the space that they span.
    pub(super) dimension: i32,
}

impl Arranged {
    pub(super) fn new(input: &[Vec3]) -> Self {
        let scale = Scale::new(input);
        let points: Vec<Point> = input.iter().map(|&p| scale.point(p)).collect();
        let curve = Curve::new(&points);
        let mut along_curve: Vec<(u64, u32)> = (0u32..).zip(&points).map(|(i, &p)| (curve.place(p), i)).collect();
        let coordinates = |i: u32| {
            let p = points[i as usize];
            [p.x, p.y, p.z]
        };
        along_curve.sort_unstable_by(|a, b| {
            let by_place = a.0.cmp(&b.0);
            by_place.then_with(|| coordinates(a.1).partial_cmp(&coordinates(b.1)).expect("finite")).then(a.1.cmp(&b.1))
        });
        let mut duplicate_of: Vec<u32> = (0u32..).take(input.len()).collect();
        along_curve.dedup_by(|later, first| {
            let equal = later.0 == first.0 && coordinates(later.1) == coordinates(first.1);
            if equal {
                duplicate_of[later.1 as usize] = first.1;
            }
            equal
        });
        let mut sequence = in_rounds(&along_curve);
        let dimension = lead_with_simplex(&mut sequence, &points);
        Self { scale, points, duplicate_of, curve, along_curve, sequence, dimension }
    }
}

/// Points along the curve, those at multiples of the highest power of 8 first.
fn in_rounds(along_curve: &[(u64, u32)]) -> Vec<u32> {
    let n = along_curve.len();
    let mut stride = 1;
    while stride * 8 < n {
        stride *= 8;
    }
    let mut sequence: Vec<u32> = along_curve.iter().step_by(stride).map(|&(_, i)| i).collect();
    while stride > 1 {
        stride /= 8;
        let places = (0..n).step_by(stride).filter(|place| place % (stride * 8) != 0);
        sequence.extend(places.map(|place| along_curve[place].1));
    }
    sequence
}

/// Moves the first points that span as many dimensions as possible to the front, and returns how many those are.
fn lead_with_simplex(sequence: &mut [u32], points: &[Point]) -> i32 {
    let at = |i: u32| points[i as usize];
    if sequence.len() < 2 {
        return sequence.len() as i32 - 1;
    }
    let (a, b) = (at(sequence[0]), at(sequence[1]));
    let Some(third) = sequence.iter().position(|&i| !collinear(a, b, at(i))) else { return 1 };
    sequence[2..=third].rotate_right(1);
    let c = at(sequence[2]);
    let Some(fourth) = sequence.iter().position(|&i| orient(a, b, c, at(i)) != 0.0) else { return 2 };
    sequence[3..=fourth].rotate_right(1);
    3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_along_the_curve_are_neighbours_in_space() {
        // The curve's first cells at the finest level fill the cube of 8 x 8 x 8 cells at the corner.
        let mut cells: Vec<(u64, [u32; 3])> = Vec::new();
        for x in 0..8 {
            for y in 0..8 {
                cells.extend((0..8).map(|z| (hilbert_place([x, y, z]), [x, y, z])));
            }
        }
        cells.sort_unstable();
        for (place, pair) in cells.windows(2).enumerate() {
            assert_eq!(pair[0].0, place as u64);
            let step: u32 = (0..3).map(|axis| pair[0].1[axis].abs_diff(pair[1].1[axis])).sum();
            assert_eq!(step, 1, "{pair:?}");
        }
    }

    #[test]
    fn rounds_take_each_point_once() {
        for n in [0usize, 1, 7, 8, 9, 64, 65, 700] {
            let along_curve: Vec<(u64, u32)> = (0..n).map(|i| (i as u64, i as u32)).collect();
            let mut sequence = in_rounds(&along_curve);
            sequence.sort_unstable();
            assert_eq!(sequence, (0..n as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn scaling_is_exact_and_brings_the_largest_coordinate_near_one() {
        for largest in [f64::MAX, 1e300, 1.0, 0.75, 1e-300] {
            let scale = Scale::new(&[Vec3::new(largest, 0.0, 0.0)]);
            let scaled = scale.point(Vec3::new(largest, 0.0, 0.0)).x;
            assert!((2f64.powi(-80)..=2f64.powi(30)).contains(&scaled), "{largest}: {scaled}");
            assert_eq!(scaled / scale.factor, largest);
        }
    }
}
