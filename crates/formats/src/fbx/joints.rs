//! Decides which nodes of a scene are joints.
//!
//! A node is a joint if it is a bone, if a skin hangs on it, or if it stands between two such nodes. Files of optical
//! systems and some game tools hold skeletons of plain nodes: where no node is a bone, all that are nothing else are
//! taken.

use ufbx::{ElementType, Node, Scene};

/// A node that matters to the motion, and its place among those.
pub(super) struct Placed<'a> {
    pub(super) node: &'a Node,
    /// The node above it in this list; `None` for the scene's root. Parents come before children.
    pub(super) parent: Option<usize>,
    /// Whether it becomes a joint; others only carry what is below them.
    pub(super) is_joint: bool,
}

/// The joints of a scene, and the nodes above them.
pub(super) struct JointNodes<'a> {
    /// Depth first, in the order of the file.
    pub(super) nodes: Vec<Placed<'a>>,
    /// Whether the scene has bones, or plain nodes were taken for them.
    pub(super) has_bones: bool,
}

impl JointNodes<'_> {
    /// How many joints there are.
    pub(super) fn n_joints(&self) -> usize {
        self.nodes.iter().filter(|placed| placed.is_joint).count()
    }
}

/// Finds the joints of a scene.
pub(super) fn find_joints(scene: &Scene) -> JointNodes<'_> {
    let all = depth_first(scene);
    let mut is_bone: Vec<bool> = all.iter().map(|placed| placed.node.attrib_type == ElementType::Bone).collect();
    let mut skinned = vec![false; scene.nodes.len()];
    for cluster in &scene.skin_clusters {
        if let Some(flag) = cluster.bone_node.as_ref().and_then(|node| skinned.get_mut(node_id(node))) {
            *flag = true;
        }
    }
    for (flag, placed) in is_bone.iter_mut().zip(&all) {
        *flag |= skinned.get(node_id(placed.node)).copied().unwrap_or(false);
    }
    let has_bones = is_bone.contains(&true);
    if !has_bones {
        is_bone = all.iter().map(|placed| placed.parent.is_some() && is_plain(placed.node)).collect();
    }
    JointNodes { nodes: keep_needed(all, &is_bone), has_bones }
}

fn node_id(node: &Node) -> usize {
    node.element.typed_id as usize
}

/// Whether a node is nothing else: no mesh, camera or light.
fn is_plain(node: &Node) -> bool {
    matches!(node.attrib_type, ElementType::Unknown | ElementType::Empty | ElementType::Marker)
}

/// All nodes below the scene's root, and the root itself, parents before children.
fn depth_first(scene: &Scene) -> Vec<Placed<'_>> {
    let mut all = Vec::with_capacity(scene.nodes.len());
    let mut waiting: Vec<(&Node, Option<usize>)> = vec![(&scene.root_node, None)];
    while let Some((node, parent)) = waiting.pop() {
        let index = all.len();
        all.push(Placed { node, parent, is_joint: false });
        let children = (0..node.children.len()).rev();
        waiting.extend(children.map(|child| (&node.children[child], Some(index))));
    }
    all
}

/// Drops the nodes without a bone below them, and marks joints: bones, and nodes between bones.
fn keep_needed<'a>(all: Vec<Placed<'a>>, is_bone: &[bool]) -> Vec<Placed<'a>> {
    let mut needed = is_bone.to_vec();
    for index in (0..all.len()).rev() {
        if let Some(parent) = all[index].parent {
            needed[parent] |= needed[index];
        }
    }
    let mut new_index = vec![0; all.len()];
    let mut kept: Vec<Placed<'a>> = Vec::new();
    for (index, placed) in all.into_iter().enumerate() {
        if !needed[index] {
            continue;
        }
        new_index[index] = kept.len();
        // All that is needed below a joint has a bone below it, or is one: it stands between.
        let parent = placed.parent.map(|parent| new_index[parent]);
        let below_joint = parent.is_some_and(|parent| kept[parent].is_joint);
        kept.push(Placed { node: placed.node, parent, is_joint: is_bone[index] || below_joint });
    }
    kept
}
