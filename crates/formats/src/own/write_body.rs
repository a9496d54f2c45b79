//! Writes a body map as a body file with comments: a template to edit that reads back as the same map.

use super::body::VERSION;
use super::body_names::BodyNames;
use super::text::{number, quoted};
use std::fmt::Write;
use surefoot_geom::Vec3;
use surefoot_motion::{Arm, BodyMap, BodyPoint, FootShape, JointId, Leg, Side, Skeleton};

const HEAD: &str = "\
# Which joint is which part of the person. Fields left out keep what is found automatically.
# Names are the skeleton's own; \"Name#2\" is the second joint of that name. \"\" means that there is none.
";

/// The map as a body file. Panics if a number is not finite, or if the map is not of this skeleton.
pub fn write_body(body: &BodyMap, skeleton: &Skeleton) -> String {
    let mut template = Template { names: BodyNames::of(skeleton), out: HEAD.to_string() };
    template.setting("body", &VERSION.to_string(), "the version of this format");
    template.trunk(body);
    for side in Side::BOTH {
        template.leg(side, &body.legs[side]);
        template.sole(side, &body.legs[side].foot);
        template.arm(side, body.arms[side]);
    }
    template.joints(skeleton);
    template.out
}

/// A body file to fill in, for a skeleton whose body was not found: the fields that must be named, commented out, and the list
/// of joints to choose from.
pub fn write_blank_body(skeleton: &Skeleton) -> String {
    let mut template = Template { names: BodyNames::of(skeleton), out: HEAD.to_string() };
    template.setting("body", &VERSION.to_string(), "the version of this format");
    template.blank("pelvis", "the lowest joint above both hips");
    for side in Side::BOTH {
        template.table(side.name());
        template.blank("hip", "swings the thigh");
        template.blank("knee", "bends the shin");
        template.blank("ankle", "turns the foot");
        template.blank("ball", "bends the toes; may be left out");
        template.blank("toe", "the end of the toes, a joint or an end site; may be left out");
    }
    template.joints(skeleton);
    template.out
}

struct Template {
    names: BodyNames,
    out: String,
}

impl Template {
    fn setting(&mut self, name: &str, value: &str, comment: &str) {
        // Writing to a string cannot fail.
        let _ = match comment {
            "" => writeln!(self.out, "{name} = {value}"),
            _ => writeln!(self.out, "{name} = {value}  # {comment}"),
        };
    }

    /// A field to fill in.
    fn blank(&mut self, name: &str, comment: &str) {
        self.setting(&format!("# {name}"), "\"\"", comment);
    }

    fn joint(&mut self, name: &str, joint: JointId, comment: &str) {
        self.optional(name, Some(BodyPoint::Joint(joint)), comment);
    }

    fn optional_joint(&mut self, name: &str, joint: Option<JointId>, comment: &str) {
        self.optional(name, joint.map(BodyPoint::Joint), comment);
    }

    fn optional(&mut self, name: &str, point: Option<BodyPoint>, comment: &str) {
        let value = quoted(point.map_or("", |point| self.names.name_of(point)));
        self.setting(name, &value, comment);
    }

    fn table(&mut self, path: &str) {
        let _ = writeln!(self.out, "\n[{path}]");
    }

    fn trunk(&mut self, body: &BodyMap) {
        self.joint("pelvis", body.pelvis, "the lowest joint above both hips");
        let spine: Vec<String> =
            body.spine.iter().map(|&joint| quoted(self.names.name_of(BodyPoint::Joint(joint)))).collect();
        self.setting("spine", &format!("[{}]", spine.join(", ")), "from the pelvis up to the neck, without the head");
        self.optional_joint("head", body.head, "turns the head");
    }

    fn leg(&mut self, side: Side, leg: &Leg) {
        self.table(side.name());
        self.joint("hip", leg.hip, "swings the thigh");
        self.joint("knee", leg.knee, "bends the shin");
        self.joint("ankle", leg.ankle, "turns the foot");
        self.optional_joint("ball", leg.ball, "bends the toes");
        self.optional("toe", leg.toe, "the end of the toes: a joint or an end site");
    }

    fn sole(&mut self, side: Side, sole: &FootShape) {
        self.table(&format!("{}.sole", side.name()));
        self.setting("heel", &vector(sole.heel), "points on the sole in the ankle's space, in metres");
        self.setting("ball", &vector(sole.ball), "");
        self.setting("toe_tip", &vector(sole.toe_tip), "");
        self.setting("up", &vector(sole.up), "points away from the ground when the foot is flat on the ground");
    }

    fn arm(&mut self, side: Side, arm: Option<Arm>) {
        self.table(&format!("{}.arm", side.name()));
        let Some(arm) = arm else {
            return self.setting("shoulder", "\"\"", "no arm");
        };
        self.optional_joint("clavicle", arm.clavicle, "lifts the shoulder");
        self.joint("shoulder", arm.shoulder, "swings the upper arm");
        self.joint("elbow", arm.elbow, "bends the forearm");
        self.optional_joint("wrist", arm.wrist, "turns the hand");
    }

    /// All names to choose from, so that nobody must open the clip to edit the file.
    fn joints(&mut self, skeleton: &Skeleton) {
        self.out.push_str("\n# All joints, each after its parent, and end sites:\n");
        let end_sites = (0..skeleton.end_sites().len()).map(BodyPoint::EndSite);
        for point in skeleton.ids().map(BodyPoint::Joint).chain(end_sites) {
            let parent = match point {
                BodyPoint::Joint(joint) => skeleton.parent(joint),
                BodyPoint::EndSite(_) => Some(point.joint(skeleton)),
            };
            let name = quoted(self.names.name_of(point));
            let below = parent.map(|parent| format!(" of {}", quoted(self.names.name_of(BodyPoint::Joint(parent)))));
            let _ = writeln!(self.out, "#   {name}{}", below.unwrap_or_default());
        }
    }
}

fn vector(vector: Vec3) -> String {
    let [x, y, z] = vector.to_array().map(number);
    format!("[{x}, {y}, {z}]")
}
