//! Joints given as matrices, which glTF does not allow to be animated (glTF 2.0, section 3.11): the same transforms as translation,
//! rotation and scale.

use super::character_tracks::Mapping;
use super::edit_json::JsonEdit;
use super::schema::Root;
use super::tree::NodeTransform;
use crate::ReadError;
use serde_json::json;
use surefoot_geom::{Mat3, Vec3};

/// Joints that the file gives as matrices: animated, they have to be given as translation, rotation and scale.
pub(super) struct SplitMatrices {
    nodes: Vec<usize>,
    /// Those of them that shear, which no translation, rotation and scale says.
    n_sheared: usize,
}

impl SplitMatrices {
    /// What a user should know of them.
    pub(super) fn note(&self) -> Option<String> {
        let n = self.nodes.len();
        let lost = match self.n_sheared {
            0 => String::new(),
            sheared => format!("; {sheared} of them shear, which is lost"),
        };
        let note = format!(
            "{n} joints are given as matrices, which cannot be animated: they are written as translation, rotation and scale{lost}"
        );
        (n > 0).then_some(note)
    }

    /// Writes them as parts.
    pub(super) fn write(&self, json: &mut JsonEdit<'_>, rests: &[NodeTransform]) -> Result<(), ReadError> {
        let nodes = json.elements("nodes")?;
        for &node in &self.nodes {
            let rest = &rests[node];
            let parts = [
                ("translation", json!(rest.translation.to_array())),
                ("rotation", json!(rest.rotation.to_array())),
                ("scale", json!(diagonal(rest.stretch).to_array())),
            ];
            json.replace_member(nodes[node], "matrix", &parts)?;
        }
        Ok(())
    }
}

/// Finds them, and leaves shear out of their rest.
pub(super) fn split_matrices(root: &Root<'_>, mapping: &Mapping, rests: &mut [NodeTransform]) -> SplitMatrices {
    /// Shear below this share of the scale is rounding.
    const SHEAR: f64 = 1e-5;
    let is_matrix = |node: &usize| root.nodes.get(*node).is_some_and(|node| node.matrix.is_some());
    let nodes: Vec<usize> = mapping.nodes.iter().copied().filter(is_matrix).collect();
    let mut n_sheared = 0;
    for &node in &nodes {
        let stretch = rests[node].stretch;
        let scale = diagonal(stretch);
        let shear = stretch - Mat3::from_diagonal(scale);
        n_sheared += usize::from(shear.to_cols_array().iter().any(|part| part.abs() > SHEAR * scale.length()));
        rests[node].stretch = Mat3::from_diagonal(scale);
    }
    SplitMatrices { nodes, n_sheared }
}

fn diagonal(stretch: Mat3) -> Vec3 {
    Vec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z)
}
