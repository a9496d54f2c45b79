//! Every recording of the shared collection is read, with unit, axes, joints, frames, legs and body as its manifest says.
//!
//! The recordings are not part of the project: the folder that holds them is named by `SUREFOOT_SHARED`.

use surefoot_formats::{Import, ImportOptions, OpenOptions, import, open};
use surefoot_motion::Side;
use surefoot_recordings::{Row, manifest, shared_folder};

/// All but an animal and three made-up chains of joints.
fn is_person(row: &Row) -> bool {
    let others = ["Fox.glb", "rotation_first_root.bvh", "full_precision_frame_time.bvh", "sinusoidal.bvh"];
    !others.iter().any(|other| row["file"].ends_with(other))
}

#[test]
fn every_recording_is_read_as_its_manifest_says() {
    let Some(shared) = shared_folder() else { return };
    let folder = shared.join("mocap");
    let rows = manifest(&folder);
    assert!(rows.len() >= 160, "only {} rows", rows.len());
    let mut complaints = Vec::new();
    for row in rows.iter().filter(|row| !["c3d", "gltf-aux"].contains(&row["format"].as_str())) {
        let read = open(&folder.join(&row["file"]), &OpenOptions::default());
        match read.and_then(|document| import(document, &ImportOptions::default())) {
            Ok(import) => {
                complaints.extend(check(row, &import).into_iter().map(|why| format!("{}: {why}", row["file"])))
            }
            Err(error) => complaints.push(format!("{}: {error}", row["file"])),
        }
    }
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

/// Everything that is not as the manifest says.
fn check(row: &Row, import: &Import) -> Vec<String> {
    let mut wrong = Vec::new();
    let number = |column: &str| row[column].parse::<f64>().ok();
    let mut near = |what: &str, found: f64, column: &str, tolerance: f64| {
        if let Some(expected) = number(column)
            && (found.is_nan() || (found - expected).abs() > tolerance)
        {
            wrong.push(format!("{what} is {found}, {expected} was expected"));
        }
    };
    let assumed = &import.assumed;
    near("unit", assumed.unit.to_metre, "unit_to_metre", 1e-6);
    near("frames", (import.clip.n_frames() + assumed.dropped_frames) as f64, "frames", 0.0);
    // The manifest measured the left leg.
    near("leg", import.leg_lengths().map_or(f64::NAN, |legs| legs.left), "leg_length_m", 0.001);
    near("joints", import.clip.skeleton.n_joints() as f64, "joints", 0.0);
    near("declared rate", assumed.declared_rate.unwrap_or(0.0), "fps_declared", 0.02);
    near("zero frames", assumed.dropped_frames.saturating_sub(1) as f64, "zero_lead_frames", 0.0);
    if import.n_channels > 0 && row["format"] == "bvh" {
        near("channels", import.n_channels as f64, "channels", 0.0);
    }
    if !row["travel_m"].is_empty() && row["format"] == "bvh" {
        // The manifest took frame 0 of some clips for a T-pose and began two steps of the root later than we do.
        let misses_start = row["tpose_frame0"] == "1" && assumed.dropped_frames == 0;
        let start = if misses_start { 2.0 * number("max_root_step_m").unwrap_or(0.0) } else { 0.0 };
        let travel = number("travel_m").unwrap_or(0.0);
        near("travel", import.travel, "travel_m", 0.1 + 0.06 * travel + start);
    }
    if !row["up_axis"].is_empty() && assumed.up.motion.name() != row["up_axis"] {
        wrong.push(format!("up is {}, {} was expected", assumed.up.motion, row["up_axis"]));
    }
    wrong.extend(check_body(row, import));
    wrong.extend(check_rate(row, import));
    wrong
}

fn check_body(row: &Row, import: &Import) -> Option<String> {
    let body = match &import.body {
        Ok(body) => body,
        Err(error) => return is_person(row).then(|| format!("no body: {error}")),
    };
    if !is_person(row) {
        return Some("a body where there is none".to_string());
    }
    let skeleton = &import.clip.skeleton;
    if !row["pelvis_joint"].is_empty() && skeleton.name(body.pelvis) != row["pelvis_joint"] {
        return Some(format!("pelvis is {}, {} was expected", skeleton.name(body.pelvis), row["pelvis_joint"]));
    }
    let feet = Side::BOTH.map(|side| {
        let leg = &body.legs[side];
        let toe = leg.ball.map(|ball| skeleton.name(ball).to_string());
        let toe = toe.or_else(|| leg.toe.map(|toe| toe.name(skeleton))).unwrap_or_default();
        format!("{}|{toe}", skeleton.name(leg.ankle))
    });
    let found = feet.join("|");
    (!row["foot_joints"].is_empty() && found != row["foot_joints"])
        .then(|| format!("feet are {found}, {} was expected", row["foot_joints"]))
}

/// A wrong frame rate is reported, a right one is not doubted.
fn check_rate(row: &Row, import: &Import) -> Option<String> {
    // A climb over a ladder: no free fall, and no gait that is known.
    if row["file"].ends_with("143_17.bvh") {
        return None;
    }
    let (declared, real) = (row["fps_declared"].parse::<f64>().ok()?, row["fps_true"].parse::<f64>().ok()?);
    let is_wrong = (declared / real - 1.0).abs() > 0.01;
    let is_reported =
        import.diagnostics.iter().any(|reported| ["frame_rate", "cadence_implausible"].contains(&reported.code));
    let detail = import
        .diagnostics
        .iter()
        .find(|reported| reported.code == "frame_rate")
        .map(|reported| reported.detail.clone());
    match (is_wrong, is_reported, detail) {
        (true, false, _) => Some(format!("{declared} fps is wrong, and nothing is told")),
        (false, true, _) => Some(format!("{declared} fps is right, and doubted: {:?}", import.diagnostics)),
        (true, true, Some(rate)) if rate != real.to_string() => Some(format!("{rate} fps was told, {real} is true")),
        _ => None,
    }
}
