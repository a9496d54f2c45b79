//! What is unusual or broken about the skins of a character: its animation is right all the same, and its mesh may not be.
//!
//! Of the bytes of the file the bind matrices alone are read.

use super::accessors::{Component, Shape, layout};
use super::character::GltfCharacter;
use super::schema::{Root, Skin};
use super::tree::{Tree, node_name};

/// A matrix that squeezes lengths to less than this share leaves nothing of a mesh.
const FLAT: f64 = 1e-12;

/// One sentence for each.
pub(super) fn skin_notes(character: &GltfCharacter, root: &Root<'_>, tree: &Tree) -> Vec<String> {
    let mut notes: Vec<String> =
        (0..root.skins.len()).filter_map(|i| broken(character, root, &root.skins[i], i)).collect();
    let top = |mut node: usize| {
        while let Some(parent) = tree.parents[node] {
            node = parent;
        }
        node
    };
    let tops: Vec<usize> = root.skins.iter().filter_map(|skin| Some(top(skin.joints.first()?.0))).collect();
    if tops.iter().any(|other| *other != tops[0]) {
        notes.push(format!(
            "the file has {} skins on skeletons apart from each other; all of their joints are written",
            root.skins.len()
        ));
    }
    notes
}

fn broken(character: &GltfCharacter, root: &Root<'_>, skin: &Skin, i: usize) -> Option<String> {
    let accessor = skin.inverse_bind_matrices?.0;
    let (n, joints) = (root.accessors[accessor].count.0, skin.joints.len());
    if n < joints {
        return Some(format!(
            "skin {i} is broken: {n} bind matrices for {joints} joints; viewers may not show its mesh"
        ));
    }
    let bytes = matrix_bytes(character, root, accessor)?;
    let matrices = bytes.chunks_exact(MATRIX_BYTES).take(joints);
    let joint = matrices.enumerate().find(|(_, matrix)| !is_invertible(matrix))?.0;
    let name = node_name(root, skin.joints[joint].0);
    Some(format!(
        "skin {i} is broken: the bind matrix of `{name}` is not finite and invertible; viewers may not show its mesh"
    ))
}

const MATRIX_BYTES: usize = 64;

/// The bytes of matrices that lie one after the other in a GLB; `None` for those that lie elsewhere or otherwise.
fn matrix_bytes(character: &GltfCharacter, root: &Root<'_>, index: usize) -> Option<Vec<u8>> {
    let accessor = &root.accessors[index];
    let is_plain = layout(root, index).ok()? == (Component::F32, Shape::MAT4) && accessor.sparse.is_none();
    let view = &root.buffer_views[accessor.buffer_view.filter(|_| is_plain)?.0];
    if view.buffer.0 != 0 || root.buffers[0].uri.is_some() || view.byte_stride.is_some() {
        return None;
    }
    let bin = character.bin.as_ref()?;
    let start = view.byte_offset.0.checked_add(accessor.byte_offset.0)?;
    let end = start.checked_add(accessor.count.0.checked_mul(MATRIX_BYTES)?)?;
    if end > bin.n_bytes() {
        return None;
    }
    bin.read(start..end).ok()
}

/// Whether a matrix, column by column, is finite and its upper left three by three can be undone.
fn is_invertible(matrix: &[u8]) -> bool {
    let number = |i: usize| Component::F32.read(&matrix[4 * i..], false);
    let column = |c: usize| surefoot_geom::Vec3::new(number(4 * c), number(4 * c + 1), number(4 * c + 2));
    let [x, y, z] = [0, 1, 2].map(column);
    let size = x.length() * y.length() * z.length();
    (0..16).all(|i| number(i).is_finite()) && size > 0.0 && x.cross(y).dot(z).abs() > FLAT * size
}
