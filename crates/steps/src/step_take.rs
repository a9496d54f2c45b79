//! A step of a database as a motion, to look at: its own frames at its own pace, nothing blended.
//!
//! The supporting foot is at the origin and faces as the step has it. Heights are put back over the base lines that rows are kept over
//! ([`super::step_heights`]).

use super::step_heights::{PelvisBase, along_line, foot_base};
use super::step_rows::RowHeadings;
use super::{LinearPose, N_ROWS, N_SUPPORT, N_SWING, RowLayout, StepDatabase};
use surefoot_contact::{Contacts, FootPart, Take};
use surefoot_geom::Vec3;
use surefoot_motion::{Clip, Pose, Side};

/// A part is planted where more than half of it is.
const PLANTED: f64 = 0.5;

impl StepDatabase {
    /// One of [`StepDatabase::steps`] as a take; `None` if there is none of that number. `frame_rate` is positive.
    pub fn step_take(&self, index: usize, frame_rate: f64) -> Option<Take> {
        let step = self.steps().get(index)?;
        let (body, layout) = (self.body(), self.layout());
        let (width, swing) = (layout.width(), step.swing());
        let skeleton = body.skeleton();
        let n_frames = (step.times.total() * frame_rate).floor() as usize + 1;
        let row_at = |row: usize| &step.rows[row * width..][..width];
        let ball_at = |row: usize| {
            let ball = &row_at(row)[RowLayout::ball_of(swing)..][..3];
            Vec3::new(f64::from(ball[0]), f64::from(ball[1]), f64::from(ball[2]))
        };
        let (from, to) = (ball_at(0), ball_at(N_ROWS - 1));
        let pelvis = PelvisBase::new(step.heights, &step.times);
        let mut poses: Vec<Pose> = Vec::with_capacity(n_frames);
        let mut planted = Vec::with_capacity(n_frames);
        let (mut linear, mut rotations, mut mixed) = (LinearPose::default(), Vec::new(), vec![0.0f32; width]);
        let mut row = 0;
        for frame in 0..n_frames {
            let time = frame as f64 / frame_rate;
            while row + 2 < N_ROWS && step.times.at_row((row + 1) as f64) <= time {
                row += 1;
            }
            let interval = step.times.interval(row);
            let share = if interval > 0.0 { (time - step.times.at_row(row as f64)) / interval } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            for ((out, a), b) in mixed.iter_mut().zip(row_at(row)).zip(row_at(row + 1)) {
                *out = a + (b - a) * share as f32;
            }
            let at = row as f64 + share;
            let signs = layout.read(&mixed, &RowHeadings::new(swing, step.headings, at), &mut linear);
            let swung = ((at - N_SUPPORT as f64) / N_SWING as f64).clamp(0.0, 1.0);
            let foot = &mut linear.feet[swing].ball;
            foot.y += foot_base(step.heights, along_line(from, to, *foot, swung));
            linear.pelvis.translation.y += pelvis.at(time);
            let mut pose = skeleton.rest_pose();
            body.rotations(&linear, &mut rotations);
            body.write_pose(&linear, &rotations, &mut pose);
            poses.push(pose);
            planted.push(signs.planted);
        }
        let clip = Clip::new(step.source.name().to_string(), skeleton.clone(), frame_rate, poses.into_iter().collect());
        let body = body.body().clone();
        let mut ranges = Vec::new();
        for side in Side::BOTH {
            for (k, part) in FootPart::BOTH.into_iter().enumerate() {
                let is_down = |frame: usize| planted[frame][side][k] > PLANTED;
                let mut frame = 0;
                while frame < n_frames {
                    let end = (frame..n_frames).find(|&later| !is_down(later)).unwrap_or(n_frames);
                    if end > frame {
                        ranges.push((side, part, frame..end));
                    }
                    frame = end + 1;
                }
            }
        }
        let contacts = Contacts::from_ranges(&clip, &body, &ranges)
            .expect("ranges that were found in order, of frames that are there");
        Some(Take { clip, body, contacts })
    }
}
