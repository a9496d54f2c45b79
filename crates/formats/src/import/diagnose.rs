//! What is unusual about the meaning of a well-formed file, in words, with a code for each.
//!
//! The finding is done elsewhere; here stand only the limits of what is worth telling, and the sentences. Codes are listed in
//! `docs/DIAGNOSTICS.md`; they are part of the command's output and stay as they are.

use super::unit::{LEG, UNITS, UnitNote};
use super::{Diagnostic, Import, Reason};
use std::ops::Range;
use surefoot_contact::sole_height;
use surefoot_contact::{
    check_frame_rate::GRAVITY, check_frame_rate::Verdict, check_frame_rate::measure_free_fall,
    check_frame_rate::measure_gait, check_frame_rate::measure_swings,
};
use surefoot_geom::{Axis, Vec2, ground_point};
use surefoot_motion::{
    BodyError, BodyMap, BodyProblem, Clip, FeetFound, FoundBody, Side, SideEvidence, WorldPose, defects,
};

/// Everything worth telling, in the order of the import's own steps. `poses` are the clip's, in the world.
pub(super) fn diagnose(
    import: &Import,
    poses: &[WorldPose],
    found: Result<&FoundBody, &BodyError>,
    unit: Option<&UnitNote>,
) -> Diagnosed {
    let mut out = Diagnosed::default();
    out.lead_frames(import);
    out.body(import, found);
    out.unit(import, unit);
    out.axes(import);
    out.floor(import);
    out.place(&import.clip);
    let dropouts = defects::find_dropouts(&import.clip);
    out.defects(&import.clip, poses, &dropouts);
    // Where the recording was lost, the body seems to leap.
    if let (Ok(body), true) = (&import.body, dropouts.is_empty()) {
        if is_too_short(&import.clip) {
            out.report_too_short(&import.clip);
        } else {
            out.root_motion(&import.clip, poses, body);
            out.frame_rate(import, poses, body);
        }
    }
    out
}

/// At most this many of a kind are reported one by one, and the others as a number.
const MOST_OF_A_KIND: usize = 5;

/// What is unusual about a motion.
#[derive(Default)]
pub(super) struct Diagnosed {
    pub(super) reported: Vec<Diagnostic>,
    /// The frame rate that the motion speaks for, where it contradicts the declared one.
    pub(super) likely_rate: Option<f64>,
}

impl Diagnosed {
    fn report(&mut self, code: &'static str, detail: impl Into<String>, message: impl Into<String>) {
        self.reported.push(Diagnostic { code, detail: detail.into(), message: message.into() });
    }

    /// Tells the first few one by one, and how many more there are.
    fn report_each<T>(&mut self, code: &'static str, all: &[T], words: impl Fn(&T) -> (String, String)) {
        for one in all.iter().take(MOST_OF_A_KIND) {
            let (detail, message) = words(one);
            self.report(code, detail, message);
        }
        if all.len() > MOST_OF_A_KIND {
            let more = all.len() - MOST_OF_A_KIND;
            self.report(code, format!("+{more}"), format!("{more} more of this kind"));
        }
    }

    fn lead_frames(&mut self, import: &Import) {
        match import.assumed.dropped_frames {
            0 => {}
            1 => self.report("outlier_frame", "0", "the file's frame 0 is an artificial pose and was dropped"),
            n => {
                let message = format!("the file's frames 0-{} are artificial and were dropped", n - 1);
                self.report("outlier_frame", format!("0-{}", n - 1), message);
            }
        }
    }

    fn body(&mut self, import: &Import, found: Result<&FoundBody, &BodyError>) {
        let skeleton = &import.clip.skeleton;
        match found {
            Ok(found) => {
                let feet = &import.assumed.attached_feet;
                if !feet.is_empty() {
                    let message = format!(
                        "{} hang apart from the legs, as feet of an IK rig do; they were hung below the shins they follow",
                        feet.join(" and ")
                    );
                    self.report("feet_attached", feet.join(","), message);
                }
                if found.sides == SideEvidence::Contradicted && import.assumed.sides.is_some() {
                    let message = "joints named left are on the right; sides were taken from where the feet point";
                    self.report("left_right_swapped", "", message);
                }
                if found.feet == FeetFound::NoToes {
                    let message = "the feet have no toe joints; the ball of each foot is placed between the ankle and the toe's end";
                    self.report("no_toes", "", message);
                }
                if !found.zero_length.is_empty() {
                    let names: Vec<&str> = found.zero_length.iter().map(|&joint| skeleton.name(joint)).collect();
                    let message = format!("joints in the same place as their parents: {}", names.join(", "));
                    self.report("zero_length", names.join(","), message);
                }
            }
            Err(error) if import.body.is_err() => {
                let code = if error.problem == BodyProblem::NoFeet { "no_feet" } else { "no_body" };
                self.report(code, "", error.to_string());
            }
            Err(_) => {}
        }
    }

    fn unit(&mut self, import: &Import, note: Option<&UnitNote>) {
        let (unit, reason) = (import.assumed.unit, import.assumed.unit_reason);
        match note {
            Some(UnitNote::Overruled { declared, leg }) => {
                let message = format!(
                    "the file declares {declared}, which makes legs of {leg:.3} m; {unit} makes legs as people have and was taken"
                );
                self.report("units", unit.to_string(), message);
            }
            Some(UnitNote::Implausible { leg }) => {
                let message = format!("legs of {leg:.3} m are no person's, in any known unit");
                self.report("unit_implausible", unit.to_string(), message);
            }
            None if reason == Reason::Found && unit != UNITS[0] => {
                let size = unit.to_metre;
                let message = format!("the unit is {unit} ({size} m): so thigh and shin are as long as a person's");
                self.report("units", unit.to_string(), message);
            }
            None => {}
        }
    }

    fn axes(&mut self, import: &Import) {
        let up = import.assumed.up;
        if up.motion != Axis::Y || up.rest != Axis::Y {
            let message = if up.motion == up.rest {
                format!("{} is up; the motion was turned to Y up", up.motion)
            } else {
                format!("{} is up in the motion and {} in the rest pose; both were turned to Y up", up.motion, up.rest)
            };
            self.report("up_axis", up.motion.name(), message);
        }
    }

    fn floor(&mut self, import: &Import) {
        /// Soles of bare skeletons stand a few centimetres above or below the floor; more is an offset. Metres.
        const LEVEL: f64 = 0.12;
        if let Some(floor) = import.assumed.floor.filter(|floor| floor.abs() > LEVEL) {
            let cm = format!("{:.0}cm", floor * 100.0);
            let message = format!("the floor is at {cm}, not at 0");
            self.report("floor", cm, message);
        }
    }

    fn place(&mut self, clip: &Clip) {
        /// Beyond this a single-precision engine loses a tenth of a millimetre. Metres.
        const FAR: f64 = 1000.0;
        let Some(first) = clip.poses().first() else { return };
        let distance = clip.skeleton.roots().map(|root| first[root].translation.length()).fold(0.0, f64::max);
        if distance > FAR {
            let message =
                format!("the motion is {distance:.0} m from the origin; engines in single precision will tremble");
            self.report("far_origin", format!("{distance:.0}m"), message);
        }
    }

    fn defects(&mut self, clip: &Clip, poses: &[WorldPose], dropouts: &[Range<usize>]) {
        self.report_each("dropout", dropouts, |run| {
            let frames = shown(run);
            (frames.clone(), format!("frames {frames} are all zeros: the recording was lost there"))
        });
        let lost = |frame: usize| is_in(dropouts, frame);
        let frozen: Vec<_> = defects::find_frozen(clip).into_iter().filter(|run| !lost(run.start)).collect();
        self.report_each("frozen", &frozen, |run| {
            let frames = shown(run);
            (frames.clone(), format!("frames {frames} are identical: the recording stood still there"))
        });
        if defects::measure_noise(&clip.skeleton, poses).is_visible() {
            return self.report("noise", "", "the joints tremble from frame to frame; filter the clip before using it");
        }
        // The frames beside a dropout jump as well, and are reported with it.
        let beside = |frame: usize| lost(frame) || lost(frame + 1) || frame.checked_sub(1).is_some_and(lost);
        let spikes: Vec<_> = defects::find_spikes(clip).into_iter().filter(|spike| !beside(spike.frame)).collect();
        self.report_each("spike", &spikes, |spike| {
            let (frame, name) = (spike.frame, clip.skeleton.name(spike.joint));
            let degrees = spike.angle.to_degrees();
            (format!("{frame}:{name}"), format!("joint {name} jumps by {degrees:.0} degrees in frame {frame} and back"))
        });
    }

    fn report_too_short(&mut self, clip: &Clip) {
        let message = format!("{} frames ({:.2} s) are too short for a step", clip.n_frames(), clip.duration());
        self.report("no_complete_step", "", message);
    }

    fn root_motion(&mut self, clip: &Clip, poses: &[WorldPose], body: &BodyMap) {
        match root_motion(clip, poses, body) {
            RootMotion::None => {
                let message = "the root never moves: the file has no root translation, so the feet will slide";
                self.report("no_root_translation", "", message);
            }
            RootMotion::InPlace { belt } => {
                let message = format!("the figure walks in place, as on a treadmill at {belt:.1} m/s");
                self.report("in_place", format!("{belt:.1}m/s"), message);
            }
            RootMotion::Travels => {}
        }
    }

    fn frame_rate(&mut self, import: &Import, poses: &[WorldPose], body: &BodyMap) {
        // Gravity is no witness for figures that are not of human size: robots and children's dolls are animated, not recorded.
        let is_human_size = import.leg_lengths().is_some_and(|legs| LEG.contains(&legs.left));
        if import.assumed.rate_reason == Reason::Given || !is_human_size {
            return;
        }
        let rate = import.clip.frame_rate;
        let swings = measure_swings(poses, body, rate);
        // A treadmill hides how far feet swing.
        let travels = !self.reported.iter().any(|told| ["in_place", "no_root_translation"].contains(&told.code));
        if let Some(swings) = swings.filter(|swings| travels && swings.are_too_quick()) {
            let likely = rate / 2.0;
            let message = format!(
                "feet swing by {:.2} m in {:.2} s, quicker than legs do at a walk: {rate} fps may be wrong; {likely} is likely",
                swings.distance, swings.seconds
            );
            self.likely_rate = Some(likely);
            return self.report("frame_rate", format!("{likely}"), message);
        }
        if let Some(fall) = measure_free_fall(poses, body, rate) {
            match fall.verdict() {
                Verdict::Silent => {}
                Verdict::Agrees => return,
                Verdict::Contradicts => {
                    let likely = likely_rate(rate, fall.implied_rate(rate));
                    let message = format!(
                        "the body falls at {:.1} m/s^2 ({:.1} g), which contradicts {rate} fps: {likely} fps is likely",
                        fall.acceleration,
                        fall.acceleration / GRAVITY
                    );
                    self.likely_rate = Some(likely);
                    return self.report("frame_rate", format!("{likely}"), message);
                }
            }
        }
        if let Some(gait) = measure_gait(poses, body, rate).filter(|gait| !gait.is_plausible()) {
            self.likely_rate = gait.likely_factor().map(|factor| rate / factor);
            let likely = self.likely_rate.map_or(String::new(), |rate| format!("; {rate} is likely"));
            let message = format!(
                "{:.1} steps a second of {:.2} m are not how people walk: {rate} fps may be wrong{likely}",
                gait.cadence, gait.step_length
            );
            self.report("cadence_implausible", format!("{:.1}/s", gait.cadence), message);
        }
    }
}

/// Frames as people count them, both ends included.
fn shown(run: &Range<usize>) -> String {
    format!("{}-{}", run.start, run.end - 1)
}

/// Whether a frame lies in one of the ranges, which are in order.
fn is_in(ranges: &[Range<usize>], frame: usize) -> bool {
    let after = ranges.partition_point(|range| range.end <= frame);
    ranges.get(after).is_some_and(|range| range.contains(&frame))
}

/// Shorter than the quickest step of anybody, in seconds.
const SHORTEST_STEP: f64 = 0.2;

fn is_too_short(clip: &Clip) -> bool {
    clip.n_frames() > 0 && clip.duration() < SHORTEST_STEP
}

/// The rate that was most likely meant: the declared one divided by a whole number.
fn likely_rate(declared: f64, implied: f64) -> f64 {
    let candidates = [0.2, 0.25, 1.0 / 3.0, 0.5].map(|factor| declared * factor);
    let miss = |rate: &f64| (rate / implied).ln().abs();
    candidates.into_iter().min_by(|a, b| miss(a).total_cmp(&miss(b))).unwrap_or(implied)
}

enum RootMotion {
    Travels,
    None,
    InPlace { belt: f64 },
}

/// Slower than this, feet that slide back are noise, in m/s.
const SLOWEST_BELT: f64 = 0.3;
/// A body that gets ahead by this part of what its feet slide back is not in place.
const GETS_AHEAD: f64 = 0.25;

/// Whether the body travels as its feet do.
fn root_motion(clip: &Clip, poses: &[WorldPose], body: &BodyMap) -> RootMotion {
    let Some((first, last)) = poses.first().zip(poses.last()) else { return RootMotion::Travels };
    // The foot that is planted carries the body: in place, it slides back under a body that stays.
    let mut slide = Vec2::ZERO;
    for pair in poses.windows(2) {
        let standing = if sole_height(&pair[0], body, Side::Left) <= sole_height(&pair[0], body, Side::Right) {
            Side::Left
        } else {
            Side::Right
        };
        slide += ground_point(body.ball(&pair[1], standing)) - ground_point(body.ball(&pair[0], standing));
    }
    let seconds = clip.duration().max(1e-9);
    let belt = slide.length() / seconds;
    let pelvis = ground_point(last.position(body.pelvis)).distance(ground_point(first.position(body.pelvis))) / seconds;
    if belt < SLOWEST_BELT || pelvis > GETS_AHEAD * belt {
        return RootMotion::Travels;
    }
    if has_no_translation(clip, body) { RootMotion::None } else { RootMotion::InPlace { belt } }
}

/// Whether everything from the root to the pelvis keeps the translation of the rest pose.
fn has_no_translation(clip: &Clip, body: &BodyMap) -> bool {
    let mut joint = Some(body.pelvis);
    while let Some(id) = joint {
        let rest = clip.skeleton.joint(id).rest.translation;
        if clip.poses().iter().any(|pose| pose[id].translation.distance(rest) > 1e-6) {
            return false;
        }
        joint = clip.skeleton.parent(id);
    }
    true
}
