//! The place of each node in the world, by the file's rules of scale.
//!
//! A node's scale moves what hangs on it, and by FBX's three modes of inheritance may or may not scale it as well. The
//! rules are those that ufbx states for its inherit modes; every place comes out exactly where all scales are alike on
//! the three axes. Where they are not, matrices would shear; we keep the rotation and drop the shear.

use super::joints::JointNodes;
use surefoot_geom::{Quat, Transform, Vec3};
use ufbx::InheritMode;

/// How uneven a scale may be before the reader warns that something was dropped. Exporters leave rounding of 1e-4.
const EVEN_SCALE: f64 = 1e-3;

/// A node in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Without scale.
    pub(super) rigid: Transform,
    /// What multiplies the places of the node's children.
    scale: Vec3,
    /// The same before the node's own scale.
    parent_scale: Vec3,
    /// What the node hands on to children that do not take `scale`.
    handed_on: Vec3,
}

impl Placement {
    const ORIGIN: Placement =
        Placement { rigid: Transform::IDENTITY, scale: Vec3::ONE, parent_scale: Vec3::ONE, handed_on: Vec3::ONE };

    /// Whether the scale is alike on all axes and mirrors nothing.
    pub(super) fn is_evenly_scaled(&self) -> bool {
        self.scale.min_element() > 0.0
            && self.scale.max_element() - self.scale.min_element() <= EVEN_SCALE * self.scale.max_element()
    }

    /// The scale as one number.
    pub(super) fn size(&self) -> f64 {
        self.scale.element_sum() / 3.0
    }
}

/// Fills `out` with the placement of each node; `local` gives a node's transform relative to its parent.
pub(super) fn place_nodes(
    joints: &JointNodes<'_>,
    mut local: impl FnMut(&ufbx::Node) -> ufbx::Transform,
    out: &mut Vec<Placement>,
) {
    out.clear();
    for placed in &joints.nodes {
        let local = local(placed.node);
        let (translation, scale) = (vec3(local.translation), vec3(local.scale));
        let parent = placed.parent.map_or(Placement::ORIGIN, |parent| out[parent]);
        let rotation = (parent.rigid.rotation * quat(local.rotation)).normalize();
        let at = |offset: Vec3| Transform::new(rotation, parent.rigid.transform_point(offset));
        let placement = match placed.node.inherit_mode {
            InheritMode::Normal => Placement {
                rigid: at(parent.scale * translation),
                scale: parent.scale * scale,
                parent_scale: parent.scale,
                handed_on: scale,
            },
            InheritMode::IgnoreParentScale | InheritMode::ComponentwiseScale => {
                // Nodes that ignore their parent's scale still take what ufbx says a node further up hands on.
                let scale_here = scale * handed_on_by(joints, placed, out);
                Placement {
                    rigid: at(parent.parent_scale * parent.handed_on * translation),
                    scale: parent.parent_scale * scale_here,
                    parent_scale: parent.parent_scale,
                    handed_on: scale_here,
                }
            }
        };
        out.push(placement);
    }
}

/// What the node that `placed` inherits its scale from hands on; one if there is none.
fn handed_on_by(joints: &JointNodes<'_>, placed: &super::joints::Placed<'_>, out: &[Placement]) -> Vec3 {
    let Some(source) = placed.node.inherit_scale_node.as_ref() else {
        return Vec3::ONE;
    };
    // It stands above the node, so it was placed before.
    let mut above = placed.parent;
    while let Some(index) = above {
        if joints.nodes[index].node.element.element_id == source.element.element_id {
            return out[index].handed_on;
        }
        above = joints.nodes[index].parent;
    }
    Vec3::ONE
}

fn vec3(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// A rotation, whatever the file made of it.
fn quat(q: ufbx::Quat) -> Quat {
    let q = Quat::from_xyzw(q.x, q.y, q.z, q.w);
    let length = q.length();
    if length.is_finite() && length > 0.5 { q / length } else { Quat::IDENTITY }
}
