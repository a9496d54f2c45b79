//! What gives a gait its expression and personality: fifteen attributes of walking and nineteen of running
//! (GAIT sections 4.1.2 and 4.2.3).

/// The attributes of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkAttributes {
    /// Rotation of the shoulders against the pelvis, as a factor on the pelvic rotation.
    pub shoulder_rotation: f64,
    /// Swing of an arm, as a factor on the opposite leg's sagittal hip angle.
    pub arm_swing: f64,
    /// How far the arms are held away from the body, in radians.
    pub arm_out: f64,
    /// Elbow flexion at the end of the backward swing, in radians.
    pub elbow_min: f64,
    /// Elbow flexion at the end of the forward swing, in radians.
    pub elbow_max: f64,
    /// Forward lean of the torso, in radians.
    pub torso_tilt: f64,
    /// How far the torso's lean goes to and fro about its tilt, in radians.
    pub torso_sway: f64,
    /// Rotation of the pelvis in the transverse plane at heel strike, in radians.
    pub pelvis_rotation: f64,
    /// How far the swing leg's hip drops, as an angle in radians.
    pub pelvis_list: f64,
    /// Factor on how far the body sinks in double support; 1 is natural.
    pub bounciness: f64,
    /// Least knee flexion in stance, in radians.
    pub knee_stance: f64,
    /// Knee flexion at heel strike, in radians.
    pub knee_impact: f64,
    /// Least height of the toes above the ground in mid-swing, in metres.
    pub toe_clearance: f64,
    /// How far the toes point outward, in radians.
    pub foot_angle: f64,
    /// Lateral distance between the feet, in metres.
    pub stride_width: f64,
}

impl Default for WalkAttributes {
    /// The natural walk of a person 1.8 m tall.
    fn default() -> WalkAttributes {
        WalkAttributes {
            shoulder_rotation: 1.0,
            arm_swing: 0.8,
            arm_out: 7.0_f64.to_radians(),
            elbow_min: 10.0_f64.to_radians(),
            elbow_max: 25.0_f64.to_radians(),
            torso_tilt: 2.0_f64.to_radians(),
            torso_sway: 1.0_f64.to_radians(),
            pelvis_rotation: 5.0_f64.to_radians(),
            pelvis_list: 4.0_f64.to_radians(),
            bounciness: 1.0,
            knee_stance: 8.0_f64.to_radians(),
            knee_impact: 5.0_f64.to_radians(),
            toe_clearance: 0.02,
            foot_angle: 7.0_f64.to_radians(),
            stride_width: 0.1,
        }
    }
}

/// What touches the ground first at impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strike {
    /// The heel.
    #[default]
    Heel,
    /// The ball of the foot.
    Toe,
}

/// The attributes of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunAttributes {
    /// Rotation of the shoulders against the pelvis, as a factor on the pelvic rotation.
    pub shoulder_rotation: f64,
    /// Swing of an arm, as a factor on the opposite leg's sagittal hip angle.
    pub arm_swing: f64,
    /// How far the arms are held away from the body, in radians.
    pub arm_out: f64,
    /// Elbow flexion of the backward swing, at toe-off, in radians.
    pub elbow_min: f64,
    /// Elbow flexion of the forward swing, at toe-off, in radians.
    pub elbow_max: f64,
    /// Forward lean of the torso, in radians.
    pub torso_tilt: f64,
    /// How far the torso's lean goes to and fro about its tilt, in radians.
    pub torso_sway: f64,
    /// Rotation of the pelvis in the transverse plane at toe-off, in radians.
    pub pelvis_rotation: f64,
    /// How far the swing leg's hip drops at mid-support, as an angle in radians.
    pub pelvis_list: f64,
    /// How far the body shifts over the supporting leg at mid-support, in metres.
    pub lateral_displacement: f64,
    /// What touches the ground first.
    pub strike: Strike,
    /// Factor on how far the body sinks in support; 1 is natural.
    pub bounciness: f64,
    /// How far ahead of the pelvis the ankle is at impact, in metres.
    pub overstride: f64,
    /// Lateral distance between the feet, in metres.
    pub stride_width: f64,
    /// Knee flexion at impact, in radians.
    pub knee_impact: f64,
    /// Knee flexion at toe-off, in radians.
    pub knee_toe_off: f64,
    /// Greatest knee flexion in swing, in radians.
    pub knee_swing: f64,
    /// Greatest hip flexion in swing, in radians.
    pub hip_swing: f64,
    /// How far the toes point outward, in radians.
    pub foot_angle: f64,
}

impl Default for RunAttributes {
    /// The natural run at 12 km/h of a person 1.8 m tall.
    fn default() -> RunAttributes {
        RunAttributes {
            shoulder_rotation: 1.0,
            arm_swing: 0.8,
            arm_out: 12.0_f64.to_radians(),
            elbow_min: 70.0_f64.to_radians(),
            elbow_max: 100.0_f64.to_radians(),
            torso_tilt: 6.0_f64.to_radians(),
            torso_sway: 2.0_f64.to_radians(),
            pelvis_rotation: 8.0_f64.to_radians(),
            pelvis_list: 4.0_f64.to_radians(),
            lateral_displacement: 0.01,
            strike: Strike::Heel,
            bounciness: 1.0,
            overstride: 0.20,
            stride_width: 0.06,
            knee_impact: 20.0_f64.to_radians(),
            knee_toe_off: 15.0_f64.to_radians(),
            knee_swing: 95.0_f64.to_radians(),
            hip_swing: 40.0_f64.to_radians(),
            foot_angle: 5.0_f64.to_radians(),
        }
    }
}
