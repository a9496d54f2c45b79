//! What the words of a skeleton and a motion mean: axes and their order, degrees of freedom, units, root.

use std::f64::consts::FRAC_PI_2;
use surefoot_formats::Document;
use surefoot_formats::asf::{Dof, into_document, read_amc, read_asf, skeleton_document};
use surefoot_geom::{Mat3, Quat, Vec3};
use surefoot_motion::{BodyPoint, WorldPose};

/// A chain of two bones, and the words that a test varies.
struct Figure {
    angle: &'static str,
    root: &'static str,
    axis: &'static str,
    dof: &'static str,
    header: &'static str,
    root_values: &'static str,
    values: &'static str,
}

const PLAIN: Figure = Figure {
    angle: "deg",
    root: "order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0",
    axis: "0 0 0 XYZ",
    dof: "rx ry rz",
    header: ":FULLY-SPECIFIED\n:DEGREES",
    root_values: "0 0 0 0 0 0",
    values: "0 0 0",
};

fn read(figure: &Figure) -> Document {
    let Figure { angle, root, axis, dof, .. } = figure;
    let asf = format!(
        ":version 1.10\n:units\n mass 1\n length 0.45\n angle {angle}\n:root\n {root}\n:bonedata\n\
         begin\n id 1\n name upper\n direction 0 1 0\n length 2\n axis {axis}\n dof {dof}\n end\n\
         begin\n id 2\n name lower\n direction 1 0 0\n length 3\n axis 0 0 0 XYZ\n end\n\
         :hierarchy\n begin\n root upper\n upper lower\n end\n"
    );
    let asf = read_asf(asf.as_bytes()).expect("a skeleton");
    let amc = format!("{}\n1\nroot {}\nupper {}\n", figure.header, figure.root_values, figure.values);
    let amc = read_amc(amc.as_bytes(), &asf).expect("a motion");
    into_document(&asf, &amc)
}

/// Places of root, both bones' starts and the end.
fn places(document: &Document) -> [Vec3; 4] {
    let pose = WorldPose::new(&document.skeleton, document.poses.pose(0));
    let joint = |name| pose.position(document.skeleton.find(name).expect("a joint"));
    [joint("root"), joint("upper"), joint("lower"), pose.point(&document.skeleton, BodyPoint::EndSite(0))]
}

fn check(figure: &Figure, expected: [Vec3; 4]) {
    let found = places(&read(figure));
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.abs_diff_eq(expected, 1e-12), "{found} is not {expected}");
    }
}

fn rotations(turns: &[(Vec3, f64)]) -> Mat3 {
    // The first turn is made first, about axes that stay.
    turns.iter().fold(Mat3::IDENTITY, |m, &(axis, degrees)| Mat3::from_axis_angle(axis, degrees.to_radians()) * m)
}

#[test]
fn joints_stand_at_the_starts_of_bones_and_the_last_ends_in_an_end_site() {
    let rest = [Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, 2.0, 0.0), Vec3::new(3.0, 2.0, 0.0)];
    check(&PLAIN, rest);
    let document = read(&PLAIN);
    assert_eq!((document.n_channels, document.frame_rate, document.unit_to_metre, document.up), (9, None, None, None));
    assert!(document.skeleton.joints().iter().all(|joint| joint.rest.rotation == Quat::IDENTITY));
}

#[test]
fn rotations_turn_about_the_axes_of_the_bone_first_listed_first() {
    for (axis, frame) in [
        ("10 20 30 XYZ", rotations(&[(Vec3::X, 10.0), (Vec3::Y, 20.0), (Vec3::Z, 30.0)])),
        ("10 20 30 ZYX", rotations(&[(Vec3::Z, 30.0), (Vec3::Y, 20.0), (Vec3::X, 10.0)])),
        ("10 20 30 yzx", rotations(&[(Vec3::Y, 20.0), (Vec3::Z, 30.0), (Vec3::X, 10.0)])),
    ] {
        for (dof, turn) in [
            ("rx ry rz", rotations(&[(Vec3::X, 40.0), (Vec3::Y, 50.0), (Vec3::Z, 60.0)])),
            ("rz ry rx", rotations(&[(Vec3::Z, 40.0), (Vec3::Y, 50.0), (Vec3::X, 60.0)])),
        ] {
            let bone = frame * turn * frame.transpose();
            let end = bone * Vec3::new(0.0, 2.0, 0.0);
            let figure = Figure { axis, dof, values: "40 50 60", ..PLAIN };
            check(&figure, [Vec3::ZERO, Vec3::ZERO, end, end + bone * Vec3::new(3.0, 0.0, 0.0)]);
        }
    }
}

#[test]
fn a_subset_of_axes_takes_its_own_values() {
    let expected = [Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 2.0)];
    check(&Figure { dof: "rx", values: "90", ..PLAIN }, expected);
}

#[test]
fn lengths_and_translations_of_a_bone_move_what_hangs_on_it() {
    // The bone's own X is the world's Y.
    let figure = Figure { axis: "0 0 90 XYZ", dof: "l tx rx", values: "0.5 10 0", ..PLAIN };
    check(&figure, [Vec3::ZERO, Vec3::new(0.0, 10.0, 0.0), Vec3::new(0.0, 12.5, 0.0), Vec3::new(3.0, 12.5, 0.0)]);
}

#[test]
fn the_root_takes_its_values_in_its_own_order() {
    let lower = |turn: Mat3, at: Vec3| {
        let end = at + turn * Vec3::new(0.0, 2.0, 0.0);
        [at, at, end, end + turn * Vec3::new(3.0, 0.0, 0.0)]
    };
    let turn = rotations(&[(Vec3::X, 10.0), (Vec3::Y, 20.0), (Vec3::Z, 30.0)]);
    let at = Vec3::new(1.0, 2.0, 3.0);
    check(&Figure { root_values: "1 2 3 10 20 30", ..PLAIN }, lower(turn, at));
    let figure = Figure { root: "order RX RY RZ TX TY TZ", root_values: "10 20 30 1 2 3", ..PLAIN };
    check(&figure, lower(turn, at));
    let turn = rotations(&[(Vec3::Z, 10.0), (Vec3::Y, 20.0), (Vec3::X, 30.0)]);
    let figure = Figure { root: "order TZ RZ TY RY TX RX", root_values: "3 10 2 20 1 30", ..PLAIN };
    check(&figure, lower(turn, at));
}

#[test]
fn motion_is_relative_to_the_base_of_the_root() {
    let root = "order TX TY TZ RX RY RZ\n axis ZYX\n position 0 0 5\n orientation 0 90 0";
    let figure = Figure { root, root_values: "1 0 0 0 0 0", ..PLAIN };
    let at = Vec3::new(0.0, 0.0, 4.0);
    check(&figure, [at, at, Vec3::new(0.0, 2.0, 4.0), Vec3::new(0.0, 2.0, 1.0)]);
}

#[test]
fn axes_and_motion_have_units_of_angle_of_their_own() {
    let degrees = places(&read(&Figure { axis: "0 0 90 XYZ", values: "90 0 0", ..PLAIN }));
    let quarter = "0 0 1.5707963267948966 XYZ";
    assert_eq!(format!("{FRAC_PI_2}"), "1.5707963267948966");
    for figure in [
        Figure { angle: "rad", axis: quarter, values: "90 0 0", ..PLAIN },
        Figure { axis: "0 0 90 XYZ", header: ":RADIANS", values: "1.5707963267948966 0 0", ..PLAIN },
        Figure { angle: "rad", axis: quarter, header: ":FULLY-SPECIFIED", values: "1.5707963267948966 0 0", ..PLAIN },
    ] {
        check(&figure, degrees);
    }
}

#[test]
fn a_rate_is_taken_where_a_writer_gives_one() {
    let document = read(&Figure { header: ":SAMPLES-PER-SECOND 120\n:DEGREES", ..PLAIN });
    assert_eq!(document.frame_rate, Some(120.0));
}

#[test]
fn limits_belong_to_their_degrees_of_freedom_and_never_clip() {
    let text = ":root\n order TX\n:bonedata\n begin\n name a\n direction 0 1 0\n length 1\n axis 0 0 0 XYZ\n dof rz rx\n\
                limits (-45.0, 90.0)\n (-inf inf)\n end\n:hierarchy\n begin\n root a\n end\n:units\n angle deg\n";
    let asf = read_asf(text.as_bytes()).expect("a skeleton");
    assert_eq!(asf.bones[0].dofs, [Dof::Rotation(2), Dof::Rotation(0)]);
    assert_eq!(asf.bones[0].limits, [(-45.0, 90.0), (f64::NEG_INFINITY, f64::INFINITY)]);
    assert_eq!(asf.warnings, []);
    let amc = read_amc(b":DEGREES\n1\nroot 0\na 180 0\n", &asf).expect("a motion");
    assert_eq!(amc.frame(0), [0.0, 180.0, 0.0]);
    assert!(skeleton_document(&asf).poses.is_empty());
}
