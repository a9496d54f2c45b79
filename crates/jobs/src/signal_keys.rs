//! Displacement of a clip by keys, their joints and poses found from words.

use crate::signal_edits::{Applied, ClipShelf, EditProblem, Trace};
use crate::signal_tools::{Outcome, Subject};
use std::path::Path;
use surefoot_formats::{own, read_bytes};
use surefoot_motion::{JointId, PoseRef};
use surefoot_signal::{
    ChangeWords, DisplaceEdit, DisplaceKey, DisplaceOptions, FadeWords, JointWords, KeyChange, KeyTime, KeyWords,
    KeysFile, Selection, displace,
};

impl Subject<'_> {
    pub(crate) fn displace(&self, edit: &DisplaceEdit, shelf: &mut ClipShelf) -> Outcome {
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
        let displaced = displace(self.clip(), self.body, &keys, &options)
            .map_err(|error| EditProblem::option("", error.to_string()))?;
        let take = self.take.with_clip(displaced.clip);
        let mut applied = Applied { notes, ..Applied::new(take) };
        let n_keys = keys.len();
        applied.notes.push(format!("{n_keys} key{}", if n_keys == 1 { "" } else { "s" }));
        for reached in displaced.reached.iter().filter(|reached| reached.missed > OUT_OF_REACH) {
            let (frame, missed) = (keys[reached.key].frame, reached.missed * 1000.0);
            applied.notes.push(format!("key {} at frame {frame}: out of reach by {missed:.0} mm", reached.key));
        }
        let missed = displaced.reached.iter().fold(0.0, |most: f64, reached| most.max(reached.missed));
        applied.metrics.extend([("keys", keys.len() as f64), ("missed_mm", missed * 1000.0)]);
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
                let pose = other.clip.poses().get(*frame).map(PoseRef::to_pose).ok_or_else(|| {
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
