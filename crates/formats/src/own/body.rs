//! Body files, `*.toml`: which joint is which part of the person, where the automatic map is wrong or unsure.
//!
//! ```toml
//! body = 1
//! pelvis = "Hips"
//! spine = ["Spine", "Spine1", "Neck"]
//! head = "Head"
//! [left]
//! hip = "LeftUpLeg"
//! knee = "LeftLeg"
//! ankle = "LeftFoot"
//! ball = "LeftToeBase"        # "" says that there is none
//! toe = "LeftToeBase_End"     # a joint or an end site
//! sole = { heel = [0, -0.07, -0.04], ball = [0, -0.07, 0.12], toe_tip = [0, -0.07, 0.19] }
//! arm = { clavicle = "LeftShoulder", shoulder = "LeftArm", elbow = "LeftForeArm", wrist = "LeftHand" }
//! [right]
//! # ...
//! ```
//!
//! 1. Every name is looked up; one that the skeleton does not have is an error with the closest that it has.
//! 2. A field left out keeps the base map's; without a base, what must be there is listed.
//! 3. Joints must stand in the order of a body: a knee below its hip, and so on.
//! 4. A sole left out is the base's if the foot is the same, else it is fitted again ([`BodyMap::fit_feet`]).

use super::body_names::BodyNames;
use super::body_order::check_order;
use super::fields::{Field, shortened};
use super::toml_tree::parse_toml;
use crate::{ErrorKind, ReadError};
use surefoot_geom::Vec3;
use surefoot_motion::{Arm, BodyMap, BodyPoint, FootShape, JointId, Leg, PerSide, Side, Skeleton, WorldPose};

pub(super) const VERSION: u32 = 1;

/// Reads a body file for a skeleton in metres, Y up. `base` is the map found automatically, which the file overrides; `poses` are
/// frames of the motion in time order, or none, to fit soles in that the file leaves out.
pub fn read_body(
    bytes: &[u8],
    skeleton: &Skeleton,
    base: Option<&BodyMap>,
    poses: &[WorldPose],
) -> Result<BodyMap, ReadError> {
    let tree = parse_toml(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("body", VERSION, "body = 1")?;
    root.expect_object(&["body", "pelvis", "spine", "head", "left", "right"])?;
    let mut reader = Reader { names: BodyNames::of(skeleton), missing: Vec::new() };
    let Some(mut body) = reader.joints(&root, base)? else {
        let missing = reader.missing.join(", ");
        let message = format!("the file must name what was not found automatically; still missing: {missing}");
        return Err(ReadError::new(ErrorKind::Body, message));
    };
    check_order(&body, skeleton, &reader.names).map_err(|wrong| ReadError {
        line: line_at(&root, &wrong.lower).or_else(|| line_at(&root, &wrong.upper)),
        ..ReadError::new(ErrorKind::Body, wrong.message)
    })?;
    let fitted = fit_soles(&body, base, skeleton, poses);
    for side in Side::BOTH {
        body.legs[side].foot = read_sole(&root, side, fitted[side])?;
    }
    Ok(body)
}

/// The base's sole where a foot is the base's, else one fitted to the motion.
fn fit_soles(body: &BodyMap, base: Option<&BodyMap>, skeleton: &Skeleton, poses: &[WorldPose]) -> PerSide<FootShape> {
    let mut fitted = body.clone();
    fitted.fit_feet(skeleton, poses, Vec3::Y);
    PerSide::from_fn(|side| {
        let foot = |leg: &Leg| (leg.ankle, leg.ball, leg.toe);
        let kept = base.map(|base| &base.legs[side]).filter(|leg| foot(leg) == foot(&body.legs[side]));
        kept.unwrap_or(&fitted.legs[side]).foot
    })
}

fn read_sole(root: &Field<'_>, side: Side, otherwise: FootShape) -> Result<FootShape, ReadError> {
    let Some(leg) = root.optional(side.name()) else { return Ok(otherwise) };
    let Some(sole) = leg.optional("sole") else { return Ok(otherwise) };
    sole.expect_object(&["heel", "ball", "toe_tip", "up"])?;
    let point = |name: &str, otherwise: Vec3| match sole.optional(name) {
        Some(point) => point.coordinates::<3>().map(Vec3::from),
        None => Ok(otherwise),
    };
    Ok(FootShape {
        heel: point("heel", otherwise.heel)?,
        ball: point("ball", otherwise.ball)?,
        toe_tip: point("toe_tip", otherwise.toe_tip)?,
        up: direction(point("up", otherwise.up)?, otherwise.up),
    })
}

/// A unit vector stays as it is, to the last bit: what was written reads back the same.
fn direction(vector: Vec3, otherwise: Vec3) -> Vec3 {
    if (vector.length_squared() - 1.0).abs() < 1e-12 { vector } else { vector.normalize_or(otherwise) }
}

/// What a file says about a part.
enum Said<T> {
    /// Nothing: the base decides.
    Nothing,
    /// That the body has none.
    Absent,
    Is(T),
}

impl<T> Said<T> {
    fn or(self, base: Option<T>) -> Option<T> {
        match self {
            Said::Nothing => base,
            Said::Absent => None,
            Said::Is(value) => Some(value),
        }
    }
}

struct Reader {
    names: BodyNames,
    /// Paths of the parts that must be there and are not.
    missing: Vec<String>,
}

impl Reader {
    /// All joints, soles aside; `None` where one is missing.
    fn joints(&mut self, root: &Field<'_>, base: Option<&BodyMap>) -> Result<Option<BodyMap>, ReadError> {
        let pelvis = self.joint(Some(root), "pelvis")?.or(base.map(|base| base.pelvis));
        let pelvis = self.need("pelvis", pelvis);
        let spine = self.spine(root)?.or(base.map(|base| base.spine.clone())).unwrap_or_default();
        let head = self.joint(Some(root), "head")?.or(base.and_then(|base| base.head));
        let mut legs = PerSide::new(None, None);
        let mut arms = PerSide::new(None, None);
        for side in Side::BOTH {
            let field = root.optional(side.name());
            if let Some(field) = &field {
                field.expect_object(&["hip", "knee", "ankle", "ball", "toe", "sole", "arm"])?;
            }
            legs[side] = self.leg(field.as_ref(), side, base.map(|base| &base.legs[side]))?;
            arms[side] = self.arm(field.as_ref(), side, base.and_then(|base| base.arms[side]))?;
        }
        let (Some(pelvis), Some(left), Some(right), []) = (pelvis, legs.left, legs.right, &self.missing[..]) else {
            return Ok(None);
        };
        Ok(Some(BodyMap { pelvis, spine, head, legs: PerSide::new(left, right), arms }))
    }

    fn leg(&mut self, field: Option<&Field<'_>>, side: Side, base: Option<&Leg>) -> Result<Option<Leg>, ReadError> {
        let hip = self.joint(field, "hip")?.or(base.map(|leg| leg.hip));
        let knee = self.joint(field, "knee")?.or(base.map(|leg| leg.knee));
        let ankle = self.joint(field, "ankle")?.or(base.map(|leg| leg.ankle));
        let ball = self.joint(field, "ball")?.or(base.and_then(|leg| leg.ball));
        let toe = self.point(field, "toe")?.or(base.and_then(|leg| leg.toe));
        let [hip, knee, ankle] = [("hip", hip), ("knee", knee), ("ankle", ankle)]
            .map(|(name, joint)| self.need(&format!("{}.{name}", side.name()), joint));
        let (Some(hip), Some(knee), Some(ankle)) = (hip, knee, ankle) else { return Ok(None) };
        // The sole is read when the order of the joints is known to be good.
        let foot = FootShape { heel: Vec3::ZERO, ball: Vec3::ZERO, toe_tip: Vec3::ZERO, up: Vec3::Y };
        Ok(Some(Leg { hip, knee, ankle, ball, toe, foot }))
    }

    fn arm(&mut self, leg: Option<&Field<'_>>, side: Side, base: Option<Arm>) -> Result<Option<Arm>, ReadError> {
        let Some(field) = leg.and_then(|leg| leg.optional("arm")) else { return Ok(base) };
        field.expect_object(&["clavicle", "shoulder", "elbow", "wrist"])?;
        let field = Some(&field);
        let clavicle = self.joint(field, "clavicle")?.or(base.and_then(|arm| arm.clavicle));
        let wrist = self.joint(field, "wrist")?.or(base.and_then(|arm| arm.wrist));
        let elbow = self.joint(field, "elbow")?.or(base.map(|arm| arm.elbow));
        let shoulder = self.joint(field, "shoulder")?;
        if let Said::Absent = shoulder {
            return Ok(None);
        }
        let shoulder = self.need(&format!("{}.arm.shoulder", side.name()), shoulder.or(base.map(|arm| arm.shoulder)));
        let elbow = self.need(&format!("{}.arm.elbow", side.name()), elbow);
        Ok(shoulder.zip(elbow).map(|(shoulder, elbow)| Arm { clavicle, shoulder, elbow, wrist }))
    }

    fn spine(&self, root: &Field<'_>) -> Result<Said<Vec<JointId>>, ReadError> {
        let Some(field) = root.optional("spine") else { return Ok(Said::Nothing) };
        let items = field.items("a list of joints such as [\"Spine\", \"Neck\"], or [] for none")?;
        let joints = items.map(|item| self.named_joint(&item)).collect::<Result<Vec<_>, _>>()?;
        Ok(Said::Is(joints))
    }

    fn joint(&self, table: Option<&Field<'_>>, name: &str) -> Result<Said<JointId>, ReadError> {
        let Some(field) = table.and_then(|table| table.optional(name)) else { return Ok(Said::Nothing) };
        if field.text()?.is_empty() { Ok(Said::Absent) } else { self.named_joint(&field).map(Said::Is) }
    }

    fn named_joint(&self, field: &Field<'_>) -> Result<JointId, ReadError> {
        let name = field.text()?;
        self.names.joint(name).ok_or_else(|| unknown(field, "joint", name, &self.names.closest_joints(name)))
    }

    fn point(&self, table: Option<&Field<'_>>, name: &str) -> Result<Said<BodyPoint>, ReadError> {
        let Some(field) = table.and_then(|table| table.optional(name)) else { return Ok(Said::Nothing) };
        match field.text()? {
            "" => Ok(Said::Absent),
            name => self
                .names
                .point(name)
                .map(Said::Is)
                .ok_or_else(|| unknown(&field, "joint or end site", name, &self.names.closest_points(name))),
        }
    }

    fn need<T>(&mut self, path: &str, part: Option<T>) -> Option<T> {
        if part.is_none() {
            self.missing.push(path.to_string());
        }
        part
    }
}

fn unknown(field: &Field<'_>, what: &str, name: &str, closest: &[&str]) -> ReadError {
    let closest: Vec<String> = closest.iter().map(|name| format!("\"{}\"", shortened(name))).collect();
    let message =
        format!("the skeleton has no {what} \"{}\"; the closest names are {}", shortened(name), closest.join(", "));
    field.error(ErrorKind::Body, message)
}

/// The line of a part that the file names, by its path; of `spine[3]` that of the list.
fn line_at(field: &Field<'_>, path: &str) -> Option<usize> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = first.split('[').next().unwrap_or(first);
    let field = field.optional(name)?;
    if rest.is_empty() { Some(field.line()) } else { line_at(&field, rest) }
}
