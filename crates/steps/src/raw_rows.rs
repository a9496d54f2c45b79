//! Poses as rows of numbers with quaternions: to look between frames, and as `*.steps` files of version 1 have them.

use super::resample::resample_row;
use super::{LinearFoot, LinearPose};
use surefoot_geom::{Quat, Transform, Vec3, wrap_angle};
use surefoot_motion::{PerSide, Side};

/// Pelvis (3 + 4), left foot and right foot (3 + 4 + roll + heel + ball), three for each other joint.
const PELVIS: usize = 7;
const FOOT: usize = 10;
const OTHERS: usize = PELVIS + 2 * FOOT;
/// Where the three quaternions begin: pelvis, left foot, right foot.
const QUATS: [usize; 3] = [3, PELVIS + 3, PELVIS + FOOT + 3];
/// Where the knee rolls are.
const ROLLS: [usize; 2] = [PELVIS + 7, PELVIS + FOOT + 7];

/// The frames of a step.
pub(super) struct RawRows {
    rows: Vec<f32>,
    width: usize,
}

impl RawRows {
    pub(super) fn new<'a>(poses: impl Iterator<Item = &'a LinearPose>, n_others: usize) -> RawRows {
        let width = raw_width(n_others);
        let mut rows = Vec::new();
        for pose in poses {
            let start = rows.len();
            rows.resize(start + width, 0.0);
            write(pose, &mut rows[start..]);
        }
        make_continuous(&mut rows, width);
        RawRows { rows, width }
    }

    /// The pose at a fractional frame, along a cubic; before the first frame, as it goes on from there.
    pub(super) fn pose_at(&self, frame: f64) -> LinearPose {
        let mut row = vec![0.0; self.width];
        resample_row(&self.rows, self.width, frame, |_| 1.0, &mut row);
        if frame < 0.0 && self.rows.len() >= 2 * self.width {
            let (first, second) = self.rows.split_at(self.width);
            row.iter_mut().zip(first.iter().zip(second)).for_each(|(out, (a, b))| *out = a + frame as f32 * (b - a));
        }
        read_raw(&row).0
    }
}

/// Numbers in a row of a body with so many other joints.
pub(super) const fn raw_width(n_others: usize) -> usize {
    OTHERS + 3 * n_others
}

fn write(pose: &LinearPose, row: &mut [f32]) {
    let vec = |v: Vec3, out: &mut [f32]| out.copy_from_slice(&v.as_vec3().to_array());
    let quat = |q: Quat, out: &mut [f32]| out.copy_from_slice(&q.as_quat().to_array());
    vec(pose.pelvis.translation, &mut row[0..3]);
    quat(pose.pelvis.rotation, &mut row[3..7]);
    for (side, start) in Side::BOTH.into_iter().zip([PELVIS, PELVIS + FOOT]) {
        let foot = &pose.feet[side];
        vec(foot.ball, &mut row[start..start + 3]);
        quat(foot.rotation, &mut row[start + 3..start + 7]);
        row[start + 7] = foot.knee_roll as f32;
    }
    for (vector, out) in pose.others.iter().zip(row[OTHERS..].chunks_exact_mut(3)) {
        vec(*vector, out);
    }
}

/// A pose, and how much of heel and ball is planted, of numbers of a file: finite, and rotations not far from unit length.
pub(super) fn read_raw(row: &[f32]) -> (LinearPose, PerSide<[f32; 2]>) {
    let vec = |row: &[f32]| Vec3::new(f64::from(row[0]), f64::from(row[1]), f64::from(row[2]));
    let quat = |row: &[f32]| {
        let [x, y, z, w] = [row[0], row[1], row[2], row[3]].map(f64::from);
        let q = Quat::from_xyzw(x, y, z, w);
        if q.length_squared() > 1e-12 { q.normalize() } else { Quat::IDENTITY }
    };
    let foot = |start: usize| LinearFoot {
        ball: vec(&row[start..]),
        rotation: quat(&row[start + 3..]),
        knee_roll: f64::from(row[start + 7]),
    };
    let planted = |start: usize| [row[start + 8], row[start + 9]];
    let pose = LinearPose {
        pelvis: Transform::new(quat(&row[3..]), vec(row)),
        feet: PerSide { left: foot(PELVIS), right: foot(PELVIS + FOOT) },
        others: row[OTHERS..].chunks_exact(3).map(vec).collect(),
    };
    (pose, PerSide { left: planted(PELVIS), right: planted(PELVIS + FOOT) })
}

/// Quaternions of neighbouring rows in one hemisphere, and rolls without a jump.
fn make_continuous(rows: &mut [f32], width: usize) {
    for index in 1..rows.len() / width {
        let (before, row) = rows.split_at_mut(index * width);
        let before = &before[(index - 1) * width..];
        for start in QUATS {
            let dot: f32 = (start..start + 4).map(|k| before[k] * row[k]).sum();
            if dot < 0.0 {
                row[start..start + 4].iter_mut().for_each(|value| *value = -*value);
            }
        }
        for roll in ROLLS {
            let turn = wrap_angle(f64::from(row[roll] - before[roll]));
            row[roll] = before[roll] + turn as f32;
        }
    }
}
