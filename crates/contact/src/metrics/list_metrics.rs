//! From measured structs to a list of metrics.

use super::catalogue::{CATALOGUE, find_metric};
use super::drift::FootPlace;
use super::metric::Metric;
use super::worst::{Spread, Worst};
use super::{BodyRegion, FootprintError, LegJoint, Measures, PlantDrift, PlantError};
use crate::order_statistics::mean;
use surefoot_motion::{JointId, Side};

impl Measures {
    /// Every metric that could be measured, in the order of [`CATALOGUE`]. One that is missing had nothing to be measured on (no
    /// plants, no plan, too few frames) or is no finite number.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut list = List { rate: self.frame_rate, metrics: Vec::new() };
        self.list_skating(&mut list);
        self.list_plants(&mut list);
        self.list_ground(&mut list);
        self.list_legs(&mut list);
        self.list_smoothness(&mut list);
        self.list_sway(&mut list);
        self.list_plan(&mut list);
        self.list_path(&mut list);
        self.list_search(&mut list);
        self.list_reference(&mut list);
        let order = |metric: &Metric| CATALOGUE.iter().position(|definition| definition.name == metric.name());
        list.metrics.sort_by_key(order);
        list.metrics
    }

    /// One metric by its name; `None` if it could not be measured or there is none of that name.
    pub fn metric(&self, name: &str) -> Option<Metric> {
        self.metrics().into_iter().find(|metric| metric.name() == name)
    }

    fn list_skating(&self, list: &mut List) {
        let (graph, in_contacts) = (&self.skating.graph, &self.skating.graph_in_contacts);
        list.add("graph_skate_total", graph.per_frame().map(|_| graph.total));
        list.add("graph_skate_per_frame", graph.per_frame());
        list.add("graph_contact_skate_total", in_contacts.per_frame().map(|_| in_contacts.total));
        list.add("graph_contact_skate_per_frame", in_contacts.per_frame());
        list.add_at_rate("gmd_skate_ratio", self.skating.gmd.ratio, super::skating::gmd::RATE);
        list.add("kimodo_skate_ratio", self.skating.kimodo.ratio);
        list.add("kimodo_skate_speed", self.skating.kimodo.mean_speed);
        list.add("mann_skate", self.skating.mann.per_frame);
        list.add("mann_skate_speed", self.skating.mann.speed);
        let holosoma = &self.skating.holosoma;
        list.add("holosoma_skate_ratio", holosoma.sliding_share);
        list.add_worst("holosoma_skate_speed_max", holosoma.fastest, |side| format!("{} ball", side.name()));
        list.add("holosoma_penetration_ratio", holosoma.penetrating_share);
        list.add_worst("holosoma_penetration_max", holosoma.deepest.map(at_least_0), |side| {
            format!("{} ball", side.name())
        });
    }

    fn list_plants(&self, list: &mut List) {
        let plants = &self.drift.plants;
        let mean_over = |value: fn(&PlantDrift) -> f64| mean(&plants.iter().map(value).collect::<Vec<f64>>());
        list.add("plants", Some(plants.len() as f64));
        list.add_worst("drift_max", self.drift.worst(), foot_place);
        list.add("drift_mean", mean_over(|plant| plant.horizontal));
        list.add_worst("drift_vertical_max", self.drift.worst_vertical(), foot_place);
        list.add("drift_vertical_mean", mean_over(|plant| plant.vertical));
        let path = |plant: &PlantDrift| Worst {
            value: plant.path,
            place: (plant.side, plant.part),
            frame: plant.frames.start,
        };
        list.add_worst("drift_path_max", Worst::of(plants.iter().map(path)), foot_place);
        list.add("skate_speed", self.drift.skate_speed());
        let error =
            |error: &PlantError| Worst { value: error.distance, place: (error.side, error.part), frame: error.frame };
        list.add_worst("plant_error_max", Worst::of(self.plant_errors.iter().map(error)), foot_place);
    }

    fn list_ground(&self, list: &mut List) {
        let ground = &self.ground;
        list.add("penetration_share", ground.penetrating_share);
        list.add_worst("penetration_max", ground.deepest.map(at_least_0), |(side, point)| {
            format!("{} {}", side.name(), point.name())
        });
        list.add_worst("float_max", ground.floating.map(at_least_0), |side| format!("{} foot", side.name()));
        list.add("float_mean", ground.mean_floating);
        list.add_worst("off_ground_max", ground.off_ground, foot_place);
    }

    fn list_legs(&self, list: &mut List) {
        let joint = |joint: JointId| self.skeleton.name(joint).to_string();
        let [left, right] = [self.legs.extension.left, self.legs.extension.right];
        list.add_worst("leg_extension_max", Worst::of([left, right].into_iter().flatten()), |side| {
            format!("{} leg", side.name())
        });
        let bones = Side::BOTH.into_iter().flat_map(|side| {
            let bones = self.legs.variation[side].into_iter().flatten();
            bones.map(move |bone| Worst { value: bone.value, place: (side, bone.place), frame: bone.frame })
        });
        list.add_worst("leg_bone_variation_max", Worst::of(bones), |(side, bone)| {
            format!("{} {}", side.name(), bone.name())
        });
        list.add_worst("stretch_max", self.stretch.of_median, joint);
        list.add_worst("stretch_rest_max", self.stretch.of_rest, joint);
        let knee = |side: Side| joint(self.body.legs[side].knee);
        list.add_spread(["knee_speed_max", "knee_speed_p99"], self.knees.speed, knee);
        list.add_spread(["knee_acceleration_max", "knee_acceleration_p99"], self.knees.acceleration, knee);
    }

    fn list_smoothness(&self, list: &mut List) {
        let joint = |joint: JointId| self.skeleton.name(joint).to_string();
        list.add_spread(["rotation_step_max", "rotation_step_p99"], self.rotations.step, joint);
        list.add_spread(["rotation_change_max", "rotation_change_p99"], self.rotations.change, joint);
        list.add("pelvis_jerk_mean", self.jerk.mean);
        list.add("pelvis_jerk_6hz_mean", self.jerk.mean_6_hz);
        list.add_worst("pelvis_jerk_max", self.jerk.worst, |()| joint(self.body.pelvis));
    }

    fn list_sway(&self, list: &mut List) {
        let Some(sway) = &self.sway else { return };
        list.add("sway_extrema", Some(sway.n_extrema as f64));
        list.add("sway_wavelength_mean", Some(sway.wavelength));
        list.add("sway_wavelength_deviation", Some(sway.wavelength_deviation));
        list.add("sway_amplitude_mean", Some(sway.amplitude));
        list.add("sway_amplitude_deviation", Some(sway.amplitude_deviation));
    }

    fn list_plan(&self, list: &mut List) {
        let Some(plan) = &self.placement else { return };
        list.add("footprints", Some(plan.footprints.len() as f64));
        list.add("footprints_missed", Some(plan.n_missed() as f64));
        list.add("plants_unused", plan.n_unused.map(|n| n as f64));
        let maxima: Vec<f64> = plan.realised().map(|(_, error)| error.max).collect();
        list.add("placement_mean", mean(&maxima));
        let mut worst = |name: &str, value: fn(&FootprintError) -> Option<f64>| {
            let found = plan.realised().filter_map(|(index, error)| {
                Some(Worst { value: value(error)?.abs(), place: index, frame: error.max_frame })
            });
            list.add_worst(name, Worst::of(found), |index| format!("footprints[{index}]"));
        };
        worst("placement_max", |error| Some(error.max));
        worst("placement_median_max", |error| Some(error.median));
        worst("placement_mean_max", |error| Some(error.mean));
        worst("placement_drift_max", |error| Some(error.drift));
        worst("placement_height_max", |error| Some(error.height));
        worst("heading_error_max", |error| error.heading);
        worst("swing_error_max", |error| error.swing);
        worst("support_error_max", |error| error.support);
    }

    fn list_path(&self, list: &mut List) {
        let Some(path) = &self.path else { return };
        list.add("path_deviation", Some(path.integral));
        list.add("path_deviation_mean", Some(path.mean));
        list.add("path_deviation_max", Some(path.max));
        list.add("path_nearest_mean", Some(path.nearest_mean));
        list.add("path_nearest_max", Some(path.nearest_max));
    }

    fn list_search(&self, list: &mut List) {
        let Some(search) = &self.search else { return };
        list.add("search_tried", Some(search.tried as f64));
        list.add("search_time", search.seconds);
    }

    fn list_reference(&self, list: &mut List) {
        if let Some(pops) = &self.pops {
            let place = |worst: Worst<(Side, LegJoint)>| format!("{} {}", worst.place.0.name(), worst.place.1.name());
            let frame = pops.worst.map(|worst| worst.frame);
            list.push("introduced_pops", Some(pops.count as f64), pops.worst.map(place), frame, self.frame_rate);
        }
        let Some(reference) = &self.reconstruction else { return };
        let joint = |joint: JointId| self.skeleton.name(joint).to_string();
        let mean = reference.mean();
        list.add("position_error_mean", Some(mean.global));
        list.add("root_error_mean", Some(mean.root_relative));
        for region in BodyRegion::ALL {
            let mean = reference.mean_of(region);
            list.add(&format!("position_error_{}", region.name()), mean.map(|mean| mean.global));
            list.add(&format!("root_error_{}", region.name()), mean.map(|mean| mean.root_relative));
        }
        list.add_worst("position_error_max", Some(reference.worst), joint);
        list.add_worst("root_error_max", Some(reference.worst_root_relative), joint);
        list.add_worst("stretch_reference_max", reference.stretch, joint);
        list.add("l2p", reference.lafan.l2p);
        list.add("l2q", reference.lafan.l2q);
        list.add("npss", reference.lafan.npss);
    }
}

fn foot_place((side, part): FootPlace) -> String {
    format!("{} {}", side.name(), part.name())
}

/// Nothing deeper or higher than the ground is 0, not less.
fn at_least_0<P>(worst: Worst<P>) -> Worst<P> {
    Worst { value: worst.value.max(0.0), ..worst }
}

/// Metrics as they are gathered.
struct List {
    rate: f64,
    metrics: Vec<Metric>,
}

impl List {
    fn add(&mut self, name: &str, value: Option<f64>) {
        self.push(name, value, None, None, self.rate);
    }

    fn add_at_rate(&mut self, name: &str, value: Option<f64>, rate: f64) {
        self.push(name, value, None, None, rate);
    }

    fn add_worst<P>(&mut self, name: &str, worst: Option<Worst<P>>, place: impl Fn(P) -> String) {
        if let Some(Worst { value, place: at, frame }) = worst {
            self.push(name, Some(value), Some(place(at)), Some(frame), self.rate);
        }
    }

    fn add_spread<P>(&mut self, [worst, p99]: [&str; 2], spread: Option<Spread<P>>, place: impl Fn(P) -> String) {
        self.add(p99, spread.as_ref().map(|spread| spread.p99));
        self.add_worst(worst, spread.map(|spread| spread.worst), place);
    }

    fn push(&mut self, name: &str, value: Option<f64>, place: Option<String>, frame: Option<usize>, rate: f64) {
        let definition = find_metric(name).expect("a metric of the catalogue");
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.metrics.push(Metric { definition, value, place, frame, frame_rate: rate });
        }
    }
}
