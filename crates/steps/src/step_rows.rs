//! The frames of a step as rows of numbers that may be summed: blending steps is one weighted sum of rows.
//!
//! A row is linear in everything it holds. Rotations are rotation vectors, which needs a reference that they are near to:
//!
//! - joints: about their mean over the database;
//! - pelvis and feet (their soles, not their ankles, whose axes are anybody's): from the *row's headings* ([`RowHeadings`]), which follow from the three headings of the step. So a
//!   step that turns by 80 degrees and one that turns by 40 blend into one that turns by 60, whatever the supporting frame
//!   they were recorded in.
//!
//! Beside the pose a row has how much of heel and ball is planted, and how far each leg is extended, from 0 to 1: blended
//! positions are nearer to each other than the recorded ones, so that blended legs would come out too short.
//!
//! Departure: STRIDE 5.3 blends the rotations of pelvis and feet in the supporting frame, about one of the steps.

use super::{LinearBody, LinearFoot, LinearPose, N_SUPPORT, N_SWING};
use surefoot_geom::{Quat, Transform, Vec3, nearest_turn, rotation, smoothstep, turn_between};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::FootContact;

/// How a pose lies in a row: pelvis (3 + 3), left foot and right foot (3 + 3 + roll + heel + ball + extension), three for
/// each other joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLayout {
    /// Joints of [`LinearBody::others`].
    pub n_others: usize,
}

const PELVIS: usize = 6;
const FOOT: usize = 10;
/// Where the other joints begin.
const OTHERS: usize = PELVIS + 2 * FOOT;
/// Places of a foot's numbers from its first.
const TURN: usize = 3;
const ROLL: usize = 6;
const PLANTED: usize = 7;
const EXTENSION: usize = 9;

/// Extensions that legs have; recordings may stretch them.
const EXTENSIONS: std::ops::RangeInclusive<f32> = 0.05..=1.5;

/// The longest that a leg is of one whose steps were brought to another body: those of recorded walks are hardly longer.
const STRAIGHT: f32 = 0.995;

/// What a row says beside its pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowSigns {
    /// How much of heel and ball is planted: 1 in all of the blended steps, 0 in none.
    pub(super) planted: PerSide<[f64; 2]>,
    /// From hip to ankle, as a share of a straight leg.
    pub(super) extension: PerSide<f64>,
}

/// Headings of pelvis and feet that a row's rotations are counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowHeadings {
    pelvis: f64,
    feet: PerSide<f64>,
}

impl RowHeadings {
    /// At a fractional row of a step with headings of the supporting foot, and of the swinging one before and after: the
    /// swinging foot turns during its swing, and the pelvis is turned halfway between the feet.
    pub(super) fn new(swing: Side, [support, from, to]: [f64; 3], row: f64) -> RowHeadings {
        let share = smoothstep((row - N_SUPPORT as f64) / N_SWING as f64);
        let middle = |foot: f64| support + 0.5 * turn_between(support, foot);
        let between = |a: f64, b: f64| a + share * turn_between(a, b);
        let mut feet = PerSide::new(support, support);
        feet[swing] = between(from, to);
        RowHeadings { pelvis: between(middle(from), middle(to)), feet }
    }
}

impl RowLayout {
    /// Numbers in a row.
    pub const fn width(self) -> usize {
        OTHERS + 3 * self.n_others
    }

    /// Where the places of pelvis and balls are.
    pub(super) const PLACES: [usize; 3] = [0, PELVIS, PELVIS + FOOT];
    /// Where the pelvis's height is.
    pub(super) const PELVIS_HEIGHT: usize = 1;

    /// Where the numbers of one of the other joints begin.
    pub(super) const fn other_at(self, joint: usize) -> usize {
        OTHERS + 3 * joint
    }

    /// Where a foot's numbers begin, with its ball.
    pub(super) const fn ball_of(side: Side) -> usize {
        match side {
            Side::Left => PELVIS,
            Side::Right => PELVIS + FOOT,
        }
    }

    /// A foot's numbers that say where it is: ball, rotation and the knee's roll.
    pub(super) const fn moves_of(side: Side) -> std::ops::Range<usize> {
        RowLayout::ball_of(side)..RowLayout::ball_of(side) + PLANTED
    }

    /// Gives the foot of a row another rotation.
    pub(super) fn turn_foot(row: &mut [f32], side: Side, turned: impl Fn(Quat) -> Quat) {
        let numbers = &mut row[RowLayout::ball_of(side) + TURN..][..3];
        write_vec(rotation::log_map(turned(rotation::exp_map(read_vec(numbers)))), numbers);
    }

    pub(super) fn write(
        self,
        body: &LinearBody,
        pose: &LinearPose,
        down: PerSide<FootContact>,
        headings: &RowHeadings,
        row: &mut [f32],
    ) {
        let planted = down.map(|down| [down.heel, down.ball].map(|is_down| f32::from(u8::from(is_down))));
        self.write_planted(body, pose, planted, headings, row);
    }

    pub(super) fn write_planted(
        self,
        body: &LinearBody,
        pose: &LinearPose,
        planted: PerSide<[f32; 2]>,
        headings: &RowHeadings,
        row: &mut [f32],
    ) {
        let from = |heading: f64, turned: Quat| rotation::log_map(Quat::from_rotation_y(-heading) * turned);
        write_vec(pose.pelvis.translation, &mut row[0..3]);
        write_vec(from(headings.pelvis, pose.pelvis.rotation), &mut row[3..6]);
        let extensions = body.extensions(pose);
        for side in Side::BOTH {
            let (foot, out) = (&pose.feet[side], &mut row[RowLayout::ball_of(side)..][..FOOT]);
            write_vec(foot.ball, &mut out[..TURN]);
            write_vec(from(headings.feet[side], foot.rotation), &mut out[TURN..ROLL]);
            out[ROLL] = nearest_turn(foot.knee_roll, body.forward_roll(side)) as f32;
            out[PLANTED..EXTENSION].copy_from_slice(&planted[side]);
            out[EXTENSION] = extensions[side] as f32;
        }
        for (vector, out) in pose.others.iter().zip(row[OTHERS..].chunks_exact_mut(3)) {
            write_vec(*vector, out);
        }
    }

    /// Keeps the extensions of a row within what legs reach.
    pub(super) fn limit_extension(self, row: &mut [f32]) {
        for side in Side::BOTH {
            let extension = &mut row[RowLayout::ball_of(side) + EXTENSION];
            *extension = extension.clamp(*EXTENSIONS.start(), STRAIGHT);
        }
    }

    pub(super) fn read(self, row: &[f32], headings: &RowHeadings, pose: &mut LinearPose) -> RowSigns {
        let turned = |heading: f64, vector: Vec3| Quat::from_rotation_y(heading) * rotation::exp_map(vector);
        pose.pelvis = Transform::new(turned(headings.pelvis, read_vec(&row[3..6])), read_vec(&row[0..3]));
        let mut signs = RowSigns::default();
        for side in Side::BOTH {
            let numbers = &row[RowLayout::ball_of(side)..][..FOOT];
            pose.feet[side] = LinearFoot {
                ball: read_vec(numbers),
                rotation: turned(headings.feet[side], read_vec(&numbers[TURN..])),
                knee_roll: f64::from(numbers[ROLL]),
            };
            signs.planted[side] = [PLANTED, PLANTED + 1].map(|k| f64::from(numbers[k]).clamp(0.0, 1.0));
            signs.extension[side] = f64::from(numbers[EXTENSION]).clamp(0.0, 1.0);
        }
        pose.others.resize(self.n_others, Vec3::ZERO);
        for (vector, out) in pose.others.iter_mut().zip(row[OTHERS..].chunks_exact(3)) {
            *vector = read_vec(out);
        }
        signs
    }

    /// Where [`RowLayout::posture`] has the numbers of one of the other joints.
    pub(super) const fn other_in_posture(joint: usize) -> usize {
        PELVIS + 3 * joint
    }

    /// Pelvis and other joints of a row, rotations times some metres.
    pub(super) fn posture(self, row: &[f32], pelvis_turn: f64, joint_turn: f64) -> impl Iterator<Item = f32> {
        let scaled = |from: usize, to: usize, by: f64| row[from..to].iter().map(move |number| number * by as f32);
        scaled(0, 3, 1.0).chain(scaled(3, PELVIS, pelvis_turn)).chain(scaled(OTHERS, self.width(), joint_turn))
    }

    /// What is wrong with the numbers of a row, if anything: places within `farthest`, angles within `largest`.
    pub(super) fn check(row: &[f32], farthest: f64, largest: f64) -> Result<(), String> {
        let check = |what, numbers: &[f32], most: f64| {
            let is_wrong = |number: &f64| number.is_nan() || number.abs() > most;
            let wrong = numbers.iter().map(|number| f64::from(*number)).find(is_wrong);
            wrong.map_or(Ok(()), |number| Err(format!("{what} is {number}; no more than {most:.1} would do")))
        };
        check("where the pelvis is", &row[..3], farthest)?;
        check("the rotation of the pelvis", &row[3..6], largest)?;
        for side in Side::BOTH {
            let foot = &row[RowLayout::ball_of(side)..][..FOOT];
            check("where a foot is", &foot[..TURN], farthest)?;
            check("the rotation of a foot", &foot[TURN..ROLL], largest)?;
            check("the roll of a knee", &foot[ROLL..PLANTED], largest)?;
            if let Some(share) = foot[PLANTED..EXTENSION].iter().find(|share| !(0.0..=1.0).contains(*share)) {
                return Err(format!("how much of a foot is planted is {share}; 0 to 1 would do"));
            }
            if let Some(share) = foot[EXTENSION..].iter().find(|share| !EXTENSIONS.contains(*share)) {
                return Err(format!("the extension of a leg is {share}; 0.05 to 1.5 would do"));
            }
        }
        check("the rotation of a joint", &row[OTHERS..], largest)
    }
}

fn write_vec(v: Vec3, out: &mut [f32]) {
    out.copy_from_slice(&v.as_vec3().to_array());
}

fn read_vec(row: &[f32]) -> Vec3 {
    Vec3::new(f64::from(row[0]), f64::from(row[1]), f64::from(row[2]))
}
