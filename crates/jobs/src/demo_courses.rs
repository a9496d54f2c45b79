//! Courses of footprints without labels or times, that are walked, run, jumped and climbed: the two of COMPOSE figure 13, and a parkour.
//!
//! The paper shows its courses as pictures. Ours have their kinds of steps, and the first its number of footprints.

use crate::demo_plans::{DemoPlan, Trail};
use surefoot_contact::FootPlan;
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// All of them.
pub fn demo_courses() -> Vec<DemoPlan> {
    let plan = |name, what, plan| DemoPlan { name, what, plan };
    vec![
        plan("course", "walking, running, sidestepping, jumping and a leap: 46 footprints", course()),
        plan("course-stairs", "up stairs, along, down stairs, and a jump on both feet", stairs_course()),
        plan("parkour", "a run, a leap, onto a block, down, hops, and a run on", parkour()),
    ]
}

/// Feet of someone who runs are nearer to one line, in metres.
const RUN_WIDTH: f64 = 0.12;
const WALK_WIDTH: f64 = 0.2;

impl Trail {
    pub(crate) fn walk(&mut self, lengths: &[f64]) {
        self.width = WALK_WIDTH;
        lengths.iter().for_each(|length| self.step(*length, 0.0));
    }

    pub(crate) fn run(&mut self, lengths: &[f64]) {
        self.width = RUN_WIDTH;
        lengths.iter().for_each(|length| self.step(*length, 0.0));
        self.width = WALK_WIDTH;
    }

    pub(crate) fn rise(&mut self, height: f64) {
        self.at.y += height;
    }

    /// Both feet land.
    pub(crate) fn jump(&mut self, length: f64) {
        self.width = WALK_WIDTH;
        self.step(length, 0.0);
        self.step(0.0, 0.0);
    }

    /// The foot that stands lands again.
    pub(crate) fn hop(&mut self, length: f64) {
        let side = self.next_side().opposite();
        self.at += length * Vec3::new(self.heading.sin(), 0.0, self.heading.cos());
        self.put(side);
    }

    /// One foot goes to its side, the other follows.
    pub(crate) fn sidestep(&mut self, length: f64) {
        let side = self.next_side();
        let to_left = if side == Side::Left { length } else { -length };
        self.at += to_left * Vec3::new(self.heading.cos(), 0.0, -self.heading.sin());
        self.put(side);
        self.put(side.opposite());
    }
}

fn course() -> FootPlan {
    let mut trail = Trail::standing(Side::Left);
    trail.walk(&[0.5, 0.65, 0.7, 0.7, 0.75]);
    trail.run(&[1.0, 1.2, 1.3, 1.3, 1.3, 1.2, 1.0]);
    trail.walk(&[0.7, 0.6, 0.4, 0.0]);
    (0..3).for_each(|_| trail.sidestep(0.35));
    trail.walk(&[0.5, 0.6, 0.5, 0.0]);
    trail.jump(0.9);
    trail.jump(1.1);
    trail.walk(&[0.55, 0.65, 0.7]);
    trail.run(&[1.0, 1.2, 1.3]);
    trail.run(&[2.1]);
    trail.run(&[1.3, 1.0]);
    trail.walk(&[0.7, 0.65, 0.55, 0.45, 0.0]);
    trail.plan()
}

fn stairs_course() -> FootPlan {
    let mut trail = Trail::standing(Side::Right);
    trail.walk(&[0.5, 0.6, 0.55]);
    for _ in 0..4 {
        trail.rise(0.17);
        trail.walk(&[0.3]);
    }
    trail.walk(&[0.5, 0.6, 0.6, 0.5]);
    for _ in 0..4 {
        trail.rise(-0.17);
        trail.walk(&[0.3]);
    }
    trail.walk(&[0.5, 0.6, 0.5, 0.0]);
    trail.jump(1.0);
    trail.walk(&[0.5, 0.6, 0.45, 0.0]);
    trail.plan()
}

fn parkour() -> FootPlan {
    let mut trail = Trail::standing(Side::Left);
    trail.walk(&[0.55, 0.7, 0.75]);
    trail.run(&[1.0, 1.2, 1.3, 1.3]);
    trail.run(&[2.2]);
    trail.run(&[1.3, 1.1]);
    trail.walk(&[0.7, 0.6]);
    // Onto a block, and down on its other side.
    trail.rise(0.35);
    trail.jump(1.0);
    trail.walk(&[0.5, 0.5, 0.0]);
    trail.rise(-0.35);
    trail.jump(0.8);
    trail.walk(&[0.5, 0.6]);
    (0..3).for_each(|_| trail.hop(0.55));
    trail.walk(&[0.6, 0.7, 0.75]);
    trail.run(&[1.0, 1.2, 1.2, 1.0]);
    trail.walk(&[0.7, 0.6, 0.45, 0.0]);
    trail.plan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_has_the_papers_number_of_footprints_and_none_has_labels_or_times() {
        let courses = demo_courses();
        assert_eq!(courses[0].plan.footprints.len(), 46);
        for print in courses.iter().flat_map(|course| &course.plan.footprints) {
            let times = [print.land, print.leave, print.swing, print.support];
            assert!(print.behaviour.is_none() && times.iter().all(Option::is_none));
        }
    }
}
