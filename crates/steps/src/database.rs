//! The step database: canonical steps of one body, and the Stride Space of each swinging foot.
//!
//! Reference: STRIDE chapter 4, A.1.
//!
//! Left and right steps live in spaces of their own, so that they never blend. A space is a Delaunay tetrahedralisation
//! of the steps' parameters (S_low) and a tree over all dimensions (S_high), the heights among them.

use super::check_parts::{check_body, check_step};
use super::choose_plan::StepEnds;
use super::high_tree::HighTree;
use super::raw_rows::{raw_width, read_raw};
use super::step_inputs::{StepInputs, places_before};
use super::step_model::StepModel;
use super::step_regression::StepRegression;
use super::step_rows::RowHeadings;
use super::styles::{Style, find_people};
use super::{CanonicalStep, HighWeights, LinearBody, N_ROWS, RowLayout, StepQuery};
use std::sync::{Arc, OnceLock};
use surefoot_geom::delaunay::Delaunay;
use surefoot_geom::{Quat, Vec3, map_in_parallel};
use surefoot_motion::{BodyMap, PerSide, Side, Skeleton};

/// What a database is made from, and what its file holds.
#[derive(Clone, Debug)]
pub struct DatabaseParts {
    /// Of all its steps.
    pub skeleton: Arc<Skeleton>,
    /// Which joint is which.
    pub body: BodyMap,
    /// The axes that flex the knees, in the spaces of the hips.
    pub knee_axes: PerSide<Vec3>,
    /// The typical local rotation of each joint, which rotations are blended about.
    pub means: Vec<Quat>,
    /// In the order in which they were added.
    pub steps: Vec<CanonicalStep>,
}

/// Why parts make no database.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DatabaseError {
    /// No step at all.
    #[error("there are no steps; a database needs at least one for each foot")]
    Empty,
    /// One foot never swings.
    #[error("no step swings the {} foot; a walk needs steps of both", .side.name())]
    OneSided {
        /// The foot.
        side: Side,
    },
    /// There are more or fewer mean rotations than joints.
    #[error("there are {n_means} mean rotations for {n_joints} joints; one for each would be right")]
    Means {
        /// Mean rotations.
        n_means: usize,
        /// Joints of the skeleton.
        n_joints: usize,
    },
    /// A leg that no foot can be put down with.
    #[error("the {} leg is no leg: {what} is {value}", .side.name())]
    Leg {
        /// Which.
        side: Side,
        /// What is wrong with it.
        what: &'static str,
        /// The number found.
        value: f64,
    },
    /// A step has too few or too many numbers, or one that means nothing.
    #[error("step {step} is damaged: {what}")]
    Damaged {
        /// Which.
        step: usize,
        /// What is wrong with it, and the number found.
        what: String,
    },
}

/// Steps that can be blended.
#[derive(Clone, Debug)]
pub struct StepDatabase {
    body: LinearBody,
    layout: RowLayout,
    parts: DatabaseParts,
    spaces: PerSide<Arc<StepSpace>>,
    /// What the rows of each step depend on.
    inputs: Vec<StepInputs>,
    models: PerSide<StepModel>,
    people: Vec<Arc<Style>>,
    /// Whose each step is.
    person_of: Vec<u32>,
    ends: StepEnds,
}

/// The Stride Space of one swinging foot.
#[derive(Clone, Debug)]
pub struct StepSpace {
    /// Indices into [`StepDatabase::steps`].
    steps: Vec<usize>,
    delaunay: Delaunay,
    tree: HighTree,
    /// Fitted when first asked for: only comparisons need it.
    regression: OnceLock<StepRegression>,
}

impl StepSpace {
    /// Of the steps with some numbers, which swing the same foot.
    pub(super) fn new(all: &[CanonicalStep], steps: Vec<usize>) -> StepSpace {
        let points: Vec<Vec3> = steps.iter().map(|&step| all[step].point()).collect();
        let delaunay = Delaunay::new(&points).expect("parameters were checked to be finite");
        let tree = HighTree::new(steps.iter().map(|&step| (all[step].high(), step)));
        StepSpace { steps, delaunay, tree, regression: OnceLock::new() }
    }

    /// Indices into [`StepDatabase::steps`]; vertex n of the tetrahedra is step n of these.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// The tetrahedralisation of the steps' parameters.
    pub fn delaunay(&self) -> &Delaunay {
        &self.delaunay
    }

    /// The step at a vertex of a tetrahedron.
    pub fn step_of(&self, vertex: u32) -> usize {
        self.steps[vertex as usize]
    }

    /// Metres from the hull in the space of parameters; 0 inside.
    pub fn distance_outside(&self, point: Vec3) -> f64 {
        self.delaunay.nearest_on_hull(point).map_or(0.0, |hull| hull.distance)
    }

    /// D_high of the step nearest to a query; infinite if there is none.
    pub(super) fn nearest_distance(&self, query: &StepQuery, weights: &HighWeights) -> f64 {
        self.tree.nearest(query, weights, &[], f64::INFINITY).map_or(f64::INFINITY, |(_, distance)| distance)
    }

    /// How many steps lie in a region of the parameters.
    pub(super) fn count_in(&self, region: &[super::high_tree::HalfSpace]) -> usize {
        self.tree.count(region)
    }

    pub(super) fn tree(&self) -> &HighTree {
        &self.tree
    }

    /// The regression of its steps; `all` are those of the database.
    pub(super) fn regression(&self, all: &[CanonicalStep]) -> &StepRegression {
        self.regression.get_or_init(|| StepRegression::fit(all, &self.steps))
    }
}

impl DatabaseParts {
    /// Parts whose steps have the rows of version 1 of the file, with quaternions, as parts of today.
    pub fn from_version_1(mut self) -> Result<DatabaseParts, DatabaseError> {
        check_body(&self)?;
        let body = LinearBody::new(self.skeleton.clone(), self.body.clone(), &self.knee_axes, &self.means);
        let layout = RowLayout { n_others: body.others().len() };
        let raw = raw_width(layout.n_others);
        for (index, step) in self.steps.iter_mut().enumerate() {
            let what = |what: String| DatabaseError::Damaged { step: index, what };
            if step.rows.len() != N_ROWS * raw {
                let (found, wanted) = (step.rows.len(), N_ROWS * raw);
                return Err(what(format!("it has {found} numbers for its frames; the skeleton has {wanted}")));
            }
            if let Some(number) = step.rows.iter().find(|number| !number.is_finite()) {
                return Err(what(format!("its frames have the number {number}")));
            }
            let mut rows = vec![0.0; N_ROWS * layout.width()];
            for (row, (from, to)) in step.rows.chunks_exact(raw).zip(rows.chunks_exact_mut(layout.width())).enumerate()
            {
                let (mut pose, planted) = read_raw(from);
                for side in Side::BOTH {
                    pose.feet[side].rotation = body.sole_rotation(side, pose.feet[side].rotation);
                }
                let headings = RowHeadings::new(step.swing(), step.headings, row as f64);
                layout.write_planted(&body, &pose, planted, &headings, to);
            }
            step.rows = rows.into();
        }
        Ok(self)
    }
}

impl DatabaseParts {
    /// Parts whose rows have the rotations of ankles, as in version 2 of the file, as parts of today, which have those of soles.
    pub fn from_version_2(mut self) -> Result<DatabaseParts, DatabaseError> {
        check_body(&self)?;
        let body = LinearBody::new(self.skeleton.clone(), self.body.clone(), &self.knee_axes, &self.means);
        let width = RowLayout { n_others: body.others().len() }.width();
        for step in &mut self.steps {
            let mut rows = step.rows.to_vec();
            for row in rows.chunks_exact_mut(width) {
                for side in Side::BOTH {
                    RowLayout::turn_foot(row, side, |ankle| body.sole_rotation(side, ankle));
                }
            }
            step.rows = rows.into();
        }
        Ok(self)
    }
}

impl StepDatabase {
    /// Checks the parts and builds the spaces.
    pub fn new(parts: DatabaseParts) -> Result<StepDatabase, DatabaseError> {
        check_body(&parts)?;
        let body = LinearBody::new(parts.skeleton.clone(), parts.body.clone(), &parts.knee_axes, &parts.means);
        let layout = RowLayout { n_others: body.others().len() };
        if parts.steps.is_empty() {
            return Err(DatabaseError::Empty);
        }
        let leg = parts.body.leg_length(&parts.skeleton);
        for (index, step) in parts.steps.iter().enumerate() {
            check_step(step, layout, leg).map_err(|what| DatabaseError::Damaged { step: index, what })?;
        }
        let all = &parts.steps;
        let of_sides = map_in_parallel(&Side::BOTH, |&side| {
            Arc::new(StepSpace::new(all, (0..all.len()).filter(|&index| all[index].swing() == side).collect()))
        });
        let spaces = PerSide::from_fn(|side| of_sides[side as usize].clone());
        if let Some(side) = Side::BOTH.into_iter().find(|&side| spaces[side].steps.is_empty()) {
            return Err(DatabaseError::OneSided { side });
        }
        let inputs: Vec<StepInputs> =
            all.iter().zip(places_before(all)).map(|(step, before)| StepInputs::of(step, before)).collect();
        let of_sides =
            map_in_parallel(&Side::BOTH, |&side| StepModel::fit(all, &inputs, &spaces[side].steps, layout.width()));
        let models = PerSide::from_fn(|side| of_sides[side as usize].clone());
        let (people, person_of) = find_people(all, &inputs, &models, &spaces);
        let ends = StepEnds::new(all, &inputs, layout, &models);
        Ok(StepDatabase { body, layout, parts, spaces, inputs, models, people, person_of, ends })
    }

    /// What it was made from.
    pub fn parts(&self) -> &DatabaseParts {
        &self.parts
    }

    /// The linearised body of its steps.
    pub fn body(&self) -> &LinearBody {
        &self.body
    }

    /// How the rows of its steps are laid out.
    pub fn layout(&self) -> RowLayout {
        self.layout
    }

    /// All steps.
    pub fn steps(&self) -> &[CanonicalStep] {
        &self.parts.steps
    }

    pub(super) fn model(&self, side: Side) -> &StepModel {
        &self.models[side]
    }

    /// What the rows of a step depend on.
    pub(super) fn inputs(&self, step: usize) -> StepInputs {
        self.inputs[step]
    }

    /// The people whose steps they are.
    pub fn people(&self) -> &[Arc<Style>] {
        &self.people
    }

    /// The steps of a person or, if nobody has that name, of a take.
    pub fn find_style(&self, name: &str) -> Option<Arc<Style>> {
        if let Some(person) = self.people.iter().find(|person| &*person.name == name) {
            return Some(person.clone());
        }
        let is_of_take = |index: &usize| &*self.parts.steps[*index].source.take == name;
        let steps: Vec<usize> = (0..self.parts.steps.len()).filter(is_of_take).collect();
        (!steps.is_empty()).then(|| Arc::new(Style::new(name, &self.parts.steps, &steps, (&self.inputs, &self.models))))
    }

    /// Whose a step is, as a number among [`StepDatabase::people`].
    pub(super) fn person_of(&self, step: usize) -> usize {
        self.person_of[step] as usize
    }

    pub(super) fn ends(&self) -> &StepEnds {
        &self.ends
    }

    /// The space of the steps that swing a foot.
    pub fn space(&self, side: Side) -> &StepSpace {
        &self.spaces[side]
    }
}
