//! Which steps are blended, and how much of each: a value that can be looked at before any frame is made.
//!
//! Reference: STRIDE 5.1, 5.2, 8.3, A.1.
//!
//! ```text
//!          \  H_1 /             1. the tetrahedron around the query gives four neighbours that span it
//!           \    /              2. H_i is the cone beyond neighbour i, away from the query: any four steps, one of each cone, span
//!            p_1                   the query too, so a step of H_i that resembles the query more, by all nine dimensions,
//!           /   \                  takes neighbour i's place
//!          /  q  \              3. weights are the query's barycentric coordinates among the four, so the blend has its parameters
//!        p_2-----p_3
//! ```
//!
//! Outside the hull, where the paper takes the nearest step as it is: weights beyond [0, 1] up to a limit (STRIDE 8.3),
//! from the tetrahedron under the nearest facet; beyond that, and inside where what spans the query faces elsewhere,
//! the nearest step by all nine dimensions, whose limbs are then led to the footprint.

use super::high_tree::{GatherMemory, HalfSpace};
use super::query::{HighWeights, StepQuery};
use super::span_query::{Candidate, span_query};
use super::{CanonicalStep, StepDatabase, StepSpace};
use surefoot_geom::Vec3;
use surefoot_geom::delaunay::{Location, TetId, tetrahedron_weights};

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChooseOptions {
    /// Of D_high.
    pub weights: HighWeights,
    /// Whether neighbours give way to steps that resemble the query more. Default [`Selection::Best`].
    pub selection: Selection,
    /// How much steps that resemble the query less are avoided, 1 to 4. Default 1.5.
    pub power: f64,
    /// How much less the blended steps may resemble the query than the nearest step does, by D_high; beyond it the
    /// nearest step is led instead. Default 0.7: two feet turned by 50 degrees. Where a database has a gap, steps that
    /// face elsewhere would be blended.
    pub max_stray: f64,
    /// How far below 0 a weight may be outside the hull. Default [`MAX_EXTRAPOLATION`].
    pub max_extrapolation: f64,
}

/// Which steps span a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The four that span the query and resemble it most together, as STRIDE 8.2 asks for.
    Best,
    /// The best of each of the four regions, as in STRIDE 5.1.
    Regions,
    /// The spanning neighbours as they are.
    Neighbours,
    /// The nearest step by all nine dimensions alone.
    Nearest,
}

/// The largest weight below 0 at which extrapolated walks are as near to recorded ones as led ones are. Over 57
/// recordings, each without its own steps, the mean error of a joint is 6.37 cm with this limit, 6.38 with 0 and 0.2,
/// 6.41 with 0.5, 6.46 with 1 and 6.58 with 2.
pub const MAX_EXTRAPOLATION: f64 = 0.1;

impl Default for ChooseOptions {
    fn default() -> ChooseOptions {
        ChooseOptions {
            weights: HighWeights::default(),
            selection: Selection::Best,
            power: 1.5,
            max_stray: 0.7,
            max_extrapolation: MAX_EXTRAPOLATION,
        }
    }
}

/// A step and how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightedStep {
    /// Index into [`StepDatabase::steps`].
    pub step: usize,
    /// Weights of a choice sum to 1.
    pub weight: f64,
}

/// How a step was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Made {
    /// By blending steps that span it.
    Inside,
    /// By blending with weights beyond [0, 1].
    Extrapolated,
    /// By leading the limbs of the nearest step.
    Led,
}

/// What became of one of the four neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// As found around the query.
    pub spanning: WeightedStep,
    /// Its D_high.
    pub distance: f64,
    /// The step that took its place, with its D_high.
    pub replaced_by: Option<(usize, f64)>,
}

/// The steps of a blend.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// How.
    pub made: Made,
    /// Metres from the hull in the space of parameters; 0 inside.
    pub outside: f64,
    /// The spanning neighbours; none where the nearest step serves alone.
    pub neighbours: [Option<Neighbour>; 4],
    parts: [WeightedStep; 4],
    n_parts: usize,
    /// The parameters of the blend.
    pub point: Vec3,
}

impl Choice {
    /// The steps, at least one.
    pub fn parts(&self) -> &[WeightedStep] {
        &self.parts[..self.n_parts]
    }

    /// The step with the largest weight.
    pub fn heaviest(&self) -> usize {
        let parts = self.parts();
        parts.iter().fold(parts[0], |best, part| if part.weight > best.weight { *part } else { best }).step
    }

    fn single(step: usize, of: &CanonicalStep, outside: f64) -> Choice {
        let mut parts = [WeightedStep::default(); 4];
        parts[0] = WeightedStep { step, weight: 1.0 };
        Choice { made: Made::Led, outside, neighbours: [None; 4], parts, n_parts: 1, point: of.point() }
    }
}

/// A tetrahedron of steps, and the weights that make a query of them.
#[derive(Clone, Copy)]
struct Span {
    steps: [usize; 4],
    weights: [f64; 4],
}

/// Room for [`choose_steps_with`], so that choosing again and again asks for no memory.
#[derive(Clone, Debug, Default)]
pub struct ChooseMemory {
    gather: GatherMemory,
    candidates: Vec<Candidate>,
}

/// Chooses the steps for a query.
pub fn choose_steps(database: &StepDatabase, query: &StepQuery, options: &ChooseOptions) -> Choice {
    choose_steps_with(database, query, options, &mut ChooseMemory::default())
}

/// Chooses the steps for a query in memory that can be used again.
pub fn choose_steps_with(
    database: &StepDatabase,
    query: &StepQuery,
    options: &ChooseOptions,
    memory: &mut ChooseMemory,
) -> Choice {
    let space = database.space(query.parameters.swing);
    let q = query.parameters.point();
    let outside = space.distance_outside(q);
    if options.selection == Selection::Nearest {
        return nearest(database, space, query, options, outside);
    }
    match space.delaunay().locate(q, None) {
        Location::Inside(tet) => match span(database, space, tet, q) {
            Some(found) => blend_of(database, space, query, options, found, memory),
            None => nearest(database, space, query, options, outside),
        },
        Location::Outside { .. } => {
            let facet_tet = space.delaunay().nearest_on_hull(q).map(|hull| hull.tet);
            let found = facet_tet.and_then(|tet| span(database, space, tet, q));
            let allowed = |found: &Span| found.weights.iter().all(|&weight| weight >= -options.max_extrapolation);
            match found.filter(allowed) {
                Some(found) => Choice {
                    outside,
                    made: Made::Extrapolated,
                    ..choice(database, found, q, |_, spanning| {
                        let distance = options.weights.distance(query, &database.steps()[spanning.step]);
                        Neighbour { spanning, distance, replaced_by: None }
                    })
                },
                None => nearest(database, space, query, options, outside),
            }
        }
        Location::Degenerate => nearest(database, space, query, options, outside),
    }
}

/// The four steps of a tetrahedron and the weights of a point among them.
fn span(database: &StepDatabase, space: &StepSpace, tet: TetId, q: Vec3) -> Option<Span> {
    let steps = space.delaunay().vertices(tet).map(|vertex| space.step_of(vertex));
    let corners = steps.map(|step| database.steps()[step].point());
    let weights = tetrahedron_weights(corners, q)?;
    Some(Span { steps, weights })
}

/// A choice from a tetrahedron.
fn choice(
    database: &StepDatabase,
    found: Span,
    q: Vec3,
    neighbour: impl Fn(usize, WeightedStep) -> Neighbour,
) -> Choice {
    let spanning: [WeightedStep; 4] =
        std::array::from_fn(|i| WeightedStep { step: found.steps[i], weight: found.weights[i] });
    let mut neighbours: [Option<Neighbour>; 4] = std::array::from_fn(|i| Some(neighbour(i, spanning[i])));
    let chosen = neighbours.map(|neighbour| {
        let neighbour = neighbour.expect("all four are there");
        neighbour.replaced_by.map_or(neighbour.spanning.step, |(step, _)| step)
    });
    let weights = tetrahedron_weights(chosen.map(|step| database.steps()[step].point()), q);
    // Nearly flat tetrahedra of alternatives span nothing but by rounding.
    let spans = |weights: &[f64; 4]| {
        chosen == found.steps || weights.iter().all(|weight| (-1e-9..=1.0 + 1e-9).contains(weight))
    };
    let (steps, weights) = match weights.filter(spans) {
        Some(weights) => (chosen, weights),
        None => {
            for neighbour in neighbours.iter_mut().flatten() {
                neighbour.replaced_by = None;
            }
            (found.steps, found.weights)
        }
    };
    let mut parts = [WeightedStep::default(); 4];
    let mut n_parts = 0;
    for (step, weight) in steps.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
        parts[n_parts] = WeightedStep { step, weight };
        n_parts += 1;
    }
    let point = parts[..n_parts].iter().map(|part| database.steps()[part.step].point() * part.weight).sum();
    Choice { made: Made::Inside, outside: 0.0, neighbours, parts, n_parts, point }
}

fn blend_of(
    database: &StepDatabase,
    space: &StepSpace,
    query: &StepQuery,
    options: &ChooseOptions,
    found: Span,
    memory: &mut ChooseMemory,
) -> Choice {
    let steps = database.steps();
    let corners = found.steps.map(|step| steps[step].point());
    if options.selection == Selection::Best {
        return best_of(database, space, query, options, found, memory);
    }
    choice(database, found, query.parameters.point(), |i, spanning| {
        let distance = options.weights.distance(query, &steps[spanning.step]);
        let search = || {
            let region = region_beyond(corners, i)?;
            space.tree().nearest(query, &options.weights, &region, distance)
        };
        let better = if options.selection == Selection::Regions { search() } else { None };
        let replaced_by = better.map(|(number, distance)| (space.step_of_number(number), distance));
        Neighbour { spanning, distance, replaced_by: replaced_by.filter(|(step, _)| *step != spanning.step) }
    })
}

/// The four that resemble the query most together.
fn best_of(
    database: &StepDatabase,
    space: &StepSpace,
    query: &StepQuery,
    options: &ChooseOptions,
    found: Span,
    memory: &mut ChooseMemory,
) -> Choice {
    let steps = database.steps();
    let plain = choice(database, found, query.parameters.point(), |_, spanning| {
        let distance = options.weights.distance(query, &steps[spanning.step]);
        Neighbour { spanning, distance, replaced_by: None }
    });
    let candidate = |step: usize, distance: f64| Candidate {
        step,
        point: steps[step].point(),
        distance,
        // The default power without the cost of any.
        cost: if options.power == 1.5 { distance * distance.sqrt() } else { distance.powf(options.power) },
    };
    let ChooseMemory { gather, candidates } = memory;
    candidates.clear();
    candidates.extend(plain.neighbours.iter().flatten().map(|n| candidate(n.spanning.step, n.distance)));
    space.tree().gather(query, &options.weights, space.tree().n_leaves(), gather);
    candidates.extend(gather.found.iter().map(|&(number, distance)| candidate(space.step_of_number(number), distance)));
    let Some(best) = span_query(query.parameters.point(), candidates) else { return plain };
    let mean: f64 = best.iter().map(|&(index, weight)| weight * candidates[index].distance).sum();
    let nearest = candidates.iter().fold(candidates[0], |a, b| if b.distance < a.distance { *b } else { a });
    if mean > nearest.distance + options.max_stray {
        return Choice { neighbours: plain.neighbours, ..Choice::single(nearest.step, &steps[nearest.step], 0.0) };
    }
    let mut parts = [WeightedStep::default(); 4];
    let mut n_parts = 0;
    let total: f64 = best.iter().map(|(_, weight)| weight).sum();
    for (index, weight) in best.into_iter().filter(|(_, weight)| *weight > 1e-12) {
        parts[n_parts] = WeightedStep { step: candidates[index].step, weight: weight / total };
        n_parts += 1;
    }
    let point = parts[..n_parts].iter().map(|part| steps[part.step].point() * part.weight).sum();
    Choice { parts, n_parts, point, ..plain }
}

/// H_i: what lies beyond corner i, on the far side of its three planes. `None` for a flat tetrahedron.
pub(super) fn region_beyond(corners: [Vec3; 4], i: usize) -> Option<[HalfSpace; 3]> {
    let others: [usize; 3] = std::array::from_fn(|k| (i + 1 + k) % 4);
    let mut region = [HalfSpace { normal: Vec3::ZERO, offset: 0.0 }; 3];
    for (half, &opposite) in region.iter_mut().zip(&others) {
        // The plane through corner i and two others; the corner opposite to it, and so the query, on its positive side.
        let mut plane = others.iter().filter(|&&other| other != opposite);
        let (a, b) = (corners[*plane.next()?], corners[*plane.next()?]);
        let normal = (a - corners[i]).cross(b - corners[i]);
        let side = normal.dot(corners[opposite] - corners[i]);
        if side == 0.0 {
            return None;
        }
        let normal = normal * side.signum();
        *half = HalfSpace { normal, offset: normal.dot(corners[i]) };
    }
    Some(region)
}

fn nearest(
    database: &StepDatabase,
    space: &StepSpace,
    query: &StepQuery,
    options: &ChooseOptions,
    outside: f64,
) -> Choice {
    let (number, _) = space.tree().nearest(query, &options.weights, &[], f64::INFINITY).expect("a space has steps");
    let step = space.step_of_number(number);
    Choice::single(step, &database.steps()[step], outside)
}
