//! A motion that was made here, as if it had been imported: nothing about it is a guess.

use super::axes::UpAxes;
use super::{Assumed, Import, Reason, Unit};
use surefoot_contact::{Take, path_length};
use surefoot_geom::{Axis, direction_heading};

impl Import {
    /// Of a generated motion: metres, Y up, its body and contacts known.
    pub fn of_made(take: Take) -> Import {
        let Take { clip, body, contacts } = take;
        let poses = clip.world();
        let assumed = Assumed {
            unit: Unit { name: "m", to_metre: 1.0 },
            unit_reason: Reason::Given,
            up: UpAxes { motion: Axis::Y, rest: Axis::Y },
            up_reason: Reason::Given,
            declared_rate: Some(clip.frame_rate),
            rate_reason: Reason::Given,
            dropped_frames: 0,
            floor: None,
            heading: poses.first().and_then(|pose| direction_heading(body.facing(pose))),
            sides: None,
            attached_feet: Vec::new(),
        };
        Import {
            travel: path_length(&poses, &body, clip.frame_rate),
            clip,
            body: Ok(body),
            contacts: Some(contacts),
            assumed,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            n_channels: 0,
            bvh_channels: None,
            animations: Vec::new(),
            character: None,
        }
    }
}
