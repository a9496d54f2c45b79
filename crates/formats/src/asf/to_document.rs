//! Turns a skeleton and its motion into joints and poses; see the module above for the meaning of each value.

use super::{Amc, AngleUnit, Asf, Dof};
use crate::{Document, Format, Warning};
use surefoot_geom::{Quat, Transform, Vec3, euler};
use surefoot_motion::{EndSite, Joint, JointId, Pose, Poses, Skeleton};

/// A skeleton with a motion, in the file's unit. Joint 0 is the root; each other joint is a bone's start.
///
/// The motion must have been read with this skeleton; one of another shape is an assertion.
pub fn into_document(asf: &Asf, amc: &Amc) -> Document {
    let mut document = skeleton_document(asf);
    let rig = Rig::new(asf, amc.angle);
    document.poses = (0..amc.n_frames).map(|frame| rig.pose(&document.skeleton, amc.frame(frame))).collect();
    document.frame_rate = amc.frame_rate;
    document.warnings.extend(amc.warnings.iter().cloned());
    for site in document.skeleton.end_sites() {
        let name = document.skeleton.name(site.parent);
        if asf.bones.iter().any(|bone| bone.name == name && bone.dofs.contains(&Dof::Length)) {
            let message = format!("bone `{name}` ends a chain and changes its length; its end site stays where it is");
            document.warnings.push(Warning { code: "length_ignored", line: None, message });
            break;
        }
    }
    document
}

/// A skeleton alone: no frames.
pub fn skeleton_document(asf: &Asf) -> Document {
    Document {
        format: Format::AsfAmc,
        name: None,
        skeleton: skeleton(asf),
        poses: Poses::default(),
        frame_rate: None,
        unit_to_metre: None,
        up: None,
        n_channels: asf.n_dofs(),
        bvh_channels: None,
        animations: Vec::new(),
        contacts: None,
        soles: None,
        is_character: false,
        warnings: asf.warnings.clone(),
    }
}

fn base(asf: &Asf) -> Transform {
    Transform::new(asf.root.orientation.rotation(asf.units.angle), asf.root.position)
}

/// For each bone the joint at its start. The root is joint 0, bones follow depth first.
fn joint_of_bone(asf: &Asf) -> Vec<JointId> {
    let mut joints = vec![JointId::new(0); asf.bones.len()];
    for (i, &bone) in asf.depth_first.iter().enumerate() {
        joints[bone] = JointId::new(i + 1);
    }
    joints
}

/// The end of a bone, seen from its start.
fn bone_end(asf: &Asf, bone: usize) -> Vec3 {
    asf.bones[bone].direction * asf.bones[bone].length
}

fn skeleton(asf: &Asf) -> Skeleton {
    let joint_of = joint_of_bone(asf);
    let mut is_leaf = vec![true; asf.bones.len()];
    let mut joints = vec![Joint { name: "root".to_string(), parent: None, rest: base(asf) }];
    for &index in &asf.depth_first {
        let bone = &asf.bones[index];
        let start = bone.parent.map_or(Vec3::ZERO, |parent| bone_end(asf, parent));
        let parent = bone.parent.map_or(JointId::new(0), |parent| joint_of[parent]);
        if let Some(parent) = bone.parent {
            is_leaf[parent] = false;
        }
        joints.push(Joint { name: bone.name.clone(), parent: Some(parent), rest: Transform::from_translation(start) });
    }
    let leaves = asf.depth_first.iter().filter(|&&bone| is_leaf[bone]);
    let end_sites =
        leaves.map(|&bone| EndSite { name: None, parent: joint_of[bone], offset: bone_end(asf, bone) }).collect();
    Skeleton::new(joints, end_sites).expect("depth first puts parents before children")
}

/// What turns the values of a frame into a pose, prepared once for all frames.
struct Rig<'a> {
    base: Transform,
    root: &'a [Dof],
    to_radians: f64,
    /// In the order of the joints after the root.
    links: Vec<Link<'a>>,
}

struct Link<'a> {
    dofs: &'a [Dof],
    /// Where the bone's values begin in a frame.
    start: usize,
    /// The bone's own axes, `C`.
    axes: Quat,
    /// The parent's direction and the place of its change of length in a frame, if it has one.
    stretch: Option<(Vec3, usize)>,
}

impl<'a> Rig<'a> {
    fn new(asf: &'a Asf, angle: AngleUnit) -> Rig<'a> {
        let mut starts = Vec::with_capacity(asf.bones.len());
        let mut next = asf.root.order.len();
        for bone in &asf.bones {
            starts.push(next);
            next += bone.dofs.len();
        }
        let stretch = |parent: usize| {
            let slot = asf.bones[parent].dofs.iter().position(|&dof| dof == Dof::Length)?;
            Some((asf.bones[parent].direction, starts[parent] + slot))
        };
        let link = |&index: &usize| {
            let bone = &asf.bones[index];
            let axes = bone.axis.rotation(asf.units.angle);
            Link { dofs: &bone.dofs, start: starts[index], axes, stretch: bone.parent.and_then(stretch) }
        };
        let links = asf.depth_first.iter().map(link).collect();
        Rig { base: base(asf), root: &asf.root.order, to_radians: angle.to_radians(), links }
    }

    fn pose(&self, skeleton: &Skeleton, values: &[f64]) -> Pose {
        let mut local = Vec::with_capacity(1 + self.links.len());
        local.push(self.base * self.motion(self.root, values));
        for (link, joint) in self.links.iter().zip(&skeleton.joints()[1..]) {
            let mut transform = joint.rest;
            if let Some((direction, slot)) = link.stretch {
                transform.translation += direction * values[slot];
            }
            if !link.dofs.is_empty() {
                let motion = self.motion(link.dofs, &values[link.start..]);
                transform.rotation = link.axes * motion.rotation * link.axes.conjugate();
                transform.translation += link.axes * motion.translation;
            }
            local.push(transform);
        }
        Pose { local }
    }

    /// What degrees of freedom do, along and about the axes they are listed for. Each rotation turns about a fixed axis
    /// after those before it, so it stands to their left.
    fn motion(&self, dofs: &[Dof], values: &[f64]) -> Transform {
        let mut motion = Transform::IDENTITY;
        for (&dof, &value) in dofs.iter().zip(values) {
            match dof {
                Dof::Rotation(axis) => {
                    motion.rotation = euler::axis_rotation(axis, value * self.to_radians) * motion.rotation;
                }
                Dof::Translation(axis) => motion.translation[axis] = value,
                Dof::Length => {}
            }
        }
        motion
    }
}
