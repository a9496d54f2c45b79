//! The soles of a figure as our own files carry them, beside the contacts: no joint stores a heel, and fitting one to other
//! frames would give another.
//!
//! ```jsonc
//! "soles": { "soles": 1,
//!     "left": { "ankle": "LeftFoot", "heel": [0, -0.07, -0.06], "ball": [...], "toe_tip": [...], "up": [0, 1, 0] },
//!     "right": { ... } }
//! ```
//!
//! Points are in metres in the axes of the joint that `ankle` names; `up` has length 1.

use crate::document::StoredSole;
use crate::written_name::written_name;
use serde::{Deserialize, Serialize};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, FootShape, PerSide, Skeleton};

const SOLES_VERSION: u32 = 1;
/// No point of a sole is farther from its ankle, in metres: giants have longer feet than this, but none that walk here.
const FARTHEST: f64 = 2.0;
/// How far the length of `up` may be from 1.
const UP_TOLERANCE: f64 = 1e-6;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Soles {
    soles: u32,
    left: Sole,
    right: Sole,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sole {
    ankle: String,
    heel: [f64; 3],
    ball: [f64; 3],
    toe_tip: [f64; 3],
    up: [f64; 3],
}

impl Soles {
    /// Those of a body, to write.
    pub(super) fn new(skeleton: &Skeleton, body: &BodyMap) -> Soles {
        let PerSide { left, right } = body.legs.map(|leg| Sole {
            ankle: written_name(skeleton, leg.ankle),
            heel: leg.foot.heel.to_array(),
            ball: leg.foot.ball.to_array(),
            toe_tip: leg.foot.toe_tip.to_array(),
            up: leg.foot.up.to_array(),
        });
        Soles { soles: SOLES_VERSION, left, right }
    }

    /// As read; or why they cannot be used.
    pub(super) fn read(&self) -> Result<PerSide<StoredSole>, &'static str> {
        if self.soles != SOLES_VERSION {
            return Err("they are of a version that is not known");
        }
        Ok(PerSide::new(self.left.read()?, self.right.read()?))
    }
}

impl Sole {
    fn read(&self) -> Result<StoredSole, &'static str> {
        let [heel, ball, toe_tip, up] = [self.heel, self.ball, self.toe_tip, self.up].map(Vec3::from_array);
        // Written so that NaN fails too.
        if ![heel, ball, toe_tip].into_iter().all(|point| point.length() <= FARTHEST) {
            return Err("a point of theirs is farther from its ankle than any foot is long");
        }
        if !up.is_finite() || (up.length() - 1.0).abs() > UP_TOLERANCE {
            return Err("they have no direction for up");
        }
        if (toe_tip - heel).length() <= 0.0 {
            return Err("one has no length");
        }
        Ok(StoredSole { ankle: self.ankle.clone(), foot: FootShape { heel, ball, toe_tip, up } })
    }
}
