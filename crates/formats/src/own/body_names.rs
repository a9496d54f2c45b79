//! A name of its own for every joint and end site, so that a body file can tell joints of one name apart.
//!
//! The first joint of a name keeps it, the second becomes `Name#2`, and so on. End sites come after all joints, under their
//! own name or their joint's with `_End` behind it.

use std::collections::HashMap;
use surefoot_motion::closest_names;
use surefoot_motion::{BodyPoint, JointId, Skeleton};

/// The names of one skeleton's joints and end sites, each for one thing only.
pub(super) struct BodyNames {
    /// Joints in the skeleton's order, then end sites in theirs.
    names: Vec<String>,
    n_joints: usize,
    places: HashMap<String, usize>,
}

impl BodyNames {
    pub(super) fn of(skeleton: &Skeleton) -> BodyNames {
        let joints = skeleton.ids().map(BodyPoint::Joint);
        let end_sites = (0..skeleton.end_sites().len()).map(BodyPoint::EndSite);
        let mut all = BodyNames { names: Vec::new(), n_joints: skeleton.n_joints(), places: HashMap::new() };
        // How far each name has been counted, so that a thousand joints of one name take a thousand steps, not a million.
        let mut counted: HashMap<String, usize> = HashMap::new();
        for point in joints.chain(end_sites) {
            let plain = point.name(skeleton);
            let count = counted.entry(plain.clone()).or_insert(0);
            let name = loop {
                *count += 1;
                let name = if *count == 1 { plain.clone() } else { format!("{plain}#{count}") };
                if !all.places.contains_key(&name) {
                    break name;
                }
            };
            all.places.insert(name.clone(), all.names.len());
            all.names.push(name);
        }
        all
    }

    pub(super) fn joint(&self, name: &str) -> Option<JointId> {
        self.places.get(name).filter(|&&place| place < self.n_joints).map(|&place| JointId::new(place))
    }

    pub(super) fn point(&self, name: &str) -> Option<BodyPoint> {
        let place = *self.places.get(name)?;
        Some(match place.checked_sub(self.n_joints) {
            Some(end_site) => BodyPoint::EndSite(end_site),
            None => BodyPoint::Joint(JointId::new(place)),
        })
    }

    pub(super) fn name_of(&self, point: BodyPoint) -> &str {
        match point {
            BodyPoint::Joint(joint) => &self.names[joint.index()],
            BodyPoint::EndSite(index) => &self.names[self.n_joints + index],
        }
    }

    /// The three joint names closest to a wrong one; names of end sites too where they would do.
    pub(super) fn closest_joints(&self, wrong: &str) -> Vec<&str> {
        closest_names(wrong, self.names[..self.n_joints].iter().map(String::as_str), 3)
    }

    pub(super) fn closest_points(&self, wrong: &str) -> Vec<&str> {
        closest_names(wrong, self.names.iter().map(String::as_str), 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::{Transform, Vec3};
    use surefoot_motion::{EndSite, Joint};

    fn skeleton(names: &[&str], ends: &[Option<&str>]) -> Skeleton {
        let joints = names
            .iter()
            .enumerate()
            .map(|(index, name)| Joint {
                name: (*name).to_string(),
                parent: index.checked_sub(1).map(JointId::new),
                rest: Transform::IDENTITY,
            })
            .collect();
        let ends = ends
            .iter()
            .map(|name| EndSite { name: name.map(str::to_string), parent: JointId::new(0), offset: Vec3::ZERO })
            .collect();
        Skeleton::new(joints, ends).unwrap()
    }

    #[test]
    fn every_joint_and_end_site_has_a_name_that_leads_back_to_it() {
        let skeleton = skeleton(&["A", "A", "A#2", "A", "B"], &[None, Some("B"), Some("B"), None]);
        let names = BodyNames::of(&skeleton);
        for id in skeleton.ids() {
            assert_eq!(names.joint(names.name_of(BodyPoint::Joint(id))), Some(id));
        }
        for index in 0..4 {
            let site = BodyPoint::EndSite(index);
            assert_eq!(names.point(names.name_of(site)), Some(site));
            assert_eq!(names.joint(names.name_of(site)), None);
        }
        assert_eq!(names.joint("A"), Some(JointId::new(0)));
        assert_eq!(names.joint("A#2"), Some(JointId::new(1)));
        assert_eq!(names.point("A_End#2"), Some(BodyPoint::EndSite(3)));
    }
}
