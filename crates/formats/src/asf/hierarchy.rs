//! Hangs bones on one another as `:hierarchy` says, and refuses what is no tree.
//!
//! Names are looked up and edges noted in one pass, so that time grows with the size of the file whatever its shape.
//! What no path from the root reaches afterwards is a loop or hangs on nothing.

use super::Bone;
use super::words::show;
use crate::{ErrorKind, ReadError, Warning};
use std::collections::HashMap;

/// A line of the hierarchy: a parent and its children, by names in lower case.
pub(super) struct Family {
    pub(super) line: usize,
    /// At least one.
    pub(super) names: Vec<Vec<u8>>,
}

/// What bones are called, and where.
pub(super) struct Names<'a> {
    /// Bone of each name; `None` is the root.
    pub(super) by_name: &'a HashMap<Vec<u8>, Option<usize>>,
    /// For each bone the line of its name.
    pub(super) lines: &'a [usize],
}

impl Names<'_> {
    fn bone(&self, name: &[u8], line: usize) -> Result<Option<usize>, ReadError> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let message = format!("the hierarchy names `{}`, which is no bone of `:bonedata`", show(name));
            ReadError::at(ErrorKind::UnknownBone, line, message)
        })
    }
}

/// What a bone hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    Unknown,
    Root,
    Bone(usize),
}

/// An edge of the tree, seen from the child.
#[derive(Clone, Copy)]
struct Edge {
    parent: Parent,
    line: usize,
}

/// Gives each bone its parent and returns all bones depth first.
pub(super) fn link_bones(
    bones: &mut [Bone],
    names: &Names<'_>,
    families: &[Family],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<usize>, ReadError> {
    let mut edges = vec![Edge { parent: Parent::Unknown, line: 0 }; bones.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    let mut of_root = Vec::new();
    for &Family { line, names: ref family } in families {
        let parent = names.bone(&family[0], line)?.map_or(Parent::Root, Parent::Bone);
        for name in &family[1..] {
            let Some(child) = names.bone(name, line)? else {
                return Err(ReadError::at(ErrorKind::Cycle, line, "the root hangs on one of its own bones"));
            };
            if edges[child].parent == parent {
                let message = format!("`{}` is named twice as a child of one bone", bones[child].name);
                warnings.push(Warning { code: "child_repeated", line: Some(line), message });
                continue;
            }
            if edges[child].parent != Parent::Unknown {
                return Err(second_parent(bones, child, parent, &edges, line));
            }
            edges[child] = Edge { parent, line };
            match parent {
                Parent::Bone(parent) => children[parent].push(child),
                _ => of_root.push(child),
            }
        }
    }
    let depth_first = flatten(of_root, &children);
    if depth_first.len() < bones.len() {
        return Err(unreached(bones, names, &depth_first, &edges));
    }
    for (bone, edge) in bones.iter_mut().zip(&edges) {
        bone.parent = if let Parent::Bone(parent) = edge.parent { Some(parent) } else { None };
    }
    Ok(depth_first)
}

/// All bones below the root, parents before children, each family together.
fn flatten(of_root: Vec<usize>, children: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(children.len());
    let mut waiting = of_root;
    waiting.reverse();
    while let Some(bone) = waiting.pop() {
        order.push(bone);
        waiting.extend(children[bone].iter().rev());
    }
    order
}

/// The error for a bone that gets a second parent: a loop, if that parent hangs on the bone.
fn second_parent(bones: &[Bone], child: usize, parent: Parent, edges: &[Edge], line: usize) -> ReadError {
    let name = &bones[child].name;
    let mut above = parent;
    // At most one step for each bone, so that the walk ends in a loop as well.
    for _ in 0..=edges.len() {
        match above {
            Parent::Bone(bone) if bone == child => return cycle(name, line),
            Parent::Bone(bone) => above = edges[bone].parent,
            _ => break,
        }
    }
    ReadError::at(ErrorKind::TwoParents, line, format!("`{name}` has a parent already; a bone hangs on one"))
}

/// The error for bones that no path from the root reaches: a loop, or a bone that hangs on nothing.
fn unreached(bones: &[Bone], names: &Names<'_>, reached: &[usize], edges: &[Edge]) -> ReadError {
    let mut is_reached = vec![false; edges.len()];
    for &bone in reached {
        is_reached[bone] = true;
    }
    let mut bone = is_reached.iter().position(|&reached| !reached).unwrap_or(0);
    let mut last_line = 0;
    for _ in 0..=edges.len() {
        let Parent::Bone(parent) = edges[bone].parent else {
            let name = &bones[bone].name;
            let message = format!("`{name}` hangs on nothing: the hierarchy never names it as a child");
            return ReadError::at(ErrorKind::OrphanBone, names.lines[bone], message);
        };
        last_line = last_line.max(edges[bone].line);
        bone = parent;
    }
    cycle(&bones[bone].name, last_line)
}

fn cycle(name: &str, line: usize) -> ReadError {
    ReadError::at(ErrorKind::Cycle, line, format!("`{name}` hangs on a bone that hangs on it"))
}
