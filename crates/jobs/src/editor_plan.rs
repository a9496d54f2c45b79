//! A foot plan while it is edited: each footprint has an id that stays, so that edits of several windows are merged.
//!
//! An edit is a pair of plans, before and after, as one window saw them. [`merge_edit`] makes of the present plan what the edit makes of
//! its `before`: footprints that it changed, removed and inserted, by their ids. So undoing an edit is the same pair the other way round,
//! and what another window did in the meantime stays.

use crate::job_error::JobError;
use crate::plan_file_limits::{MAX_EDITED_FOOTPRINTS, check_footprint};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

/// A footprint of an edited plan: as in plan files, with an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EditorPrint {
    /// Stays with it while it is moved, and is given to no other.
    pub id: u32,
    /// `left` or `right`.
    pub foot: crate::gait_job::FootName,
    /// Where the ball is planted, in metres.
    pub position: [f64; 3],
    /// Degrees; 0 is +Z, positive turns toward +X.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// Seconds from the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub land: Option<f64>,
    /// Seconds from the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leave: Option<f64>,
    /// Seconds in the air before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swing: Option<f64>,
    /// Seconds of double support after landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<f64>,
    /// Upward normal of the ground; level where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f64; 3]>,
    /// What to do to come here, where it shall not be inferred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<String>,
    /// Repair leaves it where it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
}

impl EditorPrint {
    fn footprint(&self, index: usize) -> Result<Footprint, JobError> {
        check_footprint(self, index)?;
        let behaviour = match &self.behaviour {
            None => None,
            Some(name) => {
                let found = Behaviour::ALL.into_iter().find(|behaviour| behaviour.name() == name);
                Some(found.ok_or_else(|| {
                    let names = Behaviour::ALL.map(Behaviour::name).join(", ");
                    let message = format!("footprints[{index}].behaviour is none of {names}");
                    JobError::new("type", message).at_footprint(index)
                })?)
            }
        };
        Ok(Footprint {
            heading: self.heading.map(f64::to_radians),
            land: self.land,
            leave: self.leave,
            swing: self.swing,
            support: self.support,
            normal: self.normal.map_or(Vec3::Y, |normal| Vec3::from_array(normal).normalize_or(Vec3::Y)),
            behaviour,
            is_fixed: self.fixed,
            ..Footprint::at(self.foot.into(), Vec3::from_array(self.position))
        })
    }
}

/// A plan of a file, with ids from `first_id` on.
pub fn editor_prints(plan: &FootPlan, first_id: u32) -> Vec<EditorPrint> {
    let print = |(id, print): (u32, &Footprint)| EditorPrint {
        id,
        foot: match print.side {
            Side::Left => crate::gait_job::FootName::Left,
            Side::Right => crate::gait_job::FootName::Right,
        },
        position: print.position.to_array(),
        heading: print.heading.map(f64::to_degrees),
        land: print.land,
        leave: print.leave,
        swing: print.swing,
        support: print.support,
        normal: (print.normal != Vec3::Y).then(|| print.normal.to_array()),
        behaviour: print.behaviour.map(|behaviour| behaviour.name().to_string()),
        fixed: print.is_fixed,
    };
    (first_id..).zip(&plan.footprints).map(print).collect()
}

/// The plan, or which footprint has a number or a word that cannot be.
pub fn plan_of_prints(prints: &[EditorPrint]) -> Result<FootPlan, JobError> {
    if prints.len() > MAX_EDITED_FOOTPRINTS {
        let message = format!("{} footprints; an edited plan has at most {MAX_EDITED_FOOTPRINTS}", prints.len());
        return Err(JobError::new("too_long", message));
    }
    let mut ids = HashSet::new();
    if let Some(index) = prints.iter().position(|print| !ids.insert(print.id)) {
        let message = format!("footprints[{index}] has the id {} of another one", prints[index].id);
        return Err(JobError::new("type", message).at_footprint(index));
    }
    let footprints = prints.iter().enumerate().map(|(index, print)| print.footprint(index));
    Ok(FootPlan { footprints: footprints.collect::<Result<_, _>>()? })
}

/// Puts footprints on the ground where it is.
pub fn snap_to_ground(prints: &mut [EditorPrint], terrain: &Terrain) {
    for print in prints.iter_mut().filter(|print| !print.fixed) {
        print.position[1] = terrain.height(ground_point(Vec3::from_array(print.position)));
        print.normal = None;
    }
}

/// The present plan with an edit that made `after` of `before`.
pub fn merge_edit(present: &[EditorPrint], before: &[EditorPrint], after: &[EditorPrint]) -> Vec<EditorPrint> {
    if present == before {
        return after.to_vec();
    }
    let old: HashMap<u32, &EditorPrint> = before.iter().map(|print| (print.id, print)).collect();
    let new: HashMap<u32, &EditorPrint> = after.iter().map(|print| (print.id, print)).collect();
    let is_there: HashSet<u32> = present.iter().map(|print| print.id).collect();
    let mut merged: Vec<EditorPrint> = Vec::new();
    for print in present {
        match (old.get(&print.id), new.get(&print.id)) {
            // The edit took it away.
            (Some(_), None) => {}
            (Some(old), Some(new)) if old != new => merged.push((*new).clone()),
            _ => merged.push(print.clone()),
        }
    }
    for (index, print) in after.iter().enumerate() {
        let is_changed = old.get(&print.id).is_some_and(|old| *old != print);
        if is_there.contains(&print.id) || (old.contains_key(&print.id) && !is_changed) {
            continue;
        }
        // Inserted, or changed while another window took it away: behind the nearest footprint before it that is left.
        let place =
            after[..index].iter().rev().find_map(|before| merged.iter().position(|there| there.id == before.id));
        merged.insert(place.map_or(0, |place| place + 1), print.clone());
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(ids: &[u32]) -> Vec<EditorPrint> {
        let plan = FootPlan { footprints: vec![Footprint::at(Side::Left, Vec3::ZERO); ids.len()] };
        let mut prints = editor_prints(&plan, 0);
        prints.iter_mut().zip(ids).for_each(|(print, id)| print.id = *id);
        prints
    }

    fn moved(mut list: Vec<EditorPrint>, id: u32, x: f64) -> Vec<EditorPrint> {
        list.iter_mut().filter(|print| print.id == id).for_each(|print| print.position[0] = x);
        list
    }

    #[test]
    fn edits_of_two_windows_both_stay() {
        let start = prints(&[1, 2, 3, 4]);
        let mine = moved(start.clone(), 2, 0.5);
        let other = moved(prints(&[1, 2, 9, 3]), 3, 0.7);
        let merged = merge_edit(&merge_edit(&start, &start, &mine), &start, &other);
        assert_eq!(merged.iter().map(|print| print.id).collect::<Vec<_>>(), [1, 2, 9, 3]);
        assert_eq!([merged[1].position[0], merged[3].position[0]], [0.5, 0.7]);
    }

    #[test]
    fn undo_takes_back_no_more_than_the_edit() {
        let start = prints(&[1, 2, 3]);
        let mine = moved(prints(&[1, 2, 5, 3]), 1, 0.2);
        let present = moved(mine.clone(), 3, 0.9);
        let undone = merge_edit(&present, &mine, &start);
        assert_eq!(undone, moved(start, 3, 0.9));
    }

    #[test]
    fn a_footprint_that_one_window_moves_and_the_other_takes_away_is_not_lost() {
        let start = prints(&[1, 2, 3]);
        let merged = merge_edit(&prints(&[1, 3]), &start, &moved(start.clone(), 2, 0.4));
        assert_eq!(merged, moved(start, 2, 0.4));
    }

    #[test]
    fn nonsense_is_refused_by_its_footprint() {
        let mut list = prints(&[1, 2]);
        list[1].position[2] = f64::NAN;
        assert_eq!(plan_of_prints(&list).expect_err("no number").footprint, Some(1));
        let mut list = prints(&[1, 2]);
        list[0].behaviour = Some("fly".to_string());
        assert!(plan_of_prints(&list).expect_err("no behaviour").message.contains("walk, run"));
        assert_eq!(plan_of_prints(&prints(&[4, 4])).expect_err("one id").footprint, Some(1));
    }
}
