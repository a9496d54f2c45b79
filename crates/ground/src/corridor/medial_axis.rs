//! The medial axis of the free space: the centres of all discs that touch the border in two places at least.
//!
//! It is the Voronoi diagram of the walls and of the corners between them, as far as it lies in the free space. Each
//! cell's edge is computed by itself ([`trace_cell`]), so that a change of the scene leaves most of them as they are.
//! Then:
//!
//! 1. Every stretch of axis lies on the edge of two cells. Where only one of them has it (the other one's discs lie
//!    farther apart than what reaches in between them), the other is traced again with a disc at that place.
//! 2. Of the two, the cell of the lower feature gives the stretch; walls come before corners, for they divide it
//!    evenly.
//! 3. Ends of stretches in the same place are one node. Three cells that meet compute the place three times, and the
//!    three agree to nanometres.
//! 4. An axis ends only in corners, where discs vanish. An end with a disc that is joined to nothing is one that
//!    rounding tore off, which parallel walls can do (in one random scene of 18,000); it is tied to the nearest node in
//!    its disc.

use super::cell::{Cell, Sample, Side, sides, trace_cell};
use super::touching_disc::Feature;
use super::walls::Walls;
use super::{Disk, box_tree::Bounds};
use std::collections::HashMap;
use surefoot_geom::Vec2;

/// Ends of stretches nearer than this are one node, in metres.
const SAME_NODE: f64 = 1e-6;
/// Discs below this radius are tips of the axis in corners, in metres: nothing goes through a gap of their size.
pub(super) const TIP: f64 = 4.0 * SAME_NODE;
/// Torn ends are tied to nodes at most this far away, in metres.
const TORN: f64 = 0.01;
/// How often cells are traced again at most.
const MAX_ROUNDS: usize = 4;

/// A stretch of the axis between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) from: usize,
    pub(super) to: usize,
    /// At least two; the first and last are at the nodes up to [`SAME_NODE`].
    pub(super) disks: Vec<Disk>,
}

/// The axis as a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Axis {
    pub(super) nodes: Vec<Disk>,
    pub(super) stretches: Vec<Stretch>,
    /// Ends that had to be tied.
    pub(super) n_tied: usize,
}

/// Something for each of some features.
struct ByFeature<T> {
    walls: Vec<Option<T>>,
    corners: Vec<Option<T>>,
}

impl<T> ByFeature<T> {
    fn new(walls: &Walls) -> ByFeature<T> {
        let none = |n: usize| std::iter::repeat_with(|| None).take(n).collect();
        ByFeature { walls: none(walls.walls.len()), corners: none(walls.corners.len()) }
    }

    fn of(&self, feature: Feature) -> Option<&T> {
        match feature {
            Feature::Wall(wall) => self.walls[wall as usize].as_ref(),
            Feature::Corner(corner) => self.corners[corner as usize].as_ref(),
        }
    }

    fn place(&mut self, feature: Feature) -> &mut Option<T> {
        match feature {
            Feature::Wall(wall) => &mut self.walls[wall as usize],
            Feature::Corner(corner) => &mut self.corners[corner as usize],
        }
    }
}

/// All cells of the walls. Those of `old` that the changed walls do not reach are taken over.
pub(super) fn trace_cells(walls: &Walls, spacing: f64, old: Option<(&Walls, &[Cell])>) -> Vec<Cell> {
    let mut kept = match old {
        Some((old_walls, cells)) => keep_cells(walls, old_walls, cells),
        None => ByFeature::new(walls),
    };
    let mut cells: Vec<Cell> = sides(walls)
        .into_iter()
        .map(|side| kept.place(side.feature()).take().unwrap_or_else(|| trace_cell(walls, side, spacing, &[])))
        .collect();
    for _ in 0..MAX_ROUNDS {
        let missing = missing_places(walls, &cells);
        if missing.is_empty() {
            break;
        }
        for (index, also) in missing {
            cells[index] = trace_cell(walls, cells[index].side, spacing, &also);
        }
    }
    cells
}

/// The old cells that are cells of the new walls as well, by the numbers of these.
fn keep_cells(walls: &Walls, old_walls: &Walls, cells: &[Cell]) -> ByFeature<Cell> {
    let new_wall: HashMap<[u64; 4], u32> =
        walls.walls.iter().enumerate().map(|(i, wall)| (wall.key(), i as u32)).collect();
    let old_keys: HashMap<[u64; 4], ()> = old_walls.walls.iter().map(|wall| (wall.key(), ())).collect();
    let changed: Vec<Bounds> = old_walls
        .walls
        .iter()
        .filter(|wall| !new_wall.contains_key(&wall.key()))
        .chain(walls.walls.iter().filter(|wall| !old_keys.contains_key(&wall.key())))
        .map(|wall| wall.bounds().grow(SAME_NODE))
        .collect();
    let bits = |point: Vec2| [point.x.to_bits(), point.y.to_bits()];
    let new_corner: HashMap<[u64; 2], u32> =
        walls.corners.iter().enumerate().map(|(i, &corner)| (bits(corner), i as u32)).collect();
    let feature = |feature: Feature| match feature {
        Feature::Wall(wall) => new_wall.get(&old_walls.walls[wall as usize].key()).map(|&wall| Feature::Wall(wall)),
        Feature::Corner(corner) => {
            new_corner.get(&bits(old_walls.corners[corner as usize])).map(|&corner| Feature::Corner(corner))
        }
    };
    let keep = |cell: &Cell| -> Option<(Feature, Cell)> {
        let own = feature(cell.side.feature())?;
        if cell.asked || changed.iter().any(|changed| changed.overlaps(cell.bounds)) {
            return None;
        }
        let side = match (cell.side, own) {
            (Side::Corner { from, to, angle, .. }, Feature::Corner(corner)) => Side::Corner { corner, from, to, angle },
            (_, Feature::Wall(wall)) => Side::Wall(wall),
            _ => return None,
        };
        let rename = |sample: &Sample| -> Option<Sample> {
            Some(Sample { next: sample.next.map(feature).map_or(Some(None), |next| next.map(Some))?, ..*sample })
        };
        let samples = cell.samples.iter().map(rename).collect::<Option<Vec<_>>>()?;
        Some((own, Cell { side, samples, bounds: cell.bounds, asked: false }))
    };
    let mut kept = ByFeature::new(walls);
    for (own, cell) in cells.iter().filter_map(keep) {
        *kept.place(own) = Some(cell);
    }
    kept
}

/// The number of each feature's cell.
fn cell_numbers(walls: &Walls, cells: &[Cell]) -> ByFeature<usize> {
    let mut numbers = ByFeature::new(walls);
    for (number, cell) in cells.iter().enumerate() {
        *numbers.place(cell.side.feature()) = Some(number);
    }
    numbers
}

/// Runs of samples between which discs touch the same feature.
fn runs(cell: &Cell) -> impl Iterator<Item = (Feature, &[Sample])> {
    let samples = &cell.samples;
    let mut from = 0;
    std::iter::from_fn(move || {
        let next = samples.get(from)?.next;
        let mut to = from + 1;
        while to < samples.len() && samples[to].next == next {
            to += 1;
        }
        // The sample at which the next run begins ends this one.
        let run = &samples[from..(to + 1).min(samples.len())];
        from = to;
        Some((next, run))
    })
    .filter(|(_, run)| run.len() > 1)
    .filter_map(|(next, run)| Some((next?, run)))
}

/// Stretches that one cell has and the other does not: places at which to trace the other again.
fn missing_places(walls: &Walls, cells: &[Cell]) -> Vec<(usize, Vec<f64>)> {
    let numbers = cell_numbers(walls, cells);
    let mut missing: HashMap<usize, Vec<f64>> = HashMap::new();
    for cell in cells {
        let own = cell.side.feature();
        for (feature, run) in runs(cell) {
            let Some(&other) = numbers.of(feature) else { continue };
            let long = run.windows(2).map(|pair| pair[0].centre.distance(pair[1].centre)).sum::<f64>() > SAME_NODE;
            let middle = run[0].centre.midpoint(run[run.len() - 1].centre);
            let centre = run
                .iter()
                .map(|sample| sample.centre)
                .min_by(|p, q| p.distance_squared(middle).total_cmp(&q.distance_squared(middle)));
            let Some(centre) = centre.filter(|_| long) else { continue };
            let place = cells[other].side.place_toward(walls, centre);
            if !touches_near(&cells[other], place, own) {
                missing.entry(other).or_default().push(place);
            }
        }
    }
    let mut missing: Vec<(usize, Vec<f64>)> = missing.into_iter().collect();
    missing.sort_by_key(|&(index, _)| index);
    missing
}

/// Whether discs of a cell around a place touch a feature.
fn touches_near(cell: &Cell, place: f64, feature: Feature) -> bool {
    let after = cell.samples.partition_point(|sample| sample.place <= place);
    let near = after.saturating_sub(3)..(after + 2).min(cell.samples.len());
    cell.samples[near].iter().any(|sample| sample.next == Some(feature))
}

/// The cells' edges joined to one graph.
pub(super) fn join_cells(walls: &Walls, cells: &[Cell]) -> Axis {
    let numbers = cell_numbers(walls, cells);
    let mut axis = Axis::default();
    let mut nodes = NodesByPlace::default();
    for cell in cells {
        let own = cell.side.feature();
        for (feature, run) in runs(cell) {
            if feature < own && numbers.of(feature).is_some() {
                continue;
            }
            let mut disks: Vec<Disk> =
                run.iter().map(|sample| Disk { centre: sample.centre, radius: sample.radius }).collect();
            disks.dedup_by(|next, before| next.centre.distance_squared(before.centre) < 1e-18);
            if disks.len() < 2 {
                continue;
            }
            let from = nodes.number(&mut axis.nodes, disks[0]);
            let to = nodes.number(&mut axis.nodes, disks[disks.len() - 1]);
            // A stretch that stays within its node is none; a ring is one.
            let ring = disks.iter().any(|disk| disk.centre.distance(disks[0].centre) > 2.0 * SAME_NODE);
            if from != to || ring {
                axis.stretches.push(Stretch { from, to, disks });
            }
        }
    }
    tie_torn_ends(&mut axis);
    axis
}

/// Nodes found again by where they are.
#[derive(Default)]
struct NodesByPlace {
    squares: HashMap<[i64; 2], Vec<usize>>,
}

impl NodesByPlace {
    fn number(&mut self, nodes: &mut Vec<Disk>, disk: Disk) -> usize {
        let square = (disk.centre / (2.0 * SAME_NODE)).floor();
        let square = [square.x as i64, square.y as i64];
        if disk.radius > TIP {
            for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
                for &node in self.squares.get(&[square[0] + dx, square[1] + dz]).into_iter().flatten() {
                    if nodes[node].centre.distance(disk.centre) < SAME_NODE {
                        return node;
                    }
                }
            }
            self.squares.entry(square).or_default().push(nodes.len());
        }
        nodes.push(disk);
        nodes.len() - 1
    }
}

fn tie_torn_ends(axis: &mut Axis) {
    let mut n_ends = vec![0usize; axis.nodes.len()];
    for stretch in &axis.stretches {
        n_ends[stretch.from] += 1;
        n_ends[stretch.to] += 1;
    }
    for torn in 0..axis.nodes.len() {
        let disk = axis.nodes[torn];
        if n_ends[torn] != 1 || disk.radius <= TIP {
            continue;
        }
        let within = disk.radius.min(TORN);
        let distance = |other: usize| axis.nodes[other].centre.distance(disk.centre);
        let near = |other: &usize| *other != torn && axis.nodes[*other].radius > TIP && distance(*other) < within;
        let nearest = (0..axis.nodes.len()).filter(near).min_by(|&i, &j| distance(i).total_cmp(&distance(j)));
        axis.n_tied += 1;
        if let Some(node) = nearest {
            n_ends[torn] = 0;
            n_ends[node] += 1;
            tie(axis, torn, node);
        }
    }
}

/// Lets the one stretch that ends in a torn node end in another; it is dropped if that is all there was to it.
fn tie(axis: &mut Axis, torn: usize, node: usize) {
    let disk = axis.nodes[node];
    let Some(index) = axis.stretches.iter().position(|stretch| stretch.from == torn || stretch.to == torn) else {
        return;
    };
    let stretch = &mut axis.stretches[index];
    if stretch.from == torn {
        stretch.from = node;
        stretch.disks.insert(0, disk);
    } else {
        stretch.to = node;
        stretch.disks.push(disk);
    }
    if stretch.from == stretch.to && stretch.disks.iter().all(|it| it.centre.distance(disk.centre) < TORN) {
        axis.stretches.swap_remove(index);
    }
}

#[cfg(test)]
#[path = "medial_axis_tests.rs"]
mod tests;
