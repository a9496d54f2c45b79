//! Figures of recordings against those that an independent program printed.
//!
//! `judge.py` lies beside the recordings. It has its own BVH reader and forward kinematics and shares no code with us; it prints
//! six significant digits, so figures must agree within half of the last: 5e-6 of their size. The commands that printed them
//! (CMU's files begin with a T-pose, which we drop ourselves):
//!
//! ```text
//! judge.py skate    cmu-bvh/002/02_01.bvh --drop-first 1              (141_25 with --fps 60, also with --floor 0)
//! judge.py clip     cmu-bvh/002/02_01.bvh --drop-first 1
//! judge.py contacts cmu-bvh/002/02_01.bvh balls.contacts.json --drop-first 1
//! judge.py plan     cmu-bvh/002/02_01.bvh six.plan.json --drop-first 1 [--contacts balls.contacts.json]
//! judge.py path     cmu-bvh/002/02_01.bvh line.path.json --drop-first 1
//! judge.py compare  cmu-bvh/002/02_01.bvh cmu-bvh/002/02_02.bvh --drop-first 1,1
//! judge.py stance   cmu-bvh/002/02_01.bvh taken.plan.json --drop-first 1
//! judge.py ground   cmu-bvh/002/02_01.bvh --plan taken.plan.json --drop-first 1
//! judge.py body     cmu-bvh/002/02_01.bvh --drop-first 1
//! judge.py pops     cmu-bvh/002/02_01.bvh cmu-bvh/002/02_01.bvh --drop-first 1,1
//! ```
//!
//! `balls.contacts.json` has the ball plants that judge.py itself estimates, which are our [`standing_ranges`], and no heels.
//! `taken.plan.json` is `six.plan.json` without the footprint that nobody takes.

use surefoot::contact::{Contacts, FootPart, FootPlan, Footprint, Take};
use surefoot::contact::{
    metrics::MeasureOptions, metrics::Measures, metrics::Metric, metrics::Reference, metrics::StancesFrom,
    metrics::foot_points, metrics::measure_foot_jumps, metrics::measure_leg_clearance, metrics::measure_mid_stances,
    metrics::measure_pelvis_jerk, metrics::measure_penetration, metrics::measure_take, metrics::soles_by_motion,
    metrics::standing_ranges,
};
use surefoot::formats::{Import, ImportOptions};
use surefoot::geom::{Vec2, Vec3};
use surefoot::ground::{Path, Terrain};
use surefoot::motion::Side;
use surefoot::{LoadOptions, load};
use surefoot_recordings::shared_folder;

/// Half of the last of six digits.
const TOLERANCE: f64 = 5e-6;

/// A recording with the ball plants of the fixed rule; `None` where there are no recordings.
fn recording(file: &str, frame_rate: Option<f64>) -> Option<Take> {
    let path = shared_folder()?.join("mocap").join(file);
    let options =
        LoadOptions { import: ImportOptions { frame_rate, ..ImportOptions::default() }, ..LoadOptions::default() };
    let import = load(&path, &options).unwrap_or_else(|error| panic!("{error}"));
    let contacts = standing_balls(&import);
    Some(Take { clip: import.clip, body: import.body.expect("a person"), contacts })
}

fn standing_balls(import: &Import) -> Contacts {
    let (clip, body) = (&import.clip, import.body.as_ref().expect("a person"));
    let feet = foot_points(&clip.world(), &clip.skeleton, body);
    let ranges_of = |side: Side| {
        let ranges = standing_ranges(&feet[side].ball, clip.frame_rate);
        ranges.into_iter().map(move |range| (side, FootPart::Ball, range))
    };
    let ranges: Vec<_> = Side::BOTH.into_iter().flat_map(ranges_of).collect();
    Contacts::from_ranges(clip, body, &ranges).expect("ranges in order")
}

fn measure(take: &Take, options: &MeasureOptions<'_>) -> Measures {
    measure_take(take, &Terrain::flat(0.0), options)
}

/// Figures must be what was printed, in the unit that they are shown in.
fn assert_metrics(measures: &Measures, expected: &[(&str, f64)], what: &str) {
    for &(name, printed) in expected {
        let metric = measures.metric(name).unwrap_or_else(|| panic!("{what}: {name} is not measured"));
        let allowed = TOLERANCE * f64::max(printed.abs(), 1e-9);
        assert!((metric.shown() - printed).abs() <= allowed, "{what}: {name} is {}, judged {printed}", metric.shown());
    }
}

fn assert_place(measures: &Measures, name: &str, place: &str, frame: usize) {
    let metric: Metric = measures.metric(name).expect("a figure");
    assert_eq!((metric.place.as_deref(), metric.frame), (Some(place), Some(frame)), "{name}");
}

#[test]
fn a_walk_measures_as_it_was_judged() {
    let Some(walk) = recording("cmu-bvh/002/02_01.bvh", None) else { return };
    let measures = measure(&walk, &MeasureOptions::default());
    assert_metrics(
        &measures,
        &[
            ("graph_skate_total", 282.402),
            ("graph_skate_per_frame", 0.702491),
            ("gmd_skate_ratio", 0.0),
            ("kimodo_skate_ratio", 35.2217),
            ("kimodo_skate_speed", 0.227634),
            ("mann_skate", 0.161543),
            ("mann_skate_speed", 19.3852),
            ("holosoma_skate_ratio", 96.8912),
            ("holosoma_skate_speed_max", 0.676141),
            ("holosoma_penetration_ratio", 0.0),
            ("holosoma_penetration_max", 6.60728),
            ("plants", 6.0),
            ("drift_max", 39.7303),
            ("drift_mean", 30.8527),
            ("drift_vertical_max", 22.3242),
            ("drift_vertical_mean", 18.3431),
            ("skate_speed", 12.7234),
            ("leg_extension_max", 99.7209),
            ("knee_speed_max", 418.998),
            ("knee_speed_p99", 388.269),
            ("knee_acceleration_max", 14099.1),
            ("knee_acceleration_p99", 10397.0),
            ("rotation_step_max", 8.36756),
            ("rotation_change_max", 13.6467),
            ("pelvis_jerk_mean", 2001.41),
        ],
        "02_01",
    );
    assert_place(&measures, "knee_speed_max", "LeftLeg", 221);
    assert_place(&measures, "knee_acceleration_max", "LeftLeg", 332);
    assert_place(&measures, "rotation_step_max", "RightFingerBase", 332);
    assert_place(&measures, "rotation_change_max", "RightFingerBase", 332);
}

#[test]
fn a_run_measures_as_it_was_judged() {
    let Some(run) = recording("cmu-bvh/009/09_01.bvh", None) else { return };
    let measures = measure(&run, &MeasureOptions::default());
    assert_metrics(
        &measures,
        &[
            ("graph_skate_total", 144.523),
            ("graph_skate_per_frame", 1.68049),
            ("kimodo_skate_ratio", 86.0465),
            ("kimodo_skate_speed", 0.541005),
            ("mann_skate", 0.350913),
            ("holosoma_skate_ratio", 100.0),
            ("holosoma_skate_speed_max", 1.01119),
            ("holosoma_penetration_max", 8.94284),
            ("plants", 4.0),
            ("drift_max", 18.38),
            ("drift_vertical_max", 26.0359),
            ("skate_speed", 24.9164),
            ("leg_extension_max", 100.0),
            ("knee_acceleration_max", 91093.7),
            ("knee_acceleration_p99", 70988.0),
            ("rotation_step_max", 26.4964),
            ("rotation_change_max", 45.9737),
            ("pelvis_jerk_mean", 4158.64),
        ],
        "09_01",
    );
    assert_place(&measures, "rotation_step_max", "LeftFingerBase", 147);
    assert_place(&measures, "rotation_change_max", "LeftToeBase", 29);
}

#[test]
fn stairs_measure_as_they_were_judged() {
    let Some(stairs) = recording("cmu-bvh/083/83_27.bvh", None) else { return };
    let measures = measure(&stairs, &MeasureOptions::default());
    assert_metrics(
        &measures,
        &[
            ("graph_skate_total", 474.881),
            ("graph_skate_per_frame", 0.30598),
            ("gmd_skate_ratio", 1.22699),
            ("kimodo_skate_ratio", 15.0702),
            ("mann_skate", 0.0660834),
            ("holosoma_penetration_ratio", 1.52594),
            ("holosoma_penetration_max", 15.3124),
            ("drift_max", 53.3968),
            ("drift_vertical_max", 53.7056),
            ("knee_acceleration_p99", 12606.6),
            ("rotation_step_max", 176.164),
            ("rotation_change_max", 179.466),
            ("pelvis_jerk_mean", 1025.45),
        ],
        "83_27",
    );
}

#[test]
fn a_noisy_walk_measures_as_it_was_judged_at_its_true_rate_and_over_a_flat_floor() {
    let Some(noisy) = recording("cmu-bvh/141/141_25.bvh", Some(60.0)) else { return };
    let measures = measure(&noisy, &MeasureOptions::default());
    assert_metrics(
        &measures,
        &[
            ("graph_skate_total", 3516.13),
            ("graph_skate_per_frame", 3.87666),
            ("gmd_skate_ratio", 30.3922),
            ("kimodo_skate_ratio", 61.9256),
            ("kimodo_skate_speed", 0.770555),
            ("mann_skate", 0.969878),
            ("mann_skate_speed", 58.1927),
            ("holosoma_skate_ratio", 99.0305),
            ("holosoma_skate_speed_max", 0.669023),
            ("holosoma_penetration_ratio", 15.8795),
            ("holosoma_penetration_max", 40.5781),
            ("plants", 19.0),
            ("drift_max", 77.6592),
            ("skate_speed", 17.6873),
            ("knee_speed_max", 505.225),
            ("knee_acceleration_p99", 11947.1),
            ("rotation_change_max", 76.5166),
            ("pelvis_jerk_mean", 139.954),
        ],
        "141_25",
    );
    let over_floor = measure(&noisy, &MeasureOptions { skate_floor: Some(0.0), ..MeasureOptions::default() });
    let expected = [("graph_skate_total", 24.2133), ("gmd_skate_ratio", 0.0), ("kimodo_skate_ratio", 80.0)];
    assert_metrics(&over_floor, &expected, "141_25 over a floor at 0");
}

/// The plan that was judged: the six ball plants of 02_01 rounded to centimetres, with headings of our own, and one that nobody
/// takes.
fn plan() -> FootPlan {
    let prints = [
        (Side::Right, [0.61, 0.02, -1.81], Some(-20.0)),
        (Side::Left, [0.55, 0.02, -1.19], Some(10.0)),
        (Side::Right, [0.52, 0.04, -0.55], Some(-20.0)),
        (Side::Left, [0.58, 0.05, 0.1], Some(10.0)),
        (Side::Right, [0.54, 0.06, 0.76], Some(-20.0)),
        (Side::Left, [0.64, 0.06, 1.41], Some(10.0)),
        (Side::Left, [2.0, 0.0, 3.0], None),
    ];
    let footprint = |(side, position, heading): (Side, [f64; 3], Option<f64>)| Footprint {
        heading: heading.map(f64::to_radians),
        ..Footprint::at(side, Vec3::from(position))
    };
    FootPlan { footprints: prints.into_iter().map(footprint).collect() }
}

#[test]
fn stances_soles_and_legs_are_found_without_contacts_as_they_were_judged() {
    let Some(Take { clip, body, .. }) = recording("cmu-bvh/002/02_01.bvh", None) else { return };
    let mut plan = plan();
    plan.footprints.pop();
    let (poses, rate) = (clip.world(), clip.frame_rate);
    let soles = soles_by_motion(&poses, &clip.skeleton, &body, rate);
    let is_printed = |what: &str, value: f64, printed: f64| {
        let allowed = TOLERANCE * printed.abs().max(1e-9);
        assert!((value - printed).abs() <= allowed, "{what} is {value}, judged {printed}");
    };
    // Frames, and millimetres at mid stance, over the middle 60 %, and in height.
    let judged = [
        (0..10, 3.31932, 3.84006, -8.45986),
        (19..71, 5.59979, 9.78914, 3.98941),
        (87..136, 4.59173, 7.4052, -8.48017),
        (153..202, 6.02108, 8.8747, -4.87344),
        (219..271, 2.02034, 5.31316, -8.90778),
        (307..343, 11.52, 18.5266, 5.63486),
    ];
    let stances = measure_mid_stances(&plan, &soles, rate).expect("a plan of both feet");
    for (stance, (frames, mid, middle_60, height)) in stances.iter().zip(judged) {
        assert_eq!(stance.frames, frames);
        is_printed("mid stance", 1000.0 * stance.mid_error, mid);
        is_printed("the middle 60 %", 1000.0 * stance.middle_60, middle_60);
        is_printed("the height", 1000.0 * stance.height, height);
    }
    let ground = measure_penetration(&soles, &plan);
    is_printed("the deepest point", 1000.0 * ground.deepest, 22.1184);
    is_printed("the share of the worst point", ground.worst_point_share, 0.244898);
    assert!(ground.share >= ground.worst_point_share, "{ground:?}");
    is_printed("the toe below the ball", 1000.0 * soles[Side::Left].toe_drop, 1.92763);
    let legs = measure_leg_clearance(&poses, &body, &soles);
    let (feet, shins) = (legs.feet.expect("frames"), legs.shins.expect("frames"));
    is_printed("the distance of feet", 100.0 * feet.value, 9.91761);
    is_printed("the distance of shins", 100.0 * shins.value, 8.70704);
    assert_eq!((feet.frame, shins.frame), (118, 112));
    let jerk = measure_pelvis_jerk(&poses, &body, rate).mean_6_hz.expect("frames");
    is_printed("the pelvis's jerk", jerk, 71.6572);
    // Judged without a jump over 3 times its neighbours.
    assert!(measure_foot_jumps(&soles, rate).is_some_and(|jump| jump.value < 3.0));
}

#[test]
fn footprints_measure_as_they_were_judged_with_contacts_and_without() {
    let Some(walk) = recording("cmu-bvh/002/02_01.bvh", None) else { return };
    let plan = plan();
    let options = MeasureOptions { plan: Some(&plan), ..MeasureOptions::default() };
    let in_contacts = [
        ("footprints", 7.0),
        ("footprints_missed", 1.0),
        ("plants_unused", 0.0),
        ("placement_max", 39.0006),
        ("placement_mean", 30.691),
        ("placement_median_max", 5.51707),
        ("placement_drift_max", 39.7303),
        ("heading_error_max", 20.1051),
    ];
    assert_metrics(&measure(&walk, &options), &in_contacts, "plan in contacts");
    let in_motion = [
        ("footprints_missed", 1.0),
        ("placement_max", 24.8495),
        ("placement_mean", 15.6953),
        ("placement_median_max", 5.45593),
        ("placement_drift_max", 21.0118),
        ("heading_error_max", 19.9857),
    ];
    let measures = measure(&walk, &MeasureOptions { stances: StancesFrom::Motion, ..options });
    assert_metrics(&measures, &in_motion, "plan in the motion");
    let footprints = &measures.placement.expect("a plan").footprints;
    let heights: Vec<f64> = footprints.iter().flatten().map(|error| error.height * 1000.0).collect();
    for (height, judged) in heights.iter().zip([-7.21532, 2.71495, -3.99065, -3.14289, -4.10349, 4.11236]) {
        assert!((height - judged).abs() <= 1e-5, "{height}, judged {judged}");
    }
}

#[test]
fn a_path_measures_as_it_was_judged() {
    let Some(walk) = recording("cmu-bvh/002/02_01.bvh", None) else { return };
    let path = Path { points: vec![Vec2::new(0.6, -1.7), Vec2::new(0.6, 1.7)] };
    let measures = measure(&walk, &MeasureOptions { path: Some(&path), ..MeasureOptions::default() });
    let expected = [
        ("path_deviation", 51.4456),
        ("path_deviation_mean", 3.5809),
        ("path_deviation_max", 6.72667),
        ("path_nearest_mean", 3.56917),
        ("path_nearest_max", 6.72667),
    ];
    assert_metrics(&measures, &expected, "path");
}

/// L2P, L2Q and NPSS were computed with numpy from judge.py's positions and rotation matrices: quaternions as the eigenvectors of
/// Bar-Itzhack's matrix, spectra by `numpy.fft.fft`, with the signs, means and deviations that `docs/MEASURES.md` defines.
#[test]
fn another_walk_as_the_reference_measures_as_it_was_judged() {
    let Some(walk) = recording("cmu-bvh/002/02_01.bvh", None) else { return };
    let Some(other) = recording("cmu-bvh/002/02_02.bvh", None) else { return };
    let reference = Reference { clip: &other.clip, body: &other.body };
    let measures = measure(&walk, &MeasureOptions { reference: Some(reference), ..MeasureOptions::default() });
    let expected = [
        ("position_error_mean", 29.8374),
        ("position_error_legs", 31.0443),
        ("position_error_spine", 29.1926),
        ("position_error_arms", 29.5622),
        ("position_error_max", 117.616),
        ("root_error_mean", 5.76081),
        ("root_error_legs", 10.5802),
        ("root_error_spine", 0.917128),
        ("root_error_arms", 6.12067),
        ("root_error_max", 66.5155),
        ("l2p", 11.061021061864),
        ("l2q", 0.869887560413),
        ("npss", 1.214543990182),
    ];
    assert_metrics(&measures, &expected, "02_01 against 02_02");
    assert_place(&measures, "position_error_max", "RightToeBase", 297);
    assert_place(&measures, "root_error_max", "RightToeBase", 295);
    assert_eq!(measures.reconstruction.expect("a reference").n_frames, 298);
}
