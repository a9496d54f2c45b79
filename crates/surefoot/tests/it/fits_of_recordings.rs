//! Gaits fitted to recordings of people: the fit comes nearer than the natural gait at the same speed, and the natural gait is near already.

use surefoot::contact::DetectOptions;
use surefoot::gait::{ContactTiming, Gait, GaitFit, fit_gaits};
use surefoot::{LoadOptions, load};
use surefoot_recordings::shared_folder;

fn fits(files: &[&str], gait: Gait) -> Option<Vec<GaitFit>> {
    let folder = shared_folder()?.join("mocap/cmu-bvh");
    let fit = |file: &&str| {
        let import = load(&folder.join(file), &LoadOptions::default()).expect("a recording");
        let take = import.into_take(&DetectOptions::default()).expect("a body").take;
        let fits = fit_gaits(&take, ContactTiming::Detected, "x").unwrap_or_else(|error| panic!("{file}: {error}"));
        fits.into_iter().find(|fit| fit.style.gait == gait).unwrap_or_else(|| panic!("{file} has no {gait}"))
    };
    Some(files.iter().map(fit).collect())
}

/// Mean over recordings of a part's error, in degrees: of the natural and of the fitted gait.
fn mean(fits: &[GaitFit], part: &str) -> (f64, f64) {
    let rows = fits.iter().map(|fit| fit.errors.iter().find(|error| error.part == part).expect("the part"));
    let (natural, fitted) = rows.fold((0.0, 0.0), |sum, row| (sum.0 + row.natural, sum.1 + row.fitted));
    ((natural / fits.len() as f64).to_degrees(), (fitted / fits.len() as f64).to_degrees())
}

/// `limits`: a part, and the most that the natural and the fitted gait may be off.
fn check(fits: &[GaitFit], gait: Gait, limits: &[(&str, f64, f64)]) {
    for &(part, natural, fitted) in limits {
        let found = mean(fits, part);
        println!("{gait} {part}: {:.1} natural, {:.1} fitted", found.0, found.1);
        assert!(found.0 <= natural && found.1 <= fitted, "{gait} {part}: {found:?}");
    }
}

/// List and turn of the natural pelvis, as means over recordings: the list's difference in degrees, its correlation, the turn's.
fn check_pelvis(fits: &[GaitFit], gait: Gait, list_rms: f64, correlations: [f64; 2]) {
    let mean = |of: fn(&GaitFit) -> f64| fits.iter().map(of).sum::<f64>() / fits.len() as f64;
    let rms = mean(|fit| fit.pelvis.list_rms).to_degrees();
    let found = [mean(|fit| fit.pelvis.list_correlation), mean(|fit| fit.pelvis.yaw_correlation)];
    println!("{gait} pelvis: list {rms:.2} degrees off, correlations {found:.2?}");
    assert!(rms <= list_rms && found[0] >= correlations[0] && found[1] >= correlations[1], "{gait}: {rms}, {found:?}");
}

#[test]
fn runs_are_near_people_and_fitted_ones_nearer() {
    let files = ["002/02_03.bvh", "009/09_01.bvh", "016/16_45.bvh", "035/35_17.bvh"];
    let Some(fits) = fits(&files, Gait::Run) else { return };
    let limits =
        [("thigh", 4.7, 2.7), ("knee", 8.5, 5.8), ("pelvis", 2.5, 0.6), ("trunk", 6.0, 0.6), ("upper arm", 9.0, 0.6)];
    check(&fits, Gait::Run, &limits);
    check_pelvis(&fits, Gait::Run, 1.5, [0.9, 0.65]);
}

#[test]
fn walks_are_near_people_and_fitted_ones_nearer() {
    let Some(fits) = fits(&["002/02_01.bvh", "007/07_01.bvh", "069/69_01.bvh"], Gait::Walk) else { return };
    let limits =
        [("thigh", 3.8, 3.1), ("knee", 7.0, 6.0), ("pelvis", 2.0, 0.6), ("trunk", 3.0, 0.6), ("upper arm", 6.0, 0.6)];
    check(&fits, Gait::Walk, &limits);
    check_pelvis(&fits, Gait::Walk, 1.7, [0.9, 0.85]);
}

/// Three of these four are of one person, whose knees are 9 degrees off between detected landings. `derive_gait_norms.py compare`, whose stances
/// begin earlier and end later and which counts each person the same, has 6.6.
#[test]
fn walks_are_near_people_of_whom_no_curve_comes() {
    let Some(fits) = fits(&["008/08_01.bvh", "008/08_04.bvh", "008/08_06.bvh", "069/69_01.bvh"], Gait::Walk) else {
        return;
    };
    check(&fits, Gait::Walk, &[("thigh", 4.7, 4.4), ("knee", 8.9, 7.7)]);
    check_pelvis(&fits, Gait::Walk, 2.0, [0.8, 0.6]);
}
