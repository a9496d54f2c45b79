//! The tree of nodes: order, parents and local transforms.
//!
//! Nothing recurses: a file may nest nodes as deep as it is long.

use super::schema::{Node, Root};
use crate::{ErrorKind, ReadError};
use surefoot_geom::{Mat3, Quat, Vec3};

/// A node's transform as the file rests: `translation`, then `rotation`, then whatever else the file does to space
/// there (`stretch`: scale, mirror or shear). A point `p` of the node's space lies at `translation + rotation *
/// stretch * p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodeTransform {
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) stretch: Mat3,
}

impl NodeTransform {
    pub(super) const IDENTITY: NodeTransform =
        NodeTransform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, stretch: Mat3::IDENTITY };
}

/// The nodes in an order with parents first.
pub(super) struct Tree {
    /// Depth first, children in the file's order.
    pub(super) order: Vec<usize>,
    pub(super) parents: Vec<Option<usize>>,
}

impl Tree {
    /// Finds parents and order; refuses loops and nodes with two parents. Indices must have been checked.
    pub(super) fn new(nodes: &[Node]) -> Result<Tree, ReadError> {
        let mut n_parents = vec![0usize; nodes.len()];
        let mut parents = vec![None; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            for child in &node.children {
                n_parents[child.0] += 1;
                parents[child.0] = Some(i);
            }
        }
        check_acyclic(nodes, &n_parents)?;
        if let Some(child) = n_parents.iter().position(|&n| n > 1) {
            let message = format!("node {child} is a child of two nodes, or twice of one");
            return Err(ReadError::new(ErrorKind::TwoParents, message));
        }
        let roots = (0..nodes.len()).rev().filter(|&i| parents[i].is_none());
        Ok(Tree { order: depth_first(nodes, roots.collect()), parents })
    }
}

/// Kahn's algorithm: nodes whose parents are all done are taken off; what cannot be taken off hangs on a loop.
fn check_acyclic(nodes: &[Node], n_parents: &[usize]) -> Result<(), ReadError> {
    let mut waiting = n_parents.to_vec();
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|&i| waiting[i] == 0).collect();
    let mut n_done = 0;
    while let Some(i) = ready.pop() {
        n_done += 1;
        for child in &nodes[i].children {
            waiting[child.0] -= 1;
            if waiting[child.0] == 0 {
                ready.push(child.0);
            }
        }
    }
    if n_done == nodes.len() {
        return Ok(());
    }
    let stuck = waiting.iter().position(|&n| n > 0).unwrap_or(0);
    Err(ReadError::new(ErrorKind::Cycle, format!("node {stuck} is its own ancestor, or is below a loop of nodes")))
}

/// Nodes at and below the nodes on `stack`, whose last is the first to be visited.
fn depth_first(nodes: &[Node], mut stack: Vec<usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(i) = stack.pop() {
        order.push(i);
        stack.extend(nodes[i].children.iter().rev().map(|child| child.0));
    }
    order
}

/// A node's name; an unnamed one is called after its index.
pub(super) fn node_name(root: &Root<'_>, index: usize) -> String {
    root.nodes[index].name.clone().unwrap_or_else(|| format!("node{index}"))
}

/// A quaternion made one long, and whether it was not.
pub(super) struct Unit {
    pub(super) rotation: Quat,
    pub(super) was_normalized: bool,
}

/// Lengths further from one than this are worth a warning: rotations stored as bytes come within 0.8 %, floats far
/// closer.
const LENGTH_TOLERANCE: f64 = 0.008;

/// Makes a quaternion one long; `None` for zero, NaN and infinity.
pub(super) fn to_unit(q: Quat) -> Option<Unit> {
    let length = q.length();
    if !length.is_finite() || length < 1e-6 {
        return None;
    }
    let was_normalized = (length - 1.0).abs() > LENGTH_TOLERANCE;
    Some(Unit { rotation: q / length, was_normalized })
}

/// A node's transform at rest, and whether its quaternion had to be normalised.
pub(super) fn node_transform(node: &Node, index: usize) -> Result<(NodeTransform, bool), ReadError> {
    if let Some(matrix) = &node.matrix {
        return Ok((decompose(matrix), false));
    }
    let translation = node.translation.as_ref().map_or(Vec3::ZERO, |t| Vec3::from_array(**t));
    let scale = node.scale.as_ref().map_or(Vec3::ONE, |s| Vec3::from_array(**s));
    let raw = node.rotation.as_ref().map_or(Quat::IDENTITY, |r| Quat::from_array(**r));
    let unit = to_unit(raw).ok_or_else(|| {
        ReadError::new(ErrorKind::Quaternion, format!("the rotation of node {index} is {raw}, which is no quaternion"))
    })?;
    let transform = NodeTransform { translation, rotation: unit.rotation, stretch: Mat3::from_diagonal(scale) };
    Ok((transform, unit.was_normalized))
}

/// Splits a matrix into a rotation and what is left. For rotation times scale, all that glTF allows, this is exact;
/// of a sheared matrix the rotation keeps the direction of X and the plane of X and Y. A flat one takes any axes that
/// fit.
fn decompose(matrix: &[f64; 16]) -> NodeTransform {
    let column = |i: usize| Vec3::new(matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]);
    let linear = Mat3::from_cols(column(0), column(1), column(2));
    let x = column(0).try_normalize().unwrap_or(Vec3::X);
    let across = column(1) - x * x.dot(column(1));
    // Of two columns along one line, what is left across is rounding and has no direction.
    let is_flat = across.length() <= 1e-9 * column(1).length();
    let y = across.try_normalize().filter(|_| !is_flat).unwrap_or_else(|| x.any_orthonormal_vector());
    let rotation = Mat3::from_cols(x, y, x.cross(y));
    NodeTransform {
        translation: column(3),
        rotation: Quat::from_mat3(&rotation).normalize(),
        stretch: rotation.transpose() * linear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Mat4;

    fn check_tree(children: &str, expected: &Result<Vec<usize>, ErrorKind>) {
        let nodes: Vec<String> = children.split('/').map(|list| format!(r#"{{"children":[{list}]}}"#)).collect();
        let json = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#, nodes.join(","));
        let root = super::super::schema::parse(json.as_bytes()).expect("valid");
        let found = Tree::new(&root.nodes).map(|tree| tree.order).map_err(|error| error.kind);
        assert_eq!(&found, expected, "{children}");
    }

    #[test]
    fn trees_are_ordered_depth_first_and_graphs_refused() {
        check_tree("2,1//3/", &Ok(vec![0, 2, 3, 1]));
        check_tree("//0", &Ok(vec![1, 2, 0]));
        check_tree("0", &Err(ErrorKind::Cycle));
        check_tree("1/0", &Err(ErrorKind::Cycle));
        check_tree("1/2/1", &Err(ErrorKind::Cycle));
        check_tree("1,1/", &Err(ErrorKind::TwoParents));
        check_tree("1//1", &Err(ErrorKind::TwoParents));
        check_tree("1,2/3/3/", &Err(ErrorKind::TwoParents));
    }

    #[test]
    fn a_matrix_splits_into_parts_that_multiply_back() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-2.0);
        let translation = Vec3::new(1.0, -2.0, 3.0);
        for scale in [Vec3::ONE, Vec3::splat(0.01), Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 1.0, -1.0)] {
            let matrix = Mat4::from_scale_rotation_translation(scale, rotation, translation);
            let parts = decompose(&matrix.to_cols_array());
            assert!(parts.rotation.dot(rotation).abs() > 1.0 - 1e-12, "{scale}");
            assert!(parts.stretch.abs_diff_eq(Mat3::from_diagonal(scale), 1e-12), "{scale}");
            assert_eq!(parts.translation, translation);
        }
    }

    #[test]
    fn flat_and_sheared_matrices_give_finite_rotations_and_the_same_matrix() {
        for columns in [[0.0; 9], [0., 0., 0., 1., 0., 0., 0., 0., 0.], [1., 1., 0., 1., 1., 0., 0., 1., 5.]] {
            let m = columns;
            let matrix = [m[0], m[1], m[2], 0., m[3], m[4], m[5], 0., m[6], m[7], m[8], 0., 0., 0., 0., 1.];
            let parts = decompose(&matrix);
            assert!(parts.rotation.is_normalized());
            let again = Mat3::from_quat(parts.rotation) * parts.stretch;
            assert!(again.abs_diff_eq(Mat3::from_cols_array(&m), 1e-12), "{m:?}");
        }
    }
}
