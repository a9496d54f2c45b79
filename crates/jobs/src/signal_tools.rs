//! Each tool of editing clips as signals, on a take. Those that need other clips are in `signal_mixing.rs`, keys in
//! `signal_keys.rs`.

use crate::signal_edits::{Applied, ClipShelf, EditProblem, Trace};
use crate::{CleanForm, clean, clean_loop, load_terrain};
use surefoot_cleanup::{footskate::CleanOptions, footskate::Reach};
use surefoot_contact::Contacts;
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip, Skeleton};
use surefoot_signal::{
    BandGains, CappedAngle, Closed, Curves, Edit, EqualizeEdit, EqualizeOptions, EqualizedSignals, FilterEdit,
    GainWords, GroundWords, JointLimit, JointWords, KeepPlantsEdit, LimitOptions, Limited, LoopError, LoopOptions,
    Selection, ShapeEdit, SignalClip, Voter, anatomical_limits, band_ranges, equalize, equalize_positions, filters,
    find_loop, gains_of_choices, limit_joints, retime_contacts, shape_channels,
};

pub(crate) type Outcome = Result<Applied, EditProblem>;

/// Makes one edit; what it is made of may be a loop.
pub(crate) fn apply_tool(take: &SignalClip, edit: &Edit, shelf: &mut ClipShelf, is_loop: bool) -> Outcome {
    if take.clip.n_frames() == 0 {
        return Err(EditProblem::option("", "the clip holds a skeleton but no motion; a clip has frames"));
    }
    let subject = Subject { take, body: take.body.as_ref() };
    match edit {
        Edit::Equalize(edit) => subject.equalize(edit),
        Edit::Blend(edit) => subject.blend(edit, shelf),
        Edit::Warp(edit) => subject.warp(edit, shelf),
        Edit::Shape(edit) => subject.shape(edit),
        Edit::Displace(edit) => subject.displace(edit, shelf),
        Edit::Concat(edit) => subject.concat(edit, shelf),
        Edit::Loop(options) => subject.find_loop(options),
        Edit::Filter(edit) => subject.filter(edit),
        Edit::Transfer(edit) => subject.transfer(edit, shelf),
        Edit::KeepPlants(edit) => subject.keep_plants(edit, is_loop),
    }
}

/// The joints that an edit is for; all where it is for no joints in particular.
pub(crate) fn selection_of(edit: &Edit, skeleton: &Skeleton, body: Option<&BodyMap>) -> Result<Selection, EditProblem> {
    select(edit.joints(), skeleton, body, "joints")
}

pub(crate) fn select(
    words: &JointWords,
    skeleton: &Skeleton,
    body: Option<&BodyMap>,
    option: &'static str,
) -> Result<Selection, EditProblem> {
    match words {
        None => Ok(Selection::all(skeleton)),
        Some(words) => Selection::parse(words.iter().map(String::as_str), skeleton, body)
            .map_err(|error| EditProblem::option(option, error.to_string())),
    }
}

/// What is edited.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) take: &'a SignalClip,
    pub(crate) body: Option<&'a BodyMap>,
}

impl Subject<'_> {
    pub(crate) fn clip(&self) -> &Clip {
        &self.take.clip
    }

    pub(crate) fn select(&self, words: &JointWords) -> Result<Selection, EditProblem> {
        select(words, &self.clip().skeleton, self.body, "joints")
    }

    /// Other rows for the same frames.
    pub(crate) fn with_curves(&self, curves: &Curves) -> SignalClip {
        self.take.with_clip(self.clip().with_poses(curves.to_poses()))
    }

    /// Rows of other frames: contacts go along.
    pub(crate) fn with_time(&self, curves: &Curves, voters: &[Voter<'_>]) -> SignalClip {
        let clip = curves.to_clip(&self.clip().name);
        let contacts = match self.body {
            Some(body) => retime_contacts(&clip, body, voters),
            None => Contacts::none(clip.n_frames()),
        };
        SignalClip { clip, contacts, body: self.body.cloned() }
    }

    fn equalize(&self, edit: &EqualizeEdit) -> Outcome {
        let (n_frames, rate) = (self.clip().n_frames(), self.clip().frame_rate);
        let (option, gains) = match &edit.gains {
            GainWords::Bands(choices) => ("gain", gains_of_choices(choices, n_frames, rate)),
            GainWords::Preset(preset, amount) => ("preset", preset.gains(n_frames, rate, *amount)),
        };
        let wrong = |error: surefoot_signal::EqualizeError| EditProblem::option(option, error.to_string());
        let gains = gains.map_err(wrong)?;
        let groups = [BandGains { selection: self.select(&edit.joints)?, gains: gains.clone() }];
        let usual = match &edit.gains {
            GainWords::Bands(_) => EqualizeOptions::default(),
            GainWords::Preset(preset, _) => preset.options(),
        };
        let options = EqualizeOptions { edge: edit.edge.unwrap_or(usual.edge), ..usual };
        let take = match edit.signals {
            EqualizedSignals::Rotations => {
                let mut curves = Curves::read(self.clip());
                equalize(&mut curves, &groups, &options).map_err(wrong)?;
                self.with_curves(&curves)
            }
            EqualizedSignals::Positions => {
                let clip = equalize_positions(self.clip(), &groups, &options).map_err(wrong)?;
                self.take.with_clip(clip)
            }
        };
        let ranges = band_ranges(n_frames, rate);
        let note = if ranges.is_empty() {
            "a clip of one frame has no bands: nothing changes".to_string()
        } else {
            let band = |(index, gain): (usize, &f64)| {
                let range = ranges.get(index)?;
                Some(format!("{index} ({:.2} Hz) {gain:.2}", range.peak_hz))
            };
            format!("gains by band: {}", gains.iter().enumerate().filter_map(band).collect::<Vec<_>>().join(", "))
        };
        Ok(Applied { notes: vec![note], trace: Trace::Gains(gains), ..Applied::new(take) })
    }

    fn shape(&self, edit: &ShapeEdit) -> Outcome {
        let selection = self.select(&edit.joints)?;
        let mut applied = Applied::new(self.take.clone());
        if let Some((shape, options)) = &edit.shape {
            let mut curves = Curves::read(self.clip());
            shape_channels(&mut curves, &selection, shape, options)
                .map_err(|error| EditProblem::option("range", error.to_string()))?;
            applied.take = self.with_curves(&curves);
            applied.trace = Trace::Shape(shape.clone());
        }
        let limits = self.limits(edit, &selection)?;
        if !limits.is_empty() {
            let options = LimitOptions { soft: edit.soft };
            let limited = limit_joints(&applied.take.clip, self.body, &limits, &options)
                .map_err(|error| EditProblem::option("limit", error.to_string()))?;
            applied.metrics.push(("angles_capped", limited.capped.len() as f64));
            applied.notes.extend(self.describe_capped(&limited));
            applied.take.clip = limited.clip;
        }
        Ok(applied)
    }

    /// Those that bodies have, of the chosen joints, and those that are named.
    fn limits(&self, edit: &ShapeEdit, selection: &Selection) -> Result<Vec<JointLimit>, EditProblem> {
        let skeleton = &self.clip().skeleton;
        let mut limits = Vec::new();
        if edit.body_limits {
            let Some(body) = self.body else {
                let message = "no body was found, and so no joint is known to be a knee; --body names the joints";
                return Err(EditProblem::option("body-limits", message));
            };
            limits
                .extend(anatomical_limits(skeleton, body).into_iter().filter(|limit| selection.has_joint(limit.joint)));
        }
        for text in &edit.limits {
            let parsed = JointLimit::parse(text, skeleton, self.body);
            limits.extend(parsed.map_err(|error| EditProblem::option("limit", error.to_string()))?);
        }
        Ok(limits)
    }

    fn describe_capped(&self, limited: &Limited) -> Vec<String> {
        let skeleton = &self.clip().skeleton;
        let describe = |capped: &CappedAngle| {
            let (name, angle) = (skeleton.name(capped.joint), capped.angle.name());
            let most = capped.most.to_degrees();
            format!("{name}: {angle} beyond its limit in {} frames, by up to {most:.1} degrees", capped.n_frames)
        };
        let mut notes: Vec<String> = limited.capped.iter().take(MAX_REPORTED).map(describe).collect();
        match limited.capped.len() {
            0 => notes.push("every joint is within its limits".to_string()),
            n if n > MAX_REPORTED => notes.push(format!("...and {} more angles", n - MAX_REPORTED)),
            _ => {}
        }
        notes
    }

    fn filter(&self, edit: &FilterEdit) -> Outcome {
        let mut curves = Curves::read(self.clip());
        let selection = self.select(&edit.joints)?;
        let mended = filters::clean(&mut curves, &selection, &edit.options).map_err(|error| filter_problem(&error))?;
        let mut applied = Applied::new(self.with_curves(&curves));
        if edit.options.despike.is_some() {
            applied.metrics.push(("spikes", mended.len() as f64));
            applied.notes.push(format!("{} spikes mended", mended.len()));
            let skeleton = &self.clip().skeleton;
            for spike in mended.iter().take(MAX_REPORTED) {
                let (name, frames) = (skeleton.name(spike.joint), &spike.frames);
                let size = if spike.quantity.is_angle() {
                    format!("{:.0} degrees", spike.jump.to_degrees())
                } else {
                    format!("{:.0} mm", spike.jump * 1000.0)
                };
                applied.notes.push(format!("{name}, frames {}..{}: {size}", frames.start, frames.end));
            }
            if mended.len() > MAX_REPORTED {
                applied.notes.push(format!("...and {} more", mended.len() - MAX_REPORTED));
            }
        }
        Ok(applied)
    }

    fn find_loop(&self, options: &LoopOptions) -> Outcome {
        let found = find_loop(&Curves::read(self.clip()), options).map_err(|error| loop_problem(&error))?;
        let shares = vec![1.0; found.times.len()];
        let voter = Voter { contacts: &self.take.contacts, times: &found.times, shares: &shares };
        let mut applied = Applied::new(self.with_time(&found.curves, &[voter]));
        let seconds = found.cut.len() as f64 / self.clip().frame_rate;
        applied.notes.push(format!(
            "a cycle of {seconds:.2} s, frames {} to {}; its ends are {:.0} mm apart, {:.0} % of how far joints move",
            found.cut.start,
            found.cut.end,
            found.distance * 1000.0,
            found.unlikeness * 100.0
        ));
        if found.unlikeness > NO_CYCLE {
            applied.notes.push("ends that differ so much are hardly a cycle; `cut` names other frames".to_string());
        }
        if found.closed == Closed::Spread {
            let note = "the clip has no frames beyond the cycle: the difference was spread over it, and speed may jump";
            applied.notes.push(note.to_string());
        }
        applied.metrics.extend([
            ("cut_start", found.cut.start as f64),
            ("cut_end", found.cut.end as f64),
            ("distance", found.distance),
            ("unlikeness", found.unlikeness),
        ]);
        Ok(applied)
    }

    fn keep_plants(&self, edit: &KeepPlantsEdit, is_loop: bool) -> Outcome {
        let Some(take) = self.take.to_take() else {
            return Err(EditProblem::option("", "plants cannot be kept: no body was found; --body names the joints"));
        };
        let ground = match &edit.ground {
            None => None,
            Some(GroundWords::Flat(height)) => Some(Terrain::flat(*height)),
            Some(GroundWords::File(path)) => Some(load_terrain(path)?),
        };
        let reach = if edit.rigid { Reach::Rigid } else { Reach::Stretch };
        let options = CleanOptions { reach, ..CleanOptions::default() };
        let before = crate::plant_slide(&take.clip, &take.body, &take.contacts);
        let cleaned = match is_loop {
            true => clean_loop(&take, ground, &options),
            false => clean(&take, ground, &options, CleanForm::Offline),
        };
        let Some(cleaned) = cleaned else {
            let mut applied = Applied::new(self.take.clone());
            applied
                .notes
                .push("no foot is ever planted: there is nothing to keep; --contacts gives plants".to_string());
            return Ok(applied);
        };
        let after = crate::plant_slide(&cleaned.take.clip, &take.body, &cleaned.take.contacts);
        let mut applied = Applied::new(cleaned.take.into());
        applied.notes.push(format!(
            "plants kept: planted feet slid by up to {:.1} mm, and now by {:.4} mm",
            before * 1000.0,
            after * 1000.0
        ));
        if !cleaned.held.is_empty() {
            applied.notes.push(format!("in {} frames the last good pose was held", cleaned.held.len()));
        }
        applied.metrics.extend([("slide_before_mm", before * 1000.0), ("slide_mm", after * 1000.0)]);
        Ok(applied)
    }
}

/// Spikes, or angles, that are reported one by one.
const MAX_REPORTED: usize = 8;

/// Ends of a cycle that differ by more than this share of its movement are seen.
const NO_CYCLE: f64 = 0.3;

fn loop_problem(error: &LoopError) -> EditProblem {
    let option = match error {
        LoopError::TooShort { .. } | LoopError::Option { field: "shortest cycle", .. } => "shortest",
        LoopError::Option { field: "longest cycle", .. } | LoopError::TooMuchWork { .. } => "longest",
        LoopError::Option { field: "zone", .. } => "zone",
        LoopError::Option { .. } | LoopError::TooManyFrames { .. } => "cycles",
        LoopError::Cut { .. } => "cut",
    };
    EditProblem::option(option, error.to_string())
}

fn filter_problem(error: &filters::FilterError) -> EditProblem {
    let filters::FilterError::OutOfRange { field, .. } = error;
    let option = match *field {
        "order" => "order",
        "cutoff_hz" => "lowpass",
        "window in seconds" | "window in frames" => "savitzky-golay",
        "sigma_seconds" => "gaussian",
        "passes" => "orientation",
        _ => "",
    };
    EditProblem::option(option, error.to_string())
}
