//! The motion of a clip as the nodes of a character's file have to move.
//!
//! A joint of ours moves and turns; the nodes of a file may scale as well, and joints of ours may sit below nodes that are
//! none. So the chain of nodes is walked from the top, with the place and the linear part that the file really gives each
//! node (`P`, `L`, stretches in) beside the rotation (`Q`, stretches left out), and a node's own values follow from where the
//! clip has the joint (`p`, `q` in the world):
//!
//! ```text
//! rotation    Q_parent^-1 q
//! translation L_parent^-1 (p - P_parent)      where the joint moves in its parent's space, or hangs on uneven scale
//!             as it is in the file            where it does not
//! ```
//!
//! Uneven scale above a joint changes the length of its bone as it turns, so there translations keep the joint where it belongs. What
//! a file keeps from being exact all the same, because a scale of nothing leaves no way back, shows in `P - p`, which is reported.

use super::animation::Track;
use super::choose_joints::Choice;
use super::tree::{NodeTransform, Tree};
use super::write::STILL;
use surefoot_geom::{Mat3, Quat, Transform, Vec3};
use surefoot_motion::{Clip, JointId};

/// Translations this close to those of the file are those of the file, in its unit: what is left of baking and rounding.
const SAME: f64 = 1e-6;

/// Which node each joint is.
pub(super) struct Mapping {
    /// By joint of the clip.
    pub(super) nodes: Vec<usize>,
    /// A node that the file does not have, its parent and its child.
    pub(super) new_root: Option<NewRoot>,
}

/// A root that is put between a node and its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewRoot {
    /// Its index, one past the nodes of the file.
    pub(super) node: usize,
    pub(super) parent: Option<usize>,
    pub(super) child: usize,
}

/// The tracks of all joints, and how far the file is from the clip.
pub(super) struct CharacterTracks {
    pub(super) tracks: Vec<Track>,
    /// The farthest that a joint is from where the clip has it, in the file's unit, and which.
    pub(super) farthest: (f64, JointId),
}

/// A node on the way.
struct Link {
    parent: Option<usize>,
    joint: Option<usize>,
    rest: NodeTransform,
    moves: bool,
    /// Whether it, or a node above it, scales unevenly.
    is_uneven: bool,
}

/// Where a node is in one frame.
#[derive(Clone, Copy)]
struct State {
    rotation: Quat,
    linear: Mat3,
    place: Vec3,
}

impl State {
    const WORLD: State = State { rotation: Quat::IDENTITY, linear: Mat3::IDENTITY, place: Vec3::ZERO };
}

/// Computes the tracks. The clip is in the file's unit and axes; `rests` are the nodes' transforms at rest.
pub(super) fn character_tracks(
    clip: &Clip,
    mapping: &Mapping,
    tree: &Tree,
    choice: &Choice,
    rests: &[NodeTransform],
    moved_by_others: &[bool],
) -> CharacterTracks {
    let links = links(clip, mapping, tree, choice, rests);
    let n_frames = clip.n_frames();
    let mut tracks: Vec<Track> = mapping
        .nodes
        .iter()
        .map(|&node| Track { node, rotations: Vec::with_capacity(n_frames), translations: Vec::new() })
        .collect();
    let mut farthest = (0.0, JointId::new(0));
    let world = clip.world();
    let mut states: Vec<State> = Vec::with_capacity(links.len());
    for pose in &world {
        states.clear();
        for link in &links {
            let parent = link.parent.map_or(State::WORLD, |parent| states[parent]);
            let (mut rotation, mut translation) = (link.rest.rotation, link.rest.translation);
            if let Some(joint) = link.joint {
                let target: Transform = pose.world()[joint];
                rotation = (parent.rotation.conjugate() * target.rotation).normalize();
                if link.moves {
                    translation = inverse(parent.linear) * (target.translation - parent.place);
                    tracks[joint].translations.push(translation);
                }
                tracks[joint].rotations.push(rotation);
            }
            let state = State {
                rotation: (parent.rotation * rotation).normalize(),
                linear: parent.linear * Mat3::from_quat(rotation) * link.rest.stretch,
                place: parent.place + parent.linear * translation,
            };
            if let Some(joint) = link.joint {
                let off = state.place.distance(pose.world()[joint].translation);
                if off > farthest.0 {
                    farthest = (off, JointId::new(joint));
                }
            }
            states.push(state);
        }
    }
    settle_still(&links, &mut tracks, moved_by_others);
    CharacterTracks { tracks, farthest }
}

/// The nodes from the top down. A joint moves in its parent's space if the clip moves it there, or hangs it elsewhere than the
/// file does, or has it elsewhere than the file throughout.
fn links(clip: &Clip, mapping: &Mapping, tree: &Tree, choice: &Choice, rests: &[NodeTransform]) -> Vec<Link> {
    let n_nodes = rests.len() + 1;
    let mut joint_of = vec![None; n_nodes];
    mapping.nodes.iter().enumerate().for_each(|(joint, &node)| joint_of[node] = Some(joint));
    let mut link_of = vec![None; n_nodes];
    let mut links: Vec<Link> = Vec::with_capacity(n_nodes);
    for &node in &choice.chain {
        let mut parent_node = tree.parents[node];
        if let Some(new) = mapping.new_root.filter(|new| new.child == node) {
            let parent = new.parent.and_then(|parent| link_of[parent]);
            link_of[new.node] = Some(links.len());
            let is_uneven = parent.is_some_and(|parent: usize| links[parent].is_uneven);
            let joint = joint_of[new.node];
            links.push(Link { parent, joint, rest: NodeTransform::IDENTITY, moves: true, is_uneven });
            parent_node = Some(new.node);
        }
        let joint = joint_of[node];
        let parent = parent_node.and_then(|parent| link_of[parent]);
        let is_below_uneven = parent.is_some_and(|parent| links[parent].is_uneven);
        let moves = joint.is_some_and(|joint| {
            let own = clip.skeleton.parent(JointId::new(joint)).map(JointId::index);
            is_below_uneven
                || own.is_none()
                || own != parent_node.and_then(|parent| joint_of[parent])
                || moves_in_parent(clip, joint)
        });
        link_of[node] = Some(links.len());
        let is_uneven = is_below_uneven || is_uneven(rests[node].stretch);
        links.push(Link { parent, joint, rest: rests[node], moves, is_uneven });
    }
    links
}

/// Scale whose axes differ by less than this share is even: what is left of rounding.
const EVEN: f64 = 1e-4;

/// Whether a stretch is more than one scale for all directions.
fn is_uneven(stretch: Mat3) -> bool {
    let scale = (stretch.x_axis.x + stretch.y_axis.y + stretch.z_axis.z) / 3.0;
    let rest = stretch - Mat3::from_diagonal(Vec3::splat(scale));
    rest.to_cols_array().iter().any(|part| part.abs() > EVEN * scale.abs())
}

/// Whether a joint leaves its rest translation in some frame.
fn moves_in_parent(clip: &Clip, joint: usize) -> bool {
    let rest = clip.skeleton.joints()[joint].rest.translation;
    clip.poses().iter().any(|pose| pose.local[joint].translation.distance(rest) > STILL.max(SAME))
}

/// Translations that are the same in all frames become one key, or none if they are the file's. Where another animation of the file
/// moves a node, one key says that this one does not: programs that change from one to the other leave what no channel names.
fn settle_still(links: &[Link], tracks: &mut [Track], moved_by_others: &[bool]) {
    for (link, joint) in links.iter().filter_map(|link| Some((link, link.joint?))) {
        let node = tracks[joint].node;
        let translations = &mut tracks[joint].translations;
        let Some(&first) = translations.first() else {
            if moved_by_others.get(node) == Some(&true) {
                translations.push(link.rest.translation);
            }
            continue;
        };
        if moved_by_others.get(node) == Some(&true) && translations.iter().all(|place| place.distance(first) <= SAME) {
            translations.truncate(1);
            continue;
        }
        if translations.iter().all(|place| place.distance(first) <= SAME) {
            translations.truncate(if first.distance(link.rest.translation) <= SAME { 0 } else { 1 });
        }
    }
}

/// The inverse of a linear part; flat ones give no way back, and their translation is left at nothing.
fn inverse(linear: Mat3) -> Mat3 {
    let inverse = linear.inverse();
    if linear.determinant() != 0.0 && inverse.is_finite() { inverse } else { Mat3::ZERO }
}
