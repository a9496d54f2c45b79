//! How far the joints of people go.
//!
//! | joint | flexion | abduction | twist |
//! |---|---|---|---|
//! | hip | -30 to 125 | -45 to 45 | -60 to 45 |
//! | knee | 0 to 150 | -10 to 10 | -30 to 30 |
//! | ankle | -50 to 40 | -35 to 25 | -35 to 30 |
//! | toes | -30 to 80 | | |
//! | shoulder | -60 to 180 | -75 to 180 | |
//! | elbow | 0 to 160 | | -90 to 90 |
//! | joints of the trunk | -30 to 90 | -30 to 30 | -30 to 30 |
//! | joints of neck, and head | -45 to 45 | -45 to 45 | -80 to 80 |
//!
//! Sources, of which the wider range is taken: 38 CFR 4.71, plates I and II (limbs) and 4.71a, note 2 (neck and
//! trunk), the United States' schedule for rating disabilities; "Normal Values for Range of Motion of Joints", the
//! Merck Manual; extension of the hip and flexion of the knee after Soucie 2011 (674 healthy persons); adduction of
//! the shoulder as physiotherapists learn it. How far the toes come up and turn is taken from recordings, for a foot
//! under load is bent farther than one on a couch: runners' feet of 150 recordings reach 47 degrees, and no farther
//! but where a file is broken.
//!
//! The ranges are those of people who hold still and are measured on the outside of their bodies. Recorded skeletons
//! have their joints elsewhere, and those who are recorded are often athletes: [`anatomical_limits`] puts limits 10
//! degrees farther out on both sides. Each joint of trunk and neck has the whole range, for many skeletons bend in one
//! of them only.
//!
//! What the table leaves out: a shoulder's twist, which means nothing for an arm that points up (see
//! [`crate::JointAxes`]); wrists, whose axes depend on how palms are turned in a rest pose; clavicles and the pelvis.

use crate::body_parts::Part;
use crate::joint_angles::JointAngle::{self, Abduction, Flexion, Twist};
use crate::joint_limits::JointLimit;
use std::f64::consts::PI;
use surefoot_motion::{BodyMap, Skeleton};

/// How much farther joints may go than the table has it, in degrees.
const MARGIN: f64 = 10.0;

/// The table, in degrees.
const TABLE: [(Part, JointAngle, f64, f64); 23] = [
    (Part::Hip, Flexion, -30.0, 125.0),
    (Part::Hip, Abduction, -45.0, 45.0),
    (Part::Hip, Twist, -60.0, 45.0),
    (Part::Knee, Flexion, 0.0, 150.0),
    (Part::Knee, Abduction, -10.0, 10.0),
    (Part::Knee, Twist, -30.0, 30.0),
    (Part::Ankle, Flexion, -50.0, 40.0),
    (Part::Ankle, Abduction, -35.0, 25.0),
    (Part::Ankle, Twist, -35.0, 30.0),
    (Part::Toes, Flexion, -30.0, 80.0),
    (Part::Shoulder, Flexion, -60.0, 180.0),
    (Part::Shoulder, Abduction, -75.0, 180.0),
    (Part::Elbow, Flexion, 0.0, 160.0),
    (Part::Elbow, Twist, -90.0, 90.0),
    (Part::Spine, Flexion, -30.0, 90.0),
    (Part::Spine, Abduction, -30.0, 30.0),
    (Part::Spine, Twist, -30.0, 30.0),
    (Part::Neck, Flexion, -45.0, 45.0),
    (Part::Neck, Abduction, -45.0, 45.0),
    (Part::Neck, Twist, -80.0, 80.0),
    (Part::Head, Flexion, -45.0, 45.0),
    (Part::Head, Abduction, -45.0, 45.0),
    (Part::Head, Twist, -80.0, 80.0),
];

/// The limits that a body has, for all joints that its map names; see the head of this file.
pub fn anatomical_limits(skeleton: &Skeleton, body: &BodyMap) -> Vec<JointLimit> {
    let limits = TABLE.iter().flat_map(|&(part, angle, low, high)| {
        let low = (low - MARGIN).to_radians().max(-PI);
        let high = (high + MARGIN).to_radians().min(PI);
        part.joints(skeleton, body).into_iter().map(move |joint| JointLimit { joint, angle, low, high })
    });
    limits.collect()
}
