//! Writing BVH.
//!
//! A file that came from a BVH keeps its channels: their order, and which joints have positions. Where the motion no longer
//! fits a joint's channels (an edit moved a joint that had none, or turned one about an axis it did not have), that joint
//! gets the channels it needs, and the result reports it. Euler angles are unrolled from frame to frame, so that no curve jumps
//! by a full turn. A joint that ends a chain without an end site gets one, half as long as the joint's own offset, unless the
//! source was a BVH that had none: most readers want one. Digits are chosen so that reading the file back moves no joint by more than a micrometre.

use super::Channel;
use crate::written_name::written_name;
use std::io::Write;
use surefoot_geom::{Quat, Transform, Vec3, euler, nearest_turn, rotation};
use surefoot_motion::{Clip, Joint, JointId, Skeleton, align_rest};

/// How to write a BVH.
#[derive(Clone, Debug)]
pub struct BvhOptions<'a> {
    /// Metres in one unit of the file. Default 0.01: most programs expect centimetres.
    pub unit_to_metre: f64,
    /// Channels to keep, one list for each joint, as the source file had them. Default none: roots get positions and ZXY
    /// rotations, other joints ZXY, and positions where they move.
    pub channels: Option<&'a [Vec<Channel>]>,
}

impl Default for BvhOptions<'_> {
    fn default() -> Self {
        BvhOptions { unit_to_metre: 0.01, channels: None }
    }
}

/// A written file, and what its joints needed.
#[derive(Clone, Debug)]
pub struct BvhText {
    /// The file.
    pub bytes: Vec<u8>,
    /// Joints whose channels could not be kept.
    pub widened: Vec<JointId>,
}

/// Writes a clip. BVH has no place for rotations of the rest pose; where there are some, every joint's space is turned so that
/// there are none ([`align_rest`]), which moves no joint.
pub fn write_bvh(clip: &Clip, options: &BvhOptions<'_>) -> BvhText {
    let is_aligned = |joint: &Joint| rotation::angle_between(joint.rest.rotation, Quat::IDENTITY) < FITS_ANGLE;
    if !clip.skeleton.joints().iter().all(is_aligned) {
        return write_aligned(&align_rest(clip), options);
    }
    write_aligned(clip, options)
}

fn write_aligned(clip: &Clip, options: &BvhOptions<'_>) -> BvhText {
    let skeleton = &*clip.skeleton;
    let mut widened = Vec::new();
    let layouts: Vec<Vec<Channel>> = skeleton
        .ids()
        .map(|joint| {
            let kept = options.channels.and_then(|channels| channels.get(joint.index()));
            let wanted = match kept {
                // Scale channels were never applied; a file without them says the same.
                Some(channels) => channels.iter().copied().filter(|c| !matches!(c, Channel::Scale(_))).collect(),
                None => default_channels(clip, joint),
            };
            if fits(clip, joint, &wanted) {
                return wanted;
            }
            if kept.is_some() {
                widened.push(joint);
            }
            widen(clip, joint, &wanted)
        })
        .collect();
    let mut out = Vec::new();
    let scale = 1.0 / options.unit_to_metre;
    let leaves = if options.channels.is_some() { Leaves::AsTheyAre } else { Leaves::EndSites };
    write_hierarchy(skeleton, &layouts, scale, leaves, &mut out);
    write_motion(clip, &layouts, scale, &mut out);
    BvhText { bytes: out, widened }
}

const ZXY: [Channel; 3] = [Channel::Rotation(2), Channel::Rotation(0), Channel::Rotation(1)];
const XYZ_POSITIONS: [Channel; 3] = [Channel::Position(0), Channel::Position(1), Channel::Position(2)];

/// A rotation this close to what channels can hold is held by them; far below the digits written. Radians.
const FITS_ANGLE: f64 = 1e-9;
/// The same for translations. Metres.
const FITS_DISTANCE: f64 = 1e-9;

fn default_channels(clip: &Clip, joint: JointId) -> Vec<Channel> {
    let is_root = clip.skeleton.parent(joint).is_none();
    let positions: &[Channel] = if is_root { &XYZ_POSITIONS } else { &[] };
    [positions, &ZXY].concat()
}

/// Whether every frame of a joint can be written with these channels.
fn fits(clip: &Clip, joint: JointId, channels: &[Channel]) -> bool {
    let rest = clip.skeleton.joint(joint).rest.translation;
    let axes = rotation_axes(channels);
    clip.poses().iter().all(|pose| {
        let Transform { rotation, translation } = pose[joint];
        translation_fits(translation, rest, channels) && rotation_fits(rotation, &axes)
    })
}

fn translation_fits(translation: Vec3, rest: Vec3, channels: &[Channel]) -> bool {
    (0..3).all(|axis| {
        channels.contains(&Channel::Position(axis)) || (translation[axis] - rest[axis]).abs() < FITS_DISTANCE
    })
}

fn rotation_axes(channels: &[Channel]) -> Vec<usize> {
    let axis = |channel: &Channel| if let Channel::Rotation(axis) = channel { Some(*axis) } else { None };
    channels.iter().filter_map(axis).collect()
}

fn rotation_fits(turn: Quat, axes: &[usize]) -> bool {
    if euler::spans_all_rotations(axes) {
        return true;
    }
    let angles = angles_for(turn, axes, &vec![0.0; axes.len()]);
    angles.is_some_and(|angles| rotation::angle_between(euler::compose(axes, &angles), turn) < FITS_ANGLE)
}

/// Angles about `axes` nearest to `near`, or `None` for a list of axes that nobody solves. May miss the rotation where the
/// axes are fewer than three; [`fits`] has seen to that.
fn angles_for(turn: Quat, axes: &[usize], near: &[f64]) -> Option<Vec<f64>> {
    match *axes {
        [] => Some(vec![]),
        [a] => {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][a];
            let angle = rotation::twist_angle(rotation::swing_twist(turn, axis).1, axis);
            Some(vec![nearest_turn(angle, near[0])])
        }
        [a, b] if a != b => {
            let angles = two_angles(turn, a, b);
            Some(vec![nearest_turn(angles[0], near[0]), nearest_turn(angles[1], near[1])])
        }
        [a, b, c] if euler::spans_all_rotations(axes) => {
            Some(euler::angles_near(turn, [a, b, c], [near[0], near[1], near[2]]).to_vec())
        }
        _ => None,
    }
}

/// Angles of a product of two rotations, about axis `a` and then `b` in the turned space: what each does to the other's axis.
/// There is no pole, so no other frame is needed to decide.
fn two_angles(turn: Quat, a: usize, b: usize) -> [f64; 2] {
    let [axis_a, axis_b] = [a, b].map(|axis| [Vec3::X, Vec3::Y, Vec3::Z][axis]);
    let across = axis_a.cross(axis_b);
    let (image_b, source_a) = (turn * axis_b, turn.conjugate() * axis_a);
    [across.dot(image_b).atan2(axis_b.dot(image_b)), across.dot(source_a).atan2(axis_a.dot(source_a))]
}

/// Channels that hold any motion of the joint and keep what they can of `wanted`.
fn widen(clip: &Clip, joint: JointId, wanted: &[Channel]) -> Vec<Channel> {
    let rest = clip.skeleton.joint(joint).rest.translation;
    let positions_fit = clip.poses().iter().all(|pose| translation_fits(pose[joint].translation, rest, wanted));
    let positions: Vec<Channel> = if positions_fit {
        wanted.iter().copied().filter(|c| matches!(c, Channel::Position(_))).collect()
    } else {
        XYZ_POSITIONS.to_vec()
    };
    let axes = rotation_axes(wanted);
    let rotations: Vec<Channel> = if euler::spans_all_rotations(&axes) {
        axes.into_iter().map(Channel::Rotation).collect()
    } else {
        ZXY.to_vec()
    };
    [positions, rotations].concat()
}

enum Written {
    Joint(JointId),
    /// With its offset in metres.
    EndSite(Vec3),
}

/// What joints that end a chain get.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    AsTheyAre,
    EndSites,
}

fn write_hierarchy(skeleton: &Skeleton, layouts: &[Vec<Channel>], scale: f64, leaves: Leaves, out: &mut Vec<u8>) {
    let (children, end_sites) = (skeleton.children(), skeleton.end_sites_by_joint());
    out.extend_from_slice(b"HIERARCHY\n");
    for root in skeleton.roots() {
        // Depth first without recursion: a chain of any depth must not end the stack.
        let mut stack = vec![(Written::Joint(root), 0, false)];
        while let Some((item, depth, opened)) = stack.pop() {
            let indent = "\t".repeat(depth.min(MAX_INDENT));
            if opened {
                line(out, format_args!("{indent}}}"));
                continue;
            }
            match item {
                Written::Joint(joint) => {
                    let keyword = if depth == 0 { "ROOT" } else { "JOINT" };
                    line(out, format_args!("{indent}{keyword} {}", written_name(skeleton, joint)));
                    open_block(out, &indent, skeleton.joint(joint).rest.translation * scale, scale);
                    let channels = &layouts[joint.index()];
                    let names: String = channels.iter().map(|channel| format!(" {}", channel.name())).collect();
                    line(out, format_args!("{indent}\tCHANNELS {}{names}", channels.len()));
                    stack.push((Written::Joint(joint), depth, true));
                    // Pushed in reverse so that they are written in order; the columns follow that order.
                    let sites = end_sites[joint.index()].iter().rev().map(|&index| skeleton.end_sites()[index].offset);
                    stack.extend(sites.map(|offset| (Written::EndSite(offset), depth + 1, false)));
                    let is_bare = children[joint.index()].is_empty() && end_sites[joint.index()].is_empty();
                    if is_bare && leaves == Leaves::EndSites {
                        let offset = skeleton.joint(joint).rest.translation / 2.0;
                        stack.push((Written::EndSite(offset), depth + 1, false));
                    }
                    let joints = children[joint.index()].iter().rev();
                    stack.extend(joints.map(|&child| (Written::Joint(child), depth + 1, false)));
                }
                Written::EndSite(offset) => {
                    line(out, format_args!("{indent}End Site"));
                    open_block(out, &indent, offset * scale, scale);
                    line(out, format_args!("{indent}}}"));
                }
            }
        }
    }
}

/// Deeper blocks are not indented further: indentation of a deep chain would grow with the square of its depth.
const MAX_INDENT: usize = 64;

fn open_block(out: &mut Vec<u8>, indent: &str, offset: Vec3, scale: f64) {
    line(out, format_args!("{indent}{{"));
    out.extend_from_slice(indent.as_bytes());
    out.extend_from_slice(b"\tOFFSET");
    for value in offset.to_array() {
        out.push(b' ');
        write_decimal(value, position_decimals(scale), out);
    }
    out.push(b'\n');
}

fn line(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a Vec takes all that is written");
}

fn write_motion(clip: &Clip, layouts: &[Vec<Channel>], scale: f64, out: &mut Vec<u8>) {
    line(out, format_args!("MOTION\nFrames: {}\nFrame Time: {}", clip.n_frames(), 1.0 / clip.frame_rate));
    let order = file_order(&clip.skeleton);
    let axes: Vec<Vec<usize>> = layouts.iter().map(|channels| rotation_axes(channels)).collect();
    let mut angles: Vec<Vec<f64>> = axes.iter().map(|axes| vec![0.0; axes.len()]).collect();
    for pose in clip.poses() {
        let row_start = out.len();
        for &joint in &order {
            let j = joint.index();
            let Transform { rotation, translation } = pose[joint];
            angles[j] = angles_for(rotation, &axes[j], &angles[j]).expect("channels that were checked to fit");
            let mut turns = angles[j].iter();
            for channel in &layouts[j] {
                if out.len() > row_start {
                    out.push(b' ');
                }
                match *channel {
                    Channel::Position(axis) => write_decimal(translation[axis] * scale, position_decimals(scale), out),
                    Channel::Rotation(_) => {
                        let angle = turns.next().expect("an angle for each rotation channel");
                        write_decimal(angle.to_degrees(), ANGLE_DECIMALS, out);
                    }
                    Channel::Scale(_) => unreachable!("scale channels are not written"),
                }
            }
        }
        out.push(b'\n');
    }
}

/// Joints in the order that a depth-first walk writes them, which is the order of the columns. Differs from the skeleton's
/// own where siblings' subtrees are interleaved (glTF, FBX).
fn file_order(skeleton: &Skeleton) -> Vec<JointId> {
    let children = skeleton.children();
    let mut order = Vec::with_capacity(skeleton.n_joints());
    for root in skeleton.roots() {
        let mut stack = vec![root];
        while let Some(joint) = stack.pop() {
            order.push(joint);
            stack.extend(children[joint.index()].iter().rev());
        }
    }
    order
}

/// Half a millionth of a degree moves the end of a two-metre chain by 0.02 micrometres.
const ANGLE_DECIMALS: usize = 6;

/// Digits behind the point that keep a position to 0.01 micrometres, in files of `scale` units a metre.
fn position_decimals(scale: f64) -> usize {
    (8.0 - scale.log10()).ceil().clamp(0.0, 15.0) as usize
}

/// Writes a number with at most `decimals` digits behind the point and no trailing zeros.
fn write_decimal(value: f64, decimals: usize, out: &mut Vec<u8>) {
    let scaled = (value * 10f64.powi(decimals as i32)).round();
    if scaled.abs() >= 9e15 {
        // Past 2^53 the trick below would lose digits; such numbers are rare enough for the slow method.
        write!(out, "{value:.decimals$}").expect("a Vec takes all that is written");
        return;
    }
    let integer = scaled as i64;
    if integer < 0 {
        out.push(b'-');
    }
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    let mut rest = integer.unsigned_abs();
    while rest > 0 || digits.len() - at <= decimals {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let (whole, fraction) = digits[at..].split_at(digits.len() - at - decimals);
    out.extend_from_slice(whole);
    let kept = fraction.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1);
    if kept > 0 {
        out.push(b'.');
        out.extend_from_slice(&fraction[..kept]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Frames may jump anywhere: the angles of one must not depend on what the frame before suggests.
        #[test]
        fn two_rotations_are_found_from_any_frame_before(
            a in 0usize..3, b in 0usize..3, x in -9.0..9.0f64, y in -9.0..9.0f64, near in prop::array::uniform2(-9.0..9.0f64),
        ) {
            prop_assume!(a != b);
            let turn = euler::compose(&[a, b], &[x, y]);
            let found = angles_for(turn, &[a, b], &near).unwrap();
            prop_assert!(rotation::angle_between(euler::compose(&[a, b], &found), turn) < 1e-9);
            prop_assert!((0..2).all(|i| (found[i] - near[i]).abs() < 3.2));
        }
    }

    #[test]
    fn decimals_are_short_and_right() {
        let check = |value: f64, decimals, expect: &str| {
            let mut out = Vec::new();
            write_decimal(value, decimals, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expect);
        };
        check(0.0, 6, "0");
        check(-0.0, 6, "0");
        check(-0.0000004, 6, "0");
        check(12.5, 6, "12.5");
        check(-0.000001, 6, "-0.000001");
        check(-179.999_999_6, 6, "-180");
        check(1234.0, 0, "1234");
        check(1e12, 8, "1000000000000.00000000");
        check(5.0, 3, "5");
    }
}
