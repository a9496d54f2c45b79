//! BVH as programs really write it: each dialect is read, and says the same.

use surefoot_formats::bvh::{Bvh, read_bvh};
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::WorldPose;

const PLAIN: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 9 -4 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -40 1
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 90 2 10 20 30 40 50 60
2 91 3 11 21 31 41 51 61
";

/// Reads a dialect; its joints, offsets and numbers must be those of the plain file.
fn check(dialect: &str) -> Bvh {
    let plain = read_bvh(PLAIN.as_bytes()).expect("the plain file");
    let read = read_bvh(dialect.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{dialect}"));
    assert_eq!((read.values.as_slice(), read.n_frames), (plain.values.as_slice(), 2), "{dialect}");
    let shape = |bvh: &Bvh| -> Vec<_> { bvh.joints.iter().map(|j| (j.parent, j.offset, j.channels.clone())).collect() };
    assert_eq!(shape(&read), shape(&plain), "{dialect}");
    read
}

#[test]
fn line_ends_and_blanks_do_not_matter() {
    check(&PLAIN.replace('\n', "\r\n"));
    check(&PLAIN.replace('\n', "\r"));
    check(&PLAIN.replace('\n', "\n\n"));
    check(&PLAIN.replace("\n1 90", "   \n\t1 90").replace(' ', "\t "));
    check(&format!("\u{FEFF}{PLAIN}\u{1A}"));
    check(&format!("{PLAIN}\0\0\0\0"));
    check(PLAIN.trim_end());
}

#[test]
fn keywords_have_no_case_and_braces_stand_anywhere() {
    check(&PLAIN.to_lowercase());
    check(&PLAIN.replace("\n{", " {").replace("    }\n  }\n", "    }}\n"));
    check(&PLAIN.replace("OFFSET 9 -4 0", "OFFSET\n9\n-4\n0").replace("JOINT Leg", "JOINT\nLeg"));
    check(&PLAIN.replace("ZPosition", "Zposition"));
}

#[test]
fn the_motion_header_is_spaced_as_it_likes() {
    check(&PLAIN.replace("Frames: 2", "Frames:2").replace("Time: ", "Time:"));
    check(&PLAIN.replace("Frames: 2", "Frames:\t2      "));
    check(&PLAIN.replace("MOTION\nFrames: 2\nFrame", "MOTION Frames: 2 Frame"));
    check(&PLAIN.replace("Frames: 2\nFrame Time: 0.0333333", "Frame Time: .0333333\nFrames : 2"));
}

#[test]
fn names_are_what_stands_on_the_line() {
    for name in ["mixamorig:Hips", "Bip01 L Thigh", "thigh.L", "HeadTop_End", "End", "Offset", "12", "上半身"] {
        assert_eq!(check(&PLAIN.replace("JOINT Leg", &format!("JOINT {name}"))).joints[1].name, name);
    }
    let named = check(&PLAIN.replace("End Site", "End Site LeftToe"));
    assert_eq!(named.end_sites[0].name.as_deref(), Some("LeftToe"));
}

#[test]
fn numbers_come_in_every_form() {
    let row = "1 90 2 10 20 30 40 50 60";
    check(&PLAIN.replace(row, "+1 90. 2e0 1.0E+1 200e-1 30 .4E2 50 0.6e+2"));
    check(&PLAIN.replace(row, "1.00000000000000000000000000000 90 2 10 20 30 40 50 60"));
}

#[test]
fn frames_broken_over_lines_are_joined_and_reported() {
    let read = check(&PLAIN.replace(" 30 40", " 30\n40").replace(" 31 41", " 31\n41"));
    assert_eq!(read.warnings[0].code, "wrapped_rows");
}

#[test]
fn another_number_of_frames_is_reported_and_all_are_kept() {
    for declared in ["1", "7", "99999999999999999999999"] {
        let read = check(&PLAIN.replace("Frames: 2", &format!("Frames: {declared}")));
        assert_eq!(read.warnings[0].code, "frame_count");
    }
}

/// Positions replace the offset axis by axis; rotations multiply in the order of the channels, wherever they stand.
#[test]
fn channels_mean_what_they_say() {
    let text = "HIERARCHY ROOT a\n{ OFFSET 1 2 3 CHANNELS 4 Yrotation Yposition Zrotation Xrotation\n\
                JOINT b\n{ OFFSET 0 1 0 CHANNELS 0 } }\nMOTION\nFrames: 1\nFrame Time: 1\n90 7 30 -50\n";
    let document = read_bvh(text.as_bytes()).expect("a good file").into_document();
    let pose = document.poses.pose(0);
    assert_eq!(pose.local[0].translation, Vec3::new(1.0, 7.0, 3.0));
    let expected = Quat::from_rotation_y(90f64.to_radians())
        * Quat::from_rotation_z(30f64.to_radians())
        * Quat::from_rotation_x(-50f64.to_radians());
    assert!(pose.local[0].rotation.angle_between(expected) < 1e-7);
    let world = WorldPose::new(&document.skeleton, pose);
    assert!(world.world()[1].translation.abs_diff_eq(Vec3::new(1.0, 7.0, 3.0) + expected * Vec3::Y, 1e-12));
}
