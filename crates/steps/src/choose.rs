//! Which steps are blended, and how much of each: a value that can be looked at before any frame is made.
//!
//! Reference: STRIDE 5.1, 5.2, 8.3, A.1.
//!
//! ```text
//!          \  H_1 /             1. the tetrahedron around the query gives four neighbours that span it
//!           \    /              2. H_i is the cone beyond neighbour i, away from the query: any four steps, one of each cone, span
//!            p_1                   the query too, so a step of H_i that resembles the query more, by all dimensions,
//!           /   \                  takes neighbour i's place
//!          /  q  \              3. weights are the query's barycentric coordinates among the four, so the blend has its parameters
//!        p_2-----p_3
//! ```
//!
//! Outside the hull, where the paper takes the nearest step as it is: weights beyond [0, 1] up to a limit (STRIDE 8.3),
//! from the tetrahedron under the nearest facet; beyond that, and inside where what spans the query faces elsewhere,
//! the nearest step by all dimensions, whose limbs are then led to the footprint.

use super::high_tree::{Found, GatherMemory, HalfSpace};
use super::query::{HighWeights, StepQuery};
use super::span_query::Candidates;
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
    /// Cost of a metre that the postures of successive blends differ by where they meet, beside D_high. Default 1.
    pub posture: f64,
    /// Cost of another person altogether from one step to the next, beside D_high. Default 0.1.
    pub person: f64,
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
    /// The nearest step by all dimensions alone.
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
            posture: 1.0,
            person: 0.1,
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
    /// By blending with weights beyond [0, 1], or steps that face elsewhere.
    Extrapolated,
    /// By correcting the nearest step with inverse kinematics.
    IkCorrected,
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
    /// Metres from the hull in the space of parameters; 0 inside, unless the steps face elsewhere, which counts as D_high does. While choosing, the hull of the steps chosen from; of a
    /// walk's step, that of the complete database.
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
        Choice { made: Made::IkCorrected, outside, neighbours: [None; 4], parts, n_parts: 1, point: of.point() }
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
    pub(super) gather: GatherMemory,
    candidates: Candidates,
}

/// Chooses the steps for a query.
pub fn choose_steps(database: &StepDatabase, query: &StepQuery, options: &ChooseOptions) -> Choice {
    let space = database.space(query.parameters.swing);
    choose_steps_with(database, space, query, options, &mut ChooseMemory::default())
}

/// Chooses the steps for a query out of a space of the database, in memory that can be used again.
pub fn choose_steps_with(
    database: &StepDatabase,
    space: &StepSpace,
    query: &StepQuery,
    options: &ChooseOptions,
    memory: &mut ChooseMemory,
) -> Choice {
    let chooser = Chooser { steps: database.steps(), space, query, options };
    chooser.choose(memory)
}

/// What choosing looks at.
#[derive(Clone, Copy)]
struct Chooser<'a> {
    steps: &'a [CanonicalStep],
    space: &'a StepSpace,
    query: &'a StepQuery,
    options: &'a ChooseOptions,
}

impl Chooser<'_> {
    fn choose(&self, memory: &mut ChooseMemory) -> Choice {
        let delaunay = self.space.delaunay();
        let q = self.point();
        if self.options.selection == Selection::Nearest {
            return self.nearest();
        }
        let made = match delaunay.locate(q, None) {
            Location::Inside(tet) => self.span(tet).map(|found| self.blend_inside(found, memory)),
            Location::Outside { .. } => {
                let found = delaunay.nearest_on_hull(q).and_then(|hull| self.span(hull.tet));
                let least = -self.options.max_extrapolation;
                let found = found.filter(|found| found.weights.iter().all(|&weight| weight >= least));
                found.map(|found| Choice {
                    outside: self.space.distance_outside(q),
                    made: Made::Extrapolated,
                    ..self.blend_neighbours(found)
                })
            }
            Location::Degenerate => None,
        };
        made.unwrap_or_else(|| self.nearest())
    }

    /// The query's parameters.
    fn point(&self) -> Vec3 {
        self.query.parameters.point()
    }

    fn distance(&self, step: usize) -> f64 {
        self.options.weights.distance(self.query, &self.steps[step])
    }

    /// The four steps of a tetrahedron and the weights of the query among them.
    fn span(&self, tet: TetId) -> Option<Span> {
        let steps = self.space.delaunay().vertices(tet).map(|vertex| self.space.step_of(vertex));
        let weights = tetrahedron_weights(steps.map(|step| self.steps[step].point()), self.point())?;
        Some(Span { steps, weights })
    }

    /// The nearest step by all dimensions, alone.
    fn nearest(&self) -> Choice {
        let tree = self.space.tree();
        let found = tree.nearest(self.query, &self.options.weights, &[], f64::INFINITY);
        let (step, _) = found.expect("a space has steps");
        Choice::single(step, &self.steps[step], self.space.distance_outside(self.point()))
    }

    fn blend_inside(&self, found: Span, memory: &mut ChooseMemory) -> Choice {
        match self.options.selection {
            Selection::Best => self.blend_best(found, memory),
            Selection::Regions => self.blend_regions(found),
            Selection::Neighbours | Selection::Nearest => self.blend_neighbours(found),
        }
    }

    /// The spanning neighbours as they are.
    fn blend_neighbours(&self, found: Span) -> Choice {
        self.blend_instead(found, |_, _| None)
    }

    /// The best step of each region.
    fn blend_regions(&self, found: Span) -> Choice {
        let corners = found.steps.map(|step| self.steps[step].point());
        self.blend_instead(found, |i, distance| {
            let region = region_beyond(corners, i)?;
            let (step, distance) = self.space.tree().nearest(self.query, &self.options.weights, &region, distance)?;
            (step != found.steps[i]).then_some((step, distance))
        })
    }

    /// A tetrahedron with other steps in the places of its own: `instead` gives one for a neighbour and its D_high.
    fn blend_instead(&self, found: Span, instead: impl Fn(usize, f64) -> Option<(usize, f64)>) -> Choice {
        let mut neighbours: [Neighbour; 4] = std::array::from_fn(|i| {
            let spanning = WeightedStep { step: found.steps[i], weight: found.weights[i] };
            let distance = self.distance(spanning.step);
            Neighbour { spanning, distance, replaced_by: instead(i, distance) }
        });
        let chosen = neighbours.map(|n| n.replaced_by.map_or(n.spanning.step, |(step, _)| step));
        let mut span = found;
        if chosen != found.steps {
            let weights = tetrahedron_weights(chosen.map(|step| self.steps[step].point()), self.point());
            // Nearly flat tetrahedra of alternatives span nothing but by rounding.
            match weights.filter(|weights| weights.iter().all(|weight| (-1e-9..=1.0 + 1e-9).contains(weight))) {
                Some(weights) => span = Span { steps: chosen, weights },
                None => neighbours.iter_mut().for_each(|neighbour| neighbour.replaced_by = None),
            }
        }
        let parts = span.steps.into_iter().zip(span.weights).filter(|(_, weight)| *weight != 0.0);
        self.choice(neighbours.map(Some), parts)
    }

    /// The four that resemble the query most together, or the nearest where even these face elsewhere.
    fn blend_best(&self, found: Span, memory: &mut ChooseMemory) -> Choice {
        let plain = self.blend_neighbours(found);
        // The default power without the cost of any.
        let power = self.options.power;
        let cost = |distance: f64| if power == 1.5 { distance * distance.sqrt() } else { distance.powf(power) };
        let ChooseMemory { gather, candidates } = memory;
        candidates.clear();
        for Neighbour { spanning, distance, .. } in plain.neighbours.iter().flatten() {
            candidates.push(spanning.step, self.steps[spanning.step].point(), *distance, cost(*distance));
        }
        let tree = self.space.tree();
        tree.gather(self.query, &self.options.weights, tree.n_leaves(), gather);
        for &Found { step, point, distance } in &gather.found {
            candidates.push(step, point, distance, cost(distance));
        }
        let Some(best) = candidates.span_query(self.point()) else { return plain };
        let mean: f64 = best.iter().map(|&(index, weight)| weight * candidates.distance(index)).sum();
        let nearest = candidates.nearest();
        if mean > candidates.distance(nearest) + self.options.max_stray {
            let step = candidates.step(nearest);
            let alone = Choice::single(step, &self.steps[step], 0.0);
            return Choice { neighbours: plain.neighbours, ..alone };
        }
        let total: f64 = best.iter().map(|(_, weight)| weight).sum();
        let parts = best.into_iter().filter(|(_, weight)| *weight > 1e-12);
        self.choice(plain.neighbours, parts.map(|(index, weight)| (candidates.step(index), weight / total)))
    }

    /// A choice inside the hull.
    fn choice(&self, neighbours: [Option<Neighbour>; 4], weighted: impl Iterator<Item = (usize, f64)>) -> Choice {
        let mut parts = [WeightedStep::default(); 4];
        let (mut n_parts, mut point) = (0, Vec3::ZERO);
        for (step, weight) in weighted {
            parts[n_parts] = WeightedStep { step, weight };
            point += self.steps[step].point() * weight;
            n_parts += 1;
        }
        Choice { made: Made::Inside, outside: 0.0, neighbours, parts, n_parts, point }
    }
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
