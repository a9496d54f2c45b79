//! Tools of editing clips as signals that need other clips: blending, timewarping, joining, style transfer.

use crate::signal_edits::{Applied, ClipShelf, EditProblem, Trace, plant_slide};
use crate::signal_tools::{Outcome, Subject, select};
use std::path::{Path, PathBuf};
use surefoot_contact::Contacts;
use surefoot_motion::Clip;
use surefoot_signal::{
    Amount, BlendEdit, BlendError, BlendOptions, ConcatEdit, Curves, Edge, FoundWarp, JointWeights, JointWords,
    PartWeights, RegisterBy, RegisterEdit, RegisterOptions, Registration, SignalClip, StridePhase, StyleMatch,
    TimeWarp, TransferBy, TransferEdit, TransferOptions, Voter, WarpEdit, WarpError, apply_path, blend, concat,
    find_warp, gains_of_choices, match_clip, register_contacts, transfer,
};

impl Subject<'_> {
    /// Another clip on this one's skeleton.
    pub(crate) fn matched(
        &self,
        path: &Path,
        option: &'static str,
        shelf: &mut ClipShelf,
        notes: &mut Vec<String>,
    ) -> Result<SignalClip, EditProblem> {
        let other = shelf.take(path)?;
        let matched = match_clip(self.take, &other).map_err(|error| EditProblem::option(option, error.to_string()))?;
        if matched.clip.clip.n_frames() == 0 {
            let message = format!("{} holds a skeleton but no motion; a clip has frames", path.display());
            return Err(EditProblem::option(option, message));
        }
        notes.extend(matched.notes);
        Ok(matched.clip)
    }

    fn matched_all(
        &self,
        paths: &[PathBuf],
        shelf: &mut ClipShelf,
        notes: &mut Vec<String>,
    ) -> Result<Vec<SignalClip>, EditProblem> {
        paths.iter().map(|path| self.matched(path, "with", shelf, notes)).collect()
    }

    /// Which time of the second clip belongs to each of the first.
    fn register(
        &self,
        clips: [&Curves; 2],
        contacts: [&Contacts; 2],
        how: &RegisterEdit,
        notes: &mut Vec<String>,
    ) -> Result<TimeWarp, EditProblem> {
        if how.by != RegisterBy::Contacts {
            return Ok(self.find_warp(clips, Vec::new(), how)?.warp);
        }
        let usual = RegisterOptions::default();
        let max_slope = how.max_slope.map_or(usual.max_slope, |slope| slope as f64);
        let steps = register_contacts(contacts[0], contacts[1], &RegisterOptions { max_slope, ..usual });
        let steps = steps.map_err(|error| warp_problem(&error))?;
        if steps.matched.is_empty() {
            let message = "no step of one clip belongs to one of the other; movement would be right";
            return Err(EditProblem::option("register", message));
        }
        notes.push(format!(
            "{} touchdowns and lift-offs of feet belong together; {} of the one clip and {} of the other to none",
            steps.matched.len(),
            steps.skipped_a.len(),
            steps.skipped_b.len()
        ));
        // The movement decides what lies between steps; where it cannot follow them, the steps alone do.
        let found = self.find_warp(clips, steps.anchors(), how);
        Ok(found.map_or(steps.warp, |found| found.warp))
    }

    fn find_warp(
        &self,
        [a, b]: [&Curves; 2],
        anchors: Vec<[usize; 2]>,
        how: &RegisterEdit,
    ) -> Result<FoundWarp, EditProblem> {
        let mut weights = JointWeights::even(&a.skeleton);
        for (word, weight) in &how.weigh {
            let selection = select(&Some(vec![word.clone()]), &a.skeleton, self.body, "weigh")?;
            weights = weights.with(&selection, *weight);
        }
        let mut options = how.find_warp_options();
        options.correspond.anchors = anchors;
        find_warp(a, b, &weights, &options).map_err(|error| warp_problem(&error))
    }

    pub(crate) fn blend(&self, edit: &BlendEdit, shelf: &mut ClipShelf) -> Outcome {
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
                    &mut notes,
                )?);
            }
        }
        let registration = match edit.register.by {
            RegisterBy::Frames => Registration::Frames,
            _ => Registration::Warped(&warps),
        };
        let blended = blend(&curves, registration, &self.blend_options(edit, curves.len())?)
            .map_err(|error| blend_problem(&error))?;
        let contacts = std::iter::once(&self.take.contacts).chain(others.iter().map(|take| &take.contacts));
        let voters: Vec<Voter<'_>> = contacts
            .zip(blended.times.iter().zip(&blended.shares))
            .map(|(contacts, (times, shares))| Voter { contacts, times, shares })
            .collect();
        let mut applied = Applied { notes, ..Applied::new(self.with_time(&blended.curves, &voters)) };
        applied.notes.push(format!("{} clips make {} frames", curves.len(), blended.curves.n_frames()));
        if self.body.is_some_and(|body| plant_slide(&applied.take.clip, body, &applied.take.contacts) > FAR) {
            applied.notes.push(out_of_step(edit.register.by).to_string());
        }
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

    pub(crate) fn warp(&self, edit: &WarpEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let other = self.matched(&edit.to, "to", shelf, &mut notes)?;
        let curves = read_with(self.take, std::slice::from_ref(&other));
        let (warp, warped, times) = if edit.register.by == RegisterBy::Paper {
            let found = self.find_warp([&curves[1], &curves[0]], Vec::new(), &edit.register)?;
            let warped = apply_path(&curves[0], &found.path);
            let middle = |frames: &std::ops::Range<usize>| (frames.start + frames.end - 1) as f64 / 2.0;
            let times: Vec<f64> = found.path.of_each_a().iter().map(middle).collect();
            (found.warp.inverse(), warped, times)
        } else {
            let warp = self.register(
                [&curves[0], &curves[1]],
                [&self.take.contacts, &other.contacts],
                &edit.register,
                &mut notes,
            )?;
            let options = BlendOptions {
                timing: Some(vec![rest_of(&edit.amount), edit.amount.clone()]),
                ..BlendOptions::constant(&[1.0, 0.0])
            };
            let mut blended = blend(&curves, Registration::Warped(std::slice::from_ref(&warp)), &options)
                .map_err(|error| blend_problem(&error))?;
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

    pub(crate) fn concat(&self, edit: &ConcatEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let others = self.matched_all(&edit.with, shelf, &mut notes)?;
        let curves = read_with(self.take, &others);
        let joined = concat(&curves, &edit.options).map_err(|error| blend_problem(&error))?;
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
            applied.metrics.push(("seam_distance", seam.distance));
        }
        Ok(applied)
    }

    pub(crate) fn transfer(&self, edit: &TransferEdit, shelf: &mut ClipShelf) -> Outcome {
        let mut notes = Vec::new();
        let neutral = self.matched(&edit.from, "from", shelf, &mut notes)?;
        let styled = self.matched(&edit.to, "to", shelf, &mut notes)?;
        let curves = Curves::read_all(&[self.clip(), &neutral.clip, &styled.clip]);
        let phases = [&self.take.contacts, &neutral.contacts, &styled.contacts].map(StridePhase::from_contacts);
        let bands = match edit.bands.is_empty() {
            true => Vec::new(),
            false => gains_of_choices(&edit.bands, self.clip().n_frames(), self.clip().frame_rate)
                .map_err(|error| EditProblem::option("bands", error.to_string()))?,
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
                let to_neutral = self.find_warp([&curves[0], &curves[1]], Vec::new(), &edit.register)?.warp;
                let to_styled = self.find_warp([&curves[1], &curves[2]], Vec::new(), &edit.register)?.warp;
                let how = StyleMatch::Warps { to_neutral: &to_neutral, to_styled: &to_styled };
                transfer(&curves[0], &curves[1], &curves[2], how, &options)
            }
        };
        let made = made.map_err(|error| EditProblem::option("", error.to_string()))?;
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

fn read_with(first: &SignalClip, others: &[SignalClip]) -> Vec<Curves> {
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

fn warp_problem(error: &WarpError) -> EditProblem {
    let option = match error {
        WarpError::TooSteep { .. } => {
            return EditProblem::option("max-slope", format!("{error}; `max-slope` sets the limit"));
        }
        WarpError::Option { field: "smoothing_seconds", .. } => "smoothing",
        WarpError::Option { field: "max_slope", .. } => "max-slope",
        WarpError::Weight { .. } => "weigh",
        _ => "register",
    };
    EditProblem::option(option, error.to_string())
}

fn blend_problem(error: &BlendError) -> EditProblem {
    let option = match error {
        BlendError::Warp(error) => return warp_problem(error),

        BlendError::Count { what: "timing weights", .. } | BlendError::NoShares { what: "timing weights", .. } => {
            "timing"
        }
        BlendError::Count { .. } | BlendError::NoShares { .. } => "weights",
        BlendError::Bands { .. } => "part",
        _ => "with",
    };
    EditProblem::option(option, error.to_string())
}

/// Feet that slide farther than this while they should be planted belong to clips that are not in step, in metres.
/// Walks in step let them slide by less than 0.05 m, others by more than 0.2 m.
const FAR: f64 = 0.15;

/// What to do about feet of clips that are not planted at the same times.
fn out_of_step(by: RegisterBy) -> &'static str {
    match by {
        RegisterBy::Frames => {
            "feet of the clips are not planted at the same times; other values of `register` bring them together"
        }
        RegisterBy::Movement | RegisterBy::Paper | RegisterBy::Contacts => {
            "the clips are out of step: feet that should be planted move in one of them; clips that begin with the same \
             foot and take as many steps are in step (convert --slice, convert --mirror)"
        }
    }
}
