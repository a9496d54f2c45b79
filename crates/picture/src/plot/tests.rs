//! What every plot promises, on a walk whose contacts are known.

use super::*;
use surefoot_contact::{Contacts, Plant, SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_gait::{CycleEvents, LegAngles, N_PHASES, StrideCycle, mean_cycle, steady_cycles, stride_cycles};
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

fn walk(n_steps: usize) -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps, ..Default::default() })
}

/// Heights and speeds of a walk, with limits of both kinds.
fn traces_of(walk: &SyntheticWalk) -> PerSide<PerPart<ContactTraces>> {
    let clip = &walk.take.clip;
    let poses = clip.world();
    PerSide::from_fn(|side| {
        PerPart::from_fn(|part| {
            let places: Vec<Vec3> = poses.iter().map(|pose| part.place(&walk.take.body, pose, side)).collect();
            let mut speed: Vec<f64> =
                places.windows(2).map(|pair| pair[0].distance(pair[1]) * clip.frame_rate).collect();
            speed.push(0.0);
            let leave = Limit::Varying(speed.iter().map(|speed| 0.2 + 0.1 * speed).collect());
            ContactTraces {
                height: places.iter().map(|place| place.y).collect(),
                height_limits: Limits { enter: Limit::Fixed(0.03), leave: Limit::Fixed(0.05) },
                speed,
                speed_limits: Limits { enter: Limit::Fixed(0.1), leave },
            }
        })
    })
}

fn contacts_page(walk: &SyntheticWalk) -> String {
    let (clip, contacts) = (&walk.take.clip, &walk.take.contacts);
    contacts_plot(&ContactsPlot {
        name: "a <walk> & more",
        frame_rate: clip.frame_rate,
        contacts,
        traces: traces_of(walk),
    })
}

/// The walk against itself with every foot shifted sideways.
fn cleanup_of<'a>(walk: &'a SyntheticWalk, shift: f64) -> CleanupPlot<'a> {
    let mut after = walk.take.clip.clone();
    let root = after.skeleton.roots().next().expect("a root").index();
    for pose in after.poses_mut() {
        pose.local[root].translation += Vec3::new(shift, 0.0, 0.0);
    }
    CleanupPlot::measure(&walk.take.clip, &after, &walk.take.body, &walk.take.contacts, |_| 0.0)
}

/// Checks that a file is well formed: every element is closed by its own end, attributes are quoted, no bare `&`.
#[track_caller]
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a bare > in {}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("an end of each tag");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
    for after in text.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| after.starts_with(entity)), "{after}");
    }
}

#[track_caller]
fn check_page(text: &str) {
    check_xml(text);
    for word in ["NaN", "inf", "<svg xmlns"] {
        assert_eq!(text.matches(word).count(), usize::from(word.starts_with('<')), "{word}");
    }
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
}

#[test]
fn pages_are_well_formed_and_the_same_each_time() {
    let walk = walk(6);
    check_page(&contacts_page(&walk));
    assert_eq!(contacts_page(&walk), contacts_page(&walk));
    let page = cleanup_plot(&cleanup_of(&walk, 0.01));
    check_page(&page);
    assert_eq!(cleanup_plot(&cleanup_of(&walk, 0.01)), page);
    assert!(contacts_page(&walk).contains("a &lt;walk&gt; &amp; more"));
}

#[test]
fn every_plant_is_a_bar_of_the_timeline() {
    let walk = walk(8);
    for page in [contacts_page(&walk), cleanup_plot(&cleanup_of(&walk, 0.0))] {
        for side in Side::BOTH {
            for plant in &walk.take.contacts.plants[side] {
                let Plant { part, frames, .. } = plant;
                let tip = format!("<title>{} {} [{}, {}], ", side.name(), part.name(), frames.start, frames.end);
                assert_eq!(page.matches(&tip).count(), 1, "{tip}");
            }
        }
        let n_plants = walk.take.contacts.plants.iter().map(|(_, plants)| plants.len()).sum::<usize>();
        assert_eq!(page.matches("<title>").count(), n_plants);
        assert!(n_plants > 12);
    }
}

#[test]
fn a_minute_at_240_frames_a_second_stays_small() {
    let n_frames = 60 * 240;
    let wave = |phase: f64| {
        (0..n_frames).map(|frame| 0.2 + 0.2 * (f64::from(frame) * 0.05 + phase).sin()).collect::<Vec<f64>>()
    };
    let plants =
        |part| (0..120).map(move |step| Plant { part, frames: step * 120..step * 120 + 70, position: Vec3::ZERO });
    let side = || plants(FootPart::Heel).chain(plants(FootPart::Ball)).collect();
    let contacts = Contacts { n_frames: n_frames as usize, plants: PerSide::new(side(), side()) };
    let limits = || Limits { enter: Limit::Varying(wave(1.0)), leave: Limit::Varying(wave(2.0)) };
    let traces =
        || ContactTraces { height: wave(0.0), height_limits: limits(), speed: wave(0.5), speed_limits: limits() };
    let traces = PerSide::from_fn(|_| PerPart::from_fn(|_| traces()));
    check_page(&contacts_plot(&ContactsPlot { name: "long", frame_rate: 240.0, contacts: &contacts, traces }));
    let both = || BeforeAfter { before: wave(0.0), after: wave(0.1) };
    check_page(&cleanup_plot(&CleanupPlot {
        name: "long",
        frame_rate: 240.0,
        contacts: &contacts,
        feet: PerSide::from_fn(|_| PerPart::from_fn(|_| CleanedPart { height: both(), drift: both() })),
        knees: PerSide::from_fn(|_| both()),
        pelvis: both(),
    }));
}

#[test]
fn numbers_that_are_not_finite_and_lengths_that_do_not_fit_never_show() {
    let hostile = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, f64::MAX, 1e-320, 0.0, -0.0];
    let walk = walk(2);
    for frame_rate in [30.0, 0.0, -5.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        for n_frames in [0, 1, 5, usize::MAX / 2] {
            let contacts = Contacts { n_frames, ..walk.take.contacts.clone() };
            let limits = || Limits { enter: Limit::Fixed(f64::NAN), leave: Limit::Varying(hostile.to_vec()) };
            let values = || hostile.to_vec();
            let trace =
                || ContactTraces { height: values(), height_limits: limits(), speed: values(), speed_limits: limits() };
            let traces = PerSide::from_fn(|_| PerPart::from_fn(|_| trace()));
            check_page(&contacts_plot(&ContactsPlot { name: "\u{0}\"&", frame_rate, contacts: &contacts, traces }));
            let both = || BeforeAfter { before: values(), after: vec![f64::NAN; 3] };
            check_page(&cleanup_plot(&CleanupPlot {
                name: &"x".repeat(1000),
                frame_rate,
                contacts: &contacts,
                feet: PerSide::from_fn(|_| PerPart::from_fn(|_| CleanedPart { height: both(), drift: both() })),
                knees: PerSide::from_fn(|_| both()),
                pelvis: both(),
            }));
        }
    }
}

#[test]
fn a_shift_of_everything_is_measured_as_drift_and_as_nothing_else() {
    let walk = walk(4);
    let plot = cleanup_of(&walk, 0.02);
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            let CleanedPart { height, drift } = plot.feet[side].of(part);
            for frame in 0..walk.take.clip.n_frames() {
                let planted = walk.take.contacts.is_planted(side, part, frame);
                assert_eq!(drift.after[frame].is_finite(), planted, "{side:?} {part:?} {frame}");
                if planted {
                    assert!(drift.before[frame] < 1e-6 && (drift.after[frame] - 0.02).abs() < 1e-6);
                }
                assert!((height.before[frame] - height.after[frame]).abs() < 1e-9);
            }
        }
        let knee = &plot.knees[side];
        assert!(knee.before.iter().zip(&knee.after).all(|(a, b)| (a - b).abs() < 1e-9 && (0.0..2.5).contains(a)));
    }
    assert!(plot.pelvis.before.iter().all(|height| (0.5..1.2).contains(height)));
    let page = cleanup_plot(&plot);
    assert!(page.contains("largest drift while planted: less than 0.001 mm before, 20.0 after"), "{page}");
}

/// The mean cycle of a walk with steps of a length.
fn cycle_of(step_length: f64) -> StrideCycle {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 8, step_length, ..Default::default() });
    mean_cycle(&steady_cycles(&stride_cycles(&walk.take))).expect("strides")
}

#[test]
fn a_hip_knee_diagram_has_a_closed_loop_with_four_events_for_each_cycle() {
    let cycles = [cycle_of(0.5), cycle_of(0.7)];
    let named: Vec<NamedCycle<'_>> = cycles
        .iter()
        .zip(["slow & easy", "fast"])
        .map(|(cycle, name)| NamedCycle { name: name.to_string(), cycle, dash: Dash::Solid })
        .collect();
    let page = hip_knee_plot("Walks <compared>", &named);
    check_page(&page);
    assert_eq!(page, hip_knee_plot("Walks <compared>", &named));
    assert!(page.contains("Walks &lt;compared&gt;") && page.contains("slow &amp; easy"));
    for event in ["HSR", "TOL", "HSL", "TOR"] {
        // Each label is written twice, the first time as its own pale outline.
        assert_eq!(page.matches(&format!(">{event}</text>")).count(), 4, "{event}");
    }
    assert_eq!(page.matches("<circle").count(), 8);
    let loops = page.lines().filter(|line| line.contains("stroke-linejoin=\"round\"")).map(|line| {
        let path = line.split('"').nth(1).expect("a path");
        let (first, last) = (path[1..].split('L').next(), path.split('L').next_back());
        (first.map(str::to_string), last.map(str::to_string))
    });
    let loops: Vec<_> = loops.collect();
    assert!(loops.len() == 2 && loops.iter().all(|(first, last)| first == last), "{loops:?}");
}

#[test]
fn pages_of_charts_hold_whatever_they_are_given() {
    let curve = |points: Vec<[f64; 2]>, dash: Dash| Curve { name: "a".repeat(200), points, colour: 9, dash };
    let chart = |curves: Vec<Curve>| Chart { title: "t".to_string(), x: "x".to_string(), y: "y".to_string(), curves };
    let odd = vec![[f64::NAN, 1.0], [1.0, f64::INFINITY], [2.0, 2.0], [-1e300, 1e300], [3.0, 3.0]];
    let charts = [
        chart(vec![]),
        chart(vec![curve(vec![], Dash::Solid), curve(odd.clone(), Dash::Dashed), curve(odd, Dash::Dots)]),
        chart(vec![curve(vec![[5.0, 7.0]; 3], Dash::Dots)]),
    ];
    check_page(&relations_plot("", &charts));
    check_page(&relations_plot("nothing", &[]));
    check_page(&hip_knee_page("nothing", &[]));
    check_page(&hip_knee_plot("nothing", &[]));
    let events = CycleEvents { toe_off: Some(0.6), ..Default::default() };
    let broken =
        StrideCycle { angles: vec![LegAngles { hip: f64::NAN, knee: 0.0 }; N_PHASES], events, ..cycle_of(0.6) };
    let cycles = vec![NamedCycle { name: String::new(), cycle: &broken, dash: Dash::Dashed }];
    check_page(&hip_knee_page("broken", &[HipKneePanel { title: String::new(), cycles }]));
}
