//! Each tool of editing clips as signals, on a take.

use crate::signal_edits::{Applied, ClipShelf, EditProblem, Trace};
use crate::{CleanForm, clean, load_terrain};
use std::path::{Path, PathBuf};
use surefoot_formats::{own, read_bytes};
use surefoot_ground::Terrain;
use surefoot_locomotion::footskate::{CleanOptions, Reach};
use surefoot_locomotion::{Contacts, Take};
use surefoot_motion::{BodyMap, Clip, JointId, Skeleton};
use surefoot_signal::{
    Amount, BandGains, BlendEdit, BlendError, BlendOptions, CappedAngle, ChangeWords, Closed, ConcatEdit, Curves,
    DisplaceEdit, DisplaceKey, DisplaceOptions, Edge, Edit, EqualizeEdit, EqualizeOptions, EqualizedSignals, FadeWords,
    FilterEdit, GainWords, GroundWords, JointLimit, JointWeights, JointWords, KeepPlantsEdit, KeyChange, KeyTime,
    KeyWords, KeysFile, LimitOptions, Limited, LoopError, LoopOptions, Member, PartWeights, RegisterBy, RegisterEdit,
    Registration, Selection, ShapeEdit, StridePhase, StyleMatch, TimeWarp, TransferBy, TransferEdit, TransferOptions,
    Voter, WarpEdit, WarpError, anatomical_limits, apply_path, band_ranges, blend, concat, displace, equalize,
    equalize_positions, filters, find_loop, find_warp, gains_of_choices, limit_joints, match_clip, retime_contacts,
    shape_rows, transfer,
};

type Outcome = Result<Applied, EditProblem>;

/// Makes one edit.
pub(crate) fn apply_tool(take: &Take, body: Option<&BodyMap>, edit: &Edit, shelf: &mut ClipShelf) -> Outcome {
    if take.clip.n_frames() == 0 {
        return Err(EditProblem::option("", "the clip holds a skeleton but no motion; a clip has frames"));
    }
    let subject = Subject { take, body };
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
        Edit::KeepPlants(edit) => subject.keep_plants(edit),
    }
}

/// The joints that an edit is for; all where it is for no joints in particular.
pub(crate) fn selection_of(edit: &Edit, skeleton: &Skeleton, body: Option<&BodyMap>) -> Result<Selection, EditProblem> {
    select(edit.joints(), skeleton, body, "joints")
}

fn select(
    words: &JointWords,
    skeleton: &Skeleton,
    body: Option<&BodyMap>,
    option: &'static str,
) -> Result<Selection, EditProblem> {
    match words {
        None => Ok(Selection::all(skeleton)),
        Some(words) => Selection::parse(words.iter().map(String::as_str), skeleton, body)
            .map_err(|error| EditProblem::option(option, error)),
    }
}

/// What is edited.
#[derive(Clone, Copy)]
struct Subject<'a> {
    take: &'a Take,
    body: Option<&'a BodyMap>,
}

impl Subject<'_> {
    fn clip(&self) -> &Clip {
        &self.take.clip
    }

    fn select(&self, words: &JointWords) -> Result<Selection, EditProblem> {
        select(words, &self.clip().skeleton, self.body, "joints")
    }

    /// Other rows for the same frames.
    fn with_curves(&self, curves: &Curves) -> Take {
        Take { clip: self.clip().with_poses(curves.to_poses()), contacts: self.take.contacts.clone() }
    }

    /// Rows of other frames: contacts go along.
    fn with_time(&self, curves: &Curves, voters: &[Voter<'_>]) -> Take {
        let clip = curves.to_clip(&self.clip().name);
        let contacts = match self.body {
            Some(body) => retime_contacts(&clip, body, voters),
            None => Contacts::none(clip.n_frames()),
        };
        Take { clip, contacts }
    }

    fn equalize(&self, edit: &EqualizeEdit) -> Outcome {
        let (n_frames, rate) = (self.clip().n_frames(), self.clip().frame_rate);
        let (option, gains) = match &edit.gains {
            GainWords::Bands(choices) => ("gain", gains_of_choices(choices, n_frames, rate)),
            GainWords::Preset(preset, amount) => ("preset", preset.gains(n_frames, rate, *amount)),
        };
        let wrong = |error: surefoot_signal::EqualizeError| EditProblem::option(option, error);
        let gains = gains.map_err(wrong)?;
        let groups = [BandGains { selection: self.select(&edit.joints)?, gains: gains.clone() }];
        let options = EqualizeOptions { edge: edit.edge, ..EqualizeOptions::default() };
        let take = match edit.signals {
            EqualizedSignals::Rotations => {
                let mut curves = Curves::read(self.clip());
                equalize(&mut curves, &groups, &options).map_err(wrong)?;
                self.with_curves(&curves)
            }
            EqualizedSignals::Positions => {
                let clip = equalize_positions(self.clip(), &groups, &options).map_err(wrong)?;
                Take { clip, contacts: self.take.contacts.clone() }
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
            shape_rows(&mut curves, &selection, shape, options).map_err(|error| EditProblem::option("range", error))?;
            applied.take = self.with_curves(&curves);
            applied.trace = Trace::Shape(shape.clone());
        }
        let limits = self.limits(edit, &selection)?;
        if !limits.is_empty() {
            let options = LimitOptions { soft: edit.soft };
            let limited = limit_joints(&applied.take.clip, self.body, &limits, &options)
                .map_err(|error| EditProblem::option("limit", error))?;
            applied.figures.push(("angles_capped", limited.capped.len() as f64));
            applied.notes.extend(self.tell_capped(&limited));
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
            limits.extend(parsed.map_err(|error| EditProblem::option("limit", error))?);
        }
        Ok(limits)
    }

    fn tell_capped(&self, limited: &Limited) -> Vec<String> {
        let skeleton = &self.clip().skeleton;
        let tell = |capped: &CappedAngle| {
            let (name, angle) = (skeleton.name(capped.joint), capped.angle.name());
            let most = capped.most.to_degrees();
            format!("{name}: {angle} beyond its limit in {} frames, by up to {most:.1} degrees", capped.n_frames)
        };
        let mut notes: Vec<String> = limited.capped.iter().take(MAX_TOLD).map(tell).collect();
        match limited.capped.len() {
            0 => notes.push("every joint is within its limits".to_string()),
            n if n > MAX_TOLD => notes.push(format!("...and {} more angles", n - MAX_TOLD)),
            _ => {}
        }
        notes
    }

    fn filter(&self, edit: &FilterEdit) -> Outcome {
        let mut curves = Curves::read(self.clip());
        let selection = self.select(&edit.joints)?;
        let mended = filters::clean(&mut curves, &selection, &edit.options).map_err(filter_problem)?;
        let mut applied = Applied::new(self.with_curves(&curves));
        if edit.options.despike.is_some() {
            applied.figures.push(("spikes", mended.len() as f64));
            applied.notes.push(format!("{} spikes mended", mended.len()));
            let skeleton = &self.clip().skeleton;
            for spike in mended.iter().take(MAX_TOLD) {
                let (name, frames) = (skeleton.name(spike.joint), &spike.frames);
                let size = if spike.quantity.is_angle() {
                    format!("{:.0} degrees", spike.jump.to_degrees())
                } else {
                    format!("{:.0} mm", spike.jump * 1000.0)
                };
                applied.notes.push(format!("{name}, frames {}..{}: {size}", frames.start, frames.end));
            }
            if mended.len() > MAX_TOLD {
                applied.notes.push(format!("...and {} more", mended.len() - MAX_TOLD));
            }
        }
        Ok(applied)
    }

    fn displace(&self, edit: &DisplaceEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let mut words = match &edit.file {
            Some(path) => read_keys_of(path)?,
            None => KeysFile::default(),
        };
        let n_of_file = words.keys.len();
        words.keys.extend(edit.keys.iter().cloned());
        let mut keys = Vec::new();
        for (index, key) in words.keys.iter().enumerate() {
            let option = if index < n_of_file { "keys" } else { "" };
            keys.push(self.key(index, key, option, shelf, &mut notes)?);
        }
        let usual = DisplaceOptions::default();
        let options = DisplaceOptions {
            fade: match edit.fade.or(words.fade) {
                None => usual.fade,
                Some(FadeWords::ToEnds) => None,
                Some(FadeWords::Seconds(seconds)) => Some(seconds),
            },
            flow: edit.flow.or(words.flow).unwrap_or(usual.flow),
        };
        let displaced =
            displace(self.clip(), self.body, &keys, &options).map_err(|error| EditProblem::option("", error))?;
        let take = Take { clip: displaced.clip, contacts: self.take.contacts.clone() };
        let mut applied = Applied { notes, ..Applied::new(take) };
        applied.notes.push(format!("{} keys", keys.len()));
        for reached in displaced.reached.iter().filter(|reached| reached.missed > OUT_OF_REACH) {
            let (frame, missed) = (keys[reached.key].frame, reached.missed * 1000.0);
            applied.notes.push(format!("key {} at frame {frame}: out of reach by {missed:.0} mm", reached.key));
        }
        let missed = displaced.reached.iter().fold(0.0, |most: f64, reached| most.max(reached.missed));
        applied.figures.extend([("keys", keys.len() as f64), ("missed_mm", missed * 1000.0)]);
        applied.trace = Trace::Keys(keys.iter().map(|key| key.frame).collect());
        Ok(applied)
    }

    fn key(
        &self,
        index: usize,
        words: &KeyWords,
        option: &'static str,
        shelf: &mut ClipShelf,
        notes: &mut Vec<String>,
    ) -> Result<DisplaceKey, EditProblem> {
        let wrong = |error: &dyn std::fmt::Display| EditProblem::option(option, format!("keys[{index}]: {error}"));
        let skeleton = &self.clip().skeleton;
        let select = |joints: &JointWords| match joints {
            None => Ok(Selection::all(skeleton)),
            Some(words) => {
                Selection::parse(words.iter().map(String::as_str), skeleton, self.body).map_err(|error| wrong(&error))
            }
        };
        let joint = |name: &String| -> Result<JointId, EditProblem> {
            let chosen = select(&Some(vec![name.clone()]))?;
            let mut joints = chosen.joints();
            match (joints.next(), joints.next()) {
                (Some(joint), None) => Ok(joint),
                _ => Err(wrong(&format!("`{name}` means several joints; the name of one would be right"))),
            }
        };
        let change = match &words.change {
            ChangeWords::Turn { joint: name, turn, axes } => {
                KeyChange::Turn { joint: joint(name)?, turn: *turn, axes: *axes }
            }
            ChangeWords::Move { joint: name, by, axes } => {
                KeyChange::Move { joint: joint(name)?, by: *by, axes: *axes }
            }
            ChangeWords::Reach { limb, goal, end } => KeyChange::Reach { limb: *limb, goal: *goal, end: *end },
            ChangeWords::Hold { joints } => KeyChange::Hold { joints: select(joints)? },
            ChangeWords::Pose { clip, frame, joints } => {
                let other = self.matched(clip, option, shelf, notes)?;
                let pose = other.clip.poses.get(*frame).cloned().ok_or_else(|| {
                    let (n, name) = (other.clip.n_frames(), &other.clip.name);
                    wrong(&format!("there is no frame {frame} of {name}, which has {n}, counted from 0"))
                })?;
                KeyChange::Pose { pose, joints: joints.as_ref().map(|_| select(joints)).transpose()? }
            }
        };
        let frame = match words.at {
            KeyTime::Frame(frame) => frame,
            KeyTime::Seconds(seconds) => (seconds * self.clip().frame_rate).round() as usize,
        };
        Ok(DisplaceKey { frame, change, tcb: words.tcb, extent: words.extent })
    }

    fn find_loop(&self, options: &LoopOptions) -> Outcome {
        let found = find_loop(&Curves::read(self.clip()), options).map_err(loop_problem)?;
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
        applied.figures.extend([
            ("cut_start", found.cut.start as f64),
            ("cut_end", found.cut.end as f64),
            ("distance", found.distance),
            ("unlikeness", found.unlikeness),
        ]);
        Ok(applied)
    }

    fn keep_plants(&self, edit: &KeepPlantsEdit) -> Outcome {
        let Some(body) = self.body else {
            return Err(EditProblem::option("", "plants cannot be kept: no body was found; --body names the joints"));
        };
        let ground = match &edit.ground {
            None => None,
            Some(GroundWords::Flat(height)) => Some(Terrain::flat(*height)),
            Some(GroundWords::File(path)) => Some(load_terrain(path)?),
        };
        let reach = if edit.rigid { Reach::Rigid } else { Reach::Stretch };
        let options = CleanOptions { reach, ..CleanOptions::default() };
        let before = crate::plant_slide(self.clip(), body, &self.take.contacts);
        let Some(cleaned) = clean(self.take, body, ground, &options, CleanForm::Offline) else {
            let mut applied = Applied::new(self.take.clone());
            applied
                .notes
                .push("no foot is ever planted: there is nothing to keep; --contacts gives plants".to_string());
            return Ok(applied);
        };
        let after = crate::plant_slide(&cleaned.take.clip, body, &cleaned.take.contacts);
        let mut applied = Applied::new(cleaned.take);
        applied.notes.push(format!(
            "plants kept: planted feet slid by up to {:.1} mm, and now by {:.4} mm",
            before * 1000.0,
            after * 1000.0
        ));
        if !cleaned.held.is_empty() {
            applied.notes.push(format!("in {} frames the last good pose was held", cleaned.held.len()));
        }
        applied.figures.extend([("slide_before_mm", before * 1000.0), ("slide_mm", after * 1000.0)]);
        Ok(applied)
    }

    /// Another clip on this one's skeleton.
    fn matched(
        &self,
        path: &Path,
        option: &'static str,
        shelf: &mut ClipShelf,
        notes: &mut Vec<String>,
    ) -> Result<Take, EditProblem> {
        let other = shelf.take(path)?;
        let this = Member { take: self.take, body: self.body };
        let that = Member { take: &other.take, body: other.body.as_ref() };
        let matched = match_clip(this, that).map_err(|error| EditProblem::option(option, error))?;
        if matched.take.clip.n_frames() == 0 {
            let message = format!("{} holds a skeleton but no motion; a clip has frames", path.display());
            return Err(EditProblem::option(option, message));
        }
        notes.extend(matched.notes);
        Ok(matched.take)
    }

    fn matched_all(
        &self,
        paths: &[PathBuf],
        shelf: &mut ClipShelf,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Take>, EditProblem> {
        paths.iter().map(|path| self.matched(path, "with", shelf, notes)).collect()
    }

    /// Which time of the second clip belongs to each of the first.
    fn register(
        &self,
        clips: [&Curves; 2],
        contacts: [&Contacts; 2],
        how: &RegisterEdit,
    ) -> Result<TimeWarp, EditProblem> {
        let _ = contacts;
        Ok(self.find_warp(clips, how)?.warp)
    }

    fn find_warp(&self, [a, b]: [&Curves; 2], how: &RegisterEdit) -> Result<surefoot_signal::FoundWarp, EditProblem> {
        let mut weights = JointWeights::even(&a.skeleton);
        for (word, weight) in &how.weigh {
            let selection = select(&Some(vec![word.clone()]), &a.skeleton, self.body, "weigh")?;
            weights = weights.with(&selection, *weight);
        }
        find_warp(a, b, &weights, &how.find_warp_options()).map_err(warp_problem)
    }

    fn blend(&self, edit: &BlendEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let others = self.matched_all(&edit.with, shelf, &mut notes)?;
        let curves = read_with(self.take, &others);
        let mut warps = Vec::new();
        if edit.register.by != RegisterBy::Frames {
            for (other, take) in curves[1..].iter().zip(&others) {
                warps.push(self.register(
                    [&curves[0], other],
                    [&self.take.contacts, &take.contacts],
                    &edit.register,
                )?);
            }
        }
        let registration = match edit.register.by {
            RegisterBy::Frames => Registration::Frames,
            _ => Registration::Warped(&warps),
        };
        let blended = blend(&curves, registration, &self.blend_options(edit, curves.len())?).map_err(blend_problem)?;
        let contacts = std::iter::once(&self.take.contacts).chain(others.iter().map(|take| &take.contacts));
        let voters: Vec<Voter<'_>> = contacts
            .zip(blended.times.iter().zip(&blended.shares))
            .map(|(contacts, (times, shares))| Voter { contacts, times, shares })
            .collect();
        let mut applied = Applied { notes, ..Applied::new(self.with_time(&blended.curves, &voters)) };
        applied.notes.push(format!("{} clips make {} frames", curves.len(), blended.curves.n_frames()));
        if let (Some(warp), Some(other)) = (warps.into_iter().next(), curves.into_iter().nth(1)) {
            applied.trace = Trace::Warp { warp, other: Box::new(other) };
        }
        Ok(applied)
    }

    fn blend_options(&self, edit: &BlendEdit, n_clips: usize) -> Result<BlendOptions, EditProblem> {
        let part = |joints: &JointWords, bands: Option<_>, weights: Vec<Amount>, option| {
            let selection =
                joints.as_ref().map(|_| select(joints, &self.clip().skeleton, self.body, option)).transpose()?;
            Ok::<PartWeights, EditProblem>(PartWeights { selection, bands, weights })
        };
        let mut weights = all_weights(&edit.weights, n_clips, "weights")?;
        let mut parts = Vec::new();
        if edit.joints.is_some() {
            let own = (0..n_clips).map(|clip| Amount::constant(if clip == 0 { 1.0 } else { 0.0 })).collect();
            parts.push(part(&edit.joints, None, std::mem::replace(&mut weights, own), "joints")?);
        }
        for words in &edit.parts {
            let weights = all_weights(&words.weights, n_clips, "part")?;
            parts.push(part(&words.joints, words.bands.clone(), weights, "part")?);
        }
        let timing = match edit.timing.is_empty() {
            true => None,
            false => Some(all_weights(&edit.timing, n_clips, "timing")?),
        };
        Ok(BlendOptions { weights, parts, timing, edge: Edge::Reflected })
    }

    fn warp(&self, edit: &WarpEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let other = self.matched(&edit.to, "to", shelf, &mut notes)?;
        let curves = read_with(self.take, std::slice::from_ref(&other));
        let (warp, warped, times) = if edit.register.by == RegisterBy::Paper {
            let found = self.find_warp([&curves[1], &curves[0]], &edit.register)?;
            let warped = apply_path(&curves[0], &found.path);
            let middle = |frames: &std::ops::Range<usize>| (frames.start + frames.end - 1) as f64 / 2.0;
            let times: Vec<f64> = found.path.of_each_a().iter().map(middle).collect();
            (found.warp.inverse(), warped, times)
        } else {
            let warp =
                self.register([&curves[0], &curves[1]], [&self.take.contacts, &other.contacts], &edit.register)?;
            let options = BlendOptions {
                timing: Some(vec![rest_of(&edit.amount), edit.amount.clone()]),
                ..BlendOptions::constant(&[1.0, 0.0])
            };
            let mut blended =
                blend(&curves, Registration::Warped(std::slice::from_ref(&warp)), &options).map_err(blend_problem)?;
            (warp, blended.curves, blended.times.swap_remove(0))
        };
        let shares = vec![1.0; times.len()];
        let voter = Voter { contacts: &self.take.contacts, times: &times, shares: &shares };
        let mut applied = Applied { notes, ..Applied::new(self.with_time(&warped, &[voter])) };
        let seconds = |n_frames: usize| n_frames.saturating_sub(1) as f64 / self.clip().frame_rate;
        applied.notes.push(format!(
            "{:.2} s at the pace of {}, which lasts {:.2} s: {:.2} s",
            seconds(self.clip().n_frames()),
            other.clip.name,
            seconds(other.clip.n_frames()),
            seconds(warped.n_frames())
        ));
        let other = curves.into_iter().nth(1).expect("two were read");
        applied.trace = Trace::Warp { warp, other: Box::new(other) };
        Ok(applied)
    }

    fn concat(&self, edit: &ConcatEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let others = self.matched_all(&edit.with, shelf, &mut notes)?;
        let curves = read_with(self.take, &others);
        let joined = concat(&curves, &edit.options).map_err(blend_problem)?;
        let contacts = std::iter::once(&self.take.contacts).chain(others.iter().map(|take| &take.contacts));
        let voters: Vec<Voter<'_>> = contacts
            .zip(joined.times.iter().zip(&joined.shares))
            .map(|(contacts, (times, shares))| Voter { contacts, times, shares })
            .collect();
        let mut applied = Applied { notes, ..Applied::new(self.with_time(&joined.curves, &voters)) };
        for (seam, take) in joined.seams.iter().zip(&others) {
            applied.notes.push(format!(
                "goes over to {} in frames {} to {}; poses there are {:.0} mm apart",
                take.clip.name,
                seam.frames.start,
                seam.frames.end,
                seam.distance * 1000.0
            ));
            applied.figures.push(("seam_distance", seam.distance));
        }
        Ok(applied)
    }

    fn transfer(&self, edit: &TransferEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let neutral = self.matched(&edit.from, "from", shelf, &mut notes)?;
        let styled = self.matched(&edit.to, "to", shelf, &mut notes)?;
        let curves = Curves::read_all(&[self.clip(), &neutral.clip, &styled.clip]);
        let phases = [&self.take.contacts, &neutral.contacts, &styled.contacts].map(StridePhase::from_contacts);
        let bands = match edit.bands.is_empty() {
            true => Vec::new(),
            false => gains_of_choices(&edit.bands, self.clip().n_frames(), self.clip().frame_rate)
                .map_err(|error| EditProblem::option("bands", error))?,
        };
        let selection = edit.joints.as_ref().map(|_| self.select(&edit.joints)).transpose()?;
        let options = TransferOptions { selection, amount: edit.amount.clone(), timing: edit.timing.clone(), bands };
        let made = match (edit.by, &phases) {
            (TransferBy::Either | TransferBy::Strides, [Some(clip), Some(of_neutral), Some(of_styled)]) => {
                notes.push("by strides: feet touch down in turn in all three clips".to_string());
                let how = StyleMatch::Strides { clip, neutral: of_neutral, styled: of_styled };
                transfer(&curves[0], &curves[1], &curves[2], how, &options)
            }
            (TransferBy::Strides, _) => {
                let names = [&self.clip().name, &neutral.clip.name, &styled.clip.name];
                let without = phases.iter().zip(names).find(|(phase, _)| phase.is_none()).expect("one has none").1;
                let message =
                    format!("in {without} feet do not touch down in turn for a stride; movement would be right");
                return Err(EditProblem::option("register", message));
            }
            _ => {
                notes.push("by timewarps of the movement".to_string());
                let to_neutral = self.find_warp([&curves[0], &curves[1]], &edit.register)?.warp;
                let to_styled = self.find_warp([&curves[1], &curves[2]], &edit.register)?.warp;
                let how = StyleMatch::Warps { to_neutral: &to_neutral, to_styled: &to_styled };
                transfer(&curves[0], &curves[1], &curves[2], how, &options)
            }
        };
        let made = made.map_err(|error| EditProblem::option("", error))?;
        let shares = vec![1.0; made.times.len()];
        let voter = Voter { contacts: &self.take.contacts, times: &made.times, shares: &shares };
        let mut applied = Applied { notes, ..Applied::new(self.with_time(&made.curves, &[voter])) };
        if !made.kept.is_empty() {
            let names: Vec<&str> = made.kept.iter().map(|joint| self.clip().skeleton.name(*joint)).collect();
            applied.notes.push(format!("{} turn head over heels and keep their movement", names.join(", ")));
        }
        Ok(applied)
    }
}

/// Keys of a file; clips that it names lie beside it.
fn read_keys_of(path: &Path) -> Result<KeysFile, EditProblem> {
    let mut file = own::read_keys(&read_bytes(path)?).map_err(|error| error.in_file(path))?;
    for key in &mut file.keys {
        if let ChangeWords::Pose { clip, .. } = &mut key.change {
            *clip = path.parent().unwrap_or(Path::new("")).join(&*clip);
        }
    }
    Ok(file)
}

/// Goals that are missed by more than this were out of reach, in metres.
const OUT_OF_REACH: f64 = 1e-3;
/// Spikes, or angles, that are told one by one.
const MAX_TOLD: usize = 8;
/// Ends of a cycle that differ by more than this share of its movement are seen.
const NO_CYCLE: f64 = 0.3;

fn read_with(first: &Take, others: &[Take]) -> Vec<Curves> {
    let clips: Vec<&Clip> = std::iter::once(&first.clip).chain(others.iter().map(|take| &take.clip)).collect();
    Curves::read_all(&clips)
}

/// `1 - amount` at all times.
fn rest_of(amount: &Amount) -> Amount {
    let knots = amount.knots().iter().map(|[time, value]| [*time, 1.0 - value]).collect();
    Amount::through(knots).expect("times that were in order")
}

/// A weight for each clip, from weights for all, for all but the first, or for none.
fn all_weights(given: &[Amount], n_clips: usize, option: &'static str) -> Result<Vec<Amount>, EditProblem> {
    if given.is_empty() {
        return Ok(vec![Amount::constant(1.0); n_clips]);
    }
    if given.len() == n_clips {
        return Ok(given.to_vec());
    }
    let constants: Option<Vec<f64>> = given.iter().map(Amount::as_constant).collect();
    let rest = match (given, constants) {
        ([one], _) => rest_of(one),
        (_, Some(constants)) => Amount::constant(1.0 - constants.iter().sum::<f64>()),
        (_, None) => {
            let message = "weights that change over time need one for the edited clip too, in front of the others";
            return Err(EditProblem::option(option, message));
        }
    };
    Ok(std::iter::once(rest).chain(given.iter().cloned()).collect())
}

fn warp_problem(error: WarpError) -> EditProblem {
    let option = match &error {
        WarpError::TooSteep { .. } => {
            return EditProblem::option("max-slope", format!("{error}; `max-slope` sets the limit"));
        }
        WarpError::Option { field: "smoothing_seconds", .. } => "smoothing",
        WarpError::Option { field: "max_slope", .. } => "max-slope",
        WarpError::Weight { .. } => "weigh",
        _ => "register",
    };
    EditProblem::option(option, error)
}

fn blend_problem(error: BlendError) -> EditProblem {
    let option = match error {
        BlendError::Warp(error) => return warp_problem(error),

        BlendError::Count { what: "timing weights", .. } | BlendError::NoShares { what: "timing weights", .. } => {
            "timing"
        }
        BlendError::Count { .. } | BlendError::NoShares { .. } => "weights",
        BlendError::Bands { .. } => "part",
        _ => "with",
    };
    EditProblem::option(option, error)
}

fn loop_problem(error: LoopError) -> EditProblem {
    let option = match &error {
        LoopError::TooShort { .. } | LoopError::Option { field: "shortest cycle", .. } => "shortest",
        LoopError::Option { field: "longest cycle", .. } => "longest",
        LoopError::Option { field: "zone", .. } => "zone",
        LoopError::Option { .. } => "cycles",
        LoopError::Cut { .. } => "cut",
    };
    EditProblem::option(option, error)
}

fn filter_problem(error: filters::FilterError) -> EditProblem {
    let filters::FilterError::OutOfRange { field, .. } = &error;
    let option = match *field {
        "order" => "order",
        "cutoff_hz" => "lowpass",
        "window in seconds" | "window in frames" => "savitzky-golay",
        "sigma_seconds" => "gaussian",
        "passes" => "orientation",
        _ => "",
    };
    EditProblem::option(option, error)
}
