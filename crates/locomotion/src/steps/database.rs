//! The step database: canonical steps of one body, and the Stride Space of each swinging foot.
//!
//! Reference: STRIDE chapter 4, A.1.
//!
//! Left and right steps live in spaces of their own, so that they never blend. A space is a Delaunay tetrahedralisation of the steps'
//! parameters (S_low) and a tree over all nine dimensions (S_high).

use super::{CanonicalStep, LinearBody, N_ROWS, RowLayout};
use std::sync::Arc;
use surefoot_geom::{Quat, Vec3};
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// A step has too few or too many numbers, or one that is not finite.
    #[error("step {step} is damaged: {what}")]
    Damaged {
        /// Which.
        step: usize,
        /// What is wrong with it.
        what: &'static str,
    },
}

/// Steps that can be blended.
#[derive(Clone, Debug)]
pub struct StepDatabase {
    body: LinearBody,
    layout: RowLayout,
    parts: DatabaseParts,
    sides: PerSide<Vec<usize>>,
}

impl StepDatabase {
    /// Checks the parts and builds the spaces.
    pub fn new(parts: DatabaseParts) -> Result<StepDatabase, DatabaseError> {
        let body = LinearBody::new(parts.skeleton.clone(), parts.body.clone(), &parts.knee_axes, &parts.means);
        let layout = RowLayout { n_others: body.others().len() };
        if parts.steps.is_empty() {
            return Err(DatabaseError::Empty);
        }
        for (index, step) in parts.steps.iter().enumerate() {
            check_step(step, layout).map_err(|what| DatabaseError::Damaged { step: index, what })?;
        }
        let of_side = |side: Side| (0..parts.steps.len()).filter(|&index| parts.steps[index].swing() == side).collect();
        let sides: PerSide<Vec<usize>> = PerSide::from_fn(of_side);
        if let Some(side) = Side::BOTH.into_iter().find(|&side| sides[side].is_empty()) {
            return Err(DatabaseError::OneSided { side });
        }
        Ok(StepDatabase { body, layout, parts, sides })
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

    /// Indices of the steps that swing a foot.
    pub fn of_side(&self, side: Side) -> &[usize] {
        &self.sides[side]
    }
}

fn check_step(step: &CanonicalStep, layout: RowLayout) -> Result<(), &'static str> {
    if step.rows.len() != N_ROWS * layout.width() {
        return Err("its frames do not fit the skeleton");
    }
    let times = [step.times.first, step.times.swing, step.times.last];
    if times.iter().any(|time| !time.is_finite() || *time < 0.0) || step.times.swing <= 0.0 {
        return Err("a duration is not a positive number");
    }
    let is_finite = step.point().is_finite() && step.headings.iter().all(|heading| heading.is_finite());
    if !is_finite || step.rows.iter().any(|value| !value.is_finite()) {
        return Err("a number is not finite");
    }
    Ok(())
}
