//! Which nodes are joints, and which are end sites.
//!
//! With skins: every joint of every skin, and the nodes between them. Nodes above the topmost joint are not joints;
//! their transforms, and their motion, go into the root's. A leaf that hangs on a joint, shows nothing and never
//! moves is an end site (a toe tip, the top of a head); one that moves by itself is a joint.
//!
//! Without skins: every node of the default scene (the first if none is named; all nodes if there is no scene), but
//! leaves that only show something and that no animation moves.

use super::schema::Root;
use super::tree::Tree;

/// The nodes that matter, by index.
pub(super) struct Choice {
    /// Parents first. The skins' own order where that has parents first too, the tree's otherwise.
    pub(super) joints: Vec<usize>,
    /// In the order of the file.
    pub(super) end_sites: Vec<usize>,
    /// All joints and the nodes above them, parents first.
    pub(super) chain: Vec<usize>,
}

/// Chooses joints and end sites; no joints at all is possible.
pub(super) fn choose_joints(root: &Root<'_>, tree: &Tree) -> Choice {
    let mut is_joint = vec![false; root.nodes.len()];
    let mut listed: Vec<usize> = Vec::new();
    if root.skins.is_empty() {
        mark_scene(root, tree, &mut is_joint);
    } else {
        for joint in root.skins.iter().flat_map(|skin| &skin.joints) {
            if !std::mem::replace(&mut is_joint[joint.0], true) {
                listed.push(joint.0);
            }
        }
        mark_between(tree, &mut is_joint);
        mark_moving_leaves(root, tree, &mut is_joint);
    }
    let in_tree_order: Vec<usize> = tree.order.iter().copied().filter(|&i| is_joint[i]).collect();
    let keep_listed = listed.len() == in_tree_order.len() && has_parents_first(&listed, tree);
    let is_end_site = |i: &usize| {
        let node = &root.nodes[*i];
        let hangs_on_joint = tree.parents[*i].is_some_and(|parent| is_joint[parent]);
        !root.skins.is_empty() && hangs_on_joint && !is_joint[*i] && node.children.is_empty() && !node.carries_content()
    };
    Choice {
        end_sites: (0..root.nodes.len()).filter(is_end_site).collect(),
        chain: chain(tree, &is_joint),
        joints: if keep_listed { listed } else { in_tree_order },
    }
}

fn mark_scene(root: &Root<'_>, tree: &Tree, is_joint: &mut [bool]) {
    let mut in_scene = vec![false; root.nodes.len()];
    match root.scenes.get(root.scene.map_or(0, |scene| scene.0)) {
        Some(scene) => scene.nodes.iter().for_each(|node| in_scene[node.0] = true),
        None => in_scene.fill(true),
    }
    let moved = animated_nodes(root, |_| true);
    for &i in &tree.order {
        in_scene[i] |= tree.parents[i].is_some_and(|parent| in_scene[parent]);
        let node = &root.nodes[i];
        is_joint[i] = in_scene[i] && (moved[i] || !node.children.is_empty() || !node.carries_content());
    }
}

/// Adds the nodes with a joint above and a joint below.
fn mark_between(tree: &Tree, is_joint: &mut [bool]) {
    let n = is_joint.len();
    let (mut above, mut below) = (vec![false; n], vec![false; n]);
    for &i in &tree.order {
        above[i] = tree.parents[i].is_some_and(|parent| is_joint[parent] || above[parent]);
    }
    for &i in tree.order.iter().rev() {
        if let Some(parent) = tree.parents[i] {
            below[parent] |= is_joint[i] || below[i];
        }
    }
    for i in 0..n {
        is_joint[i] |= above[i] && below[i];
    }
}

/// Adds leaves under joints that an animation moves about: an end site could not follow.
fn mark_moving_leaves(root: &Root<'_>, tree: &Tree, is_joint: &mut [bool]) {
    let moved = animated_nodes(root, |path| path == "translation");
    for i in 0..is_joint.len() {
        let node = &root.nodes[i];
        let is_leaf = node.children.is_empty() && !node.carries_content();
        is_joint[i] |= moved[i] && is_leaf && tree.parents[i].is_some_and(|parent| is_joint[parent]);
    }
}

/// The nodes that any animation of the file drives through a path that passes the filter.
fn animated_nodes(root: &Root<'_>, filter: impl Fn(&str) -> bool) -> Vec<bool> {
    let mut moved = vec![false; root.nodes.len()];
    for target in root.animations.iter().flat_map(|animation| &animation.channels).map(|channel| &channel.target) {
        if let Some(node) = target.node.filter(|_| filter(&target.path)) {
            moved[node.0] = true;
        }
    }
    moved
}

fn has_parents_first(nodes: &[usize], tree: &Tree) -> bool {
    let mut position = vec![usize::MAX; tree.parents.len()];
    nodes.iter().enumerate().for_each(|(at, &i)| position[i] = at);
    // A parent outside the list has no position to compare.
    nodes
        .iter()
        .enumerate()
        .all(|(at, &i)| tree.parents[i].is_none_or(|parent| position[parent] == usize::MAX || position[parent] < at))
}

fn chain(tree: &Tree, is_joint: &[bool]) -> Vec<usize> {
    let mut wanted = is_joint.to_vec();
    for &i in tree.order.iter().rev() {
        if let Some(parent) = tree.parents[i].filter(|_| wanted[i]) {
            wanted[parent] = true;
        }
    }
    tree.order.iter().copied().filter(|&i| wanted[i]).collect()
}
