//! Every metric that a measurement can have, by a stable name. `docs/MEASURES.md` has the full definitions.

use super::metric::{Definition, Family, Unit};

/// The definition of a metric.
pub fn find_metric(name: &str) -> Option<&'static Definition> {
    CATALOGUE.iter().find(|definition| definition.name == name)
}

const LOW_GROUP: &str = "planted: ball under 5 cm for 0.1 s";
const SWINGS: &str = "swings of 4 mm and more, off a course of 1 m";
const LOW_BALL: &str = "ball under 5 cm in both frames";

macro_rules! catalogue {
    ($($family:ident { $($name:literal $unit:ident $about:literal $threshold:expr;)+ })+) => {
        /// All metrics, in the order of reports.
        pub const CATALOGUE: &[Definition] = &[$($(Definition {
            name: $name,
            unit: Unit::$unit,
            family: Family::$family,
            about: $about,
            threshold: $threshold,
        },)+)+];
    };
}

catalogue! {
    Graph {
        "graph_skate_total" Cm "moves of ankle, ball and toe of planted feet, in all" LOW_GROUP;
        "graph_skate_per_frame" CmPerFrame "the same in each planted frame of a foot" LOW_GROUP;
        "graph_contact_skate_total" Cm "the same sum over the contacts in use" "planted: heel or ball in contact";
        "graph_contact_skate_per_frame" CmPerFrame "the same in each frame of a foot in contact" "planted: heel or ball in contact";
    }
    Gmd {
        "gmd_skate_ratio" Percent "frames in which a ball slides" "at 20 fps: ball under 5 cm in both frames, over 0.5 m/s now and in the mean of 5";
    }
    Kimodo {
        "kimodo_skate_ratio" Percent "low frames in which a ball slides" "ball under 5 cm in both frames, over 0.2 m/s in space";
        "kimodo_skate_speed" MPerS "mean speed of low balls" LOW_BALL;
    }
    Mann {
        "mann_skate" CmPerFrame "moves of ankles and balls, weighted by height" "weight 2 - 2^(h / 2.5 cm), 0 to 1";
        "mann_skate_speed" CmPerS "the same by the second" "weight 2 - 2^(h / 2.5 cm), 0 to 1";
    }
    Holosoma {
        "holosoma_skate_ratio" Percent "planted frames in which a ball slides" "over 0.01 m/s in contact";
        "holosoma_skate_speed_max" MPerS "the fastest planted ball" "in contact";
        "holosoma_penetration_ratio" Percent "frames with a ball below its standing height" "over 1 cm";
        "holosoma_penetration_max" Mm "the deepest ball below its standing height" "";
    }
    Plants {
        "plants" Count "plants of heels and balls" "";
        "drift_max" Mm "furthest over the ground from a plant's median place" "";
        "drift_mean" Mm "the mean of that over all plants" "";
        "drift_vertical_max" Mm "furthest in height from a plant's median place" "";
        "drift_vertical_mean" Mm "the mean of that over all plants" "";
        "drift_path_max" Mm "longest path over the ground within a plant" "";
        "skate_speed" CmPerS "path lengths within all plants by their time" "";
        "plant_error_max" Mm "furthest from the place that the contacts give" "";
    }
    Ground {
        "penetration_share" Percent "frames with heel, ball or toe tip in the ground" "over 1 mm";
        "penetration_max" Mm "the deepest heel, ball or toe tip" "";
        "float_max" Mm "highest that a planted foot's lowest point hovers" "in contact";
        "float_mean" Mm "mean height of planted feet's lowest points" "in contact";
        "off_ground_max" Mm "furthest of a planted heel or ball from the ground" "in contact";
    }
    Legs {
        "leg_extension_max" Percent "hip to ankle by median thigh and shin" "";
        "leg_bone_variation_max" Percent "longest minus shortest thigh or shin by its median" "";
        "stretch_max" Percent "a bone against its median length" "bones over 5 mm below the pelvis";
        "stretch_rest_max" Percent "a bone against the skeleton's rest pose" "bones over 5 mm below the pelvis";
        "knee_speed_max" DegPerS "fastest bend of a knee" "";
        "knee_speed_p99" DegPerS "99 % of the frames are slower" "";
        "knee_acceleration_max" DegPerS2 "most sudden bend of a knee" "";
        "knee_acceleration_p99" DegPerS2 "99 % of the frames are less sudden" "";
    }
    Smoothness {
        "rotation_step_max" Deg "largest turn of a joint in one frame" "against its parent";
        "rotation_step_p99" Deg "99 % of all turns are smaller" "against its parent";
        "rotation_change_max" Deg "largest change from one turn to the next" "against its parent";
        "rotation_change_p99" Deg "99 % of all changes are smaller" "against its parent";
        "pelvis_jerk_mean" MPerS3 "third difference of the pelvis, mean" "";
        "pelvis_jerk_6hz_mean" MPerS3 "the same of the motion below 6 Hz" "after a Gaussian, -3 dB at 6 Hz";
        "pelvis_jerk_max" MPerS3 "third difference of the pelvis, largest" "";
    }
    Sway {
        "sway_extrema" Count "where the pelvis is farthest to a side" SWINGS;
        "sway_wavelength_mean" Cm "twice the distance from one of these to the next" SWINGS;
        "sway_wavelength_deviation" Cm "standard deviation of that" SWINGS;
        "sway_amplitude_mean" Cm "half of the swing from one side to the other" SWINGS;
        "sway_amplitude_deviation" Cm "standard deviation of that" SWINGS;
    }
    Plan {
        "footprints" Count "footprints of the plan" "";
        "footprints_missed" Count "footprints that no plant realises" "a ball plant within 25 cm, in order";
        "plants_unused" Count "ball plants that realise no footprint" "";
        "placement_max" Mm "furthest of a ball from its footprint over its plant" "";
        "placement_mean" Mm "the mean of that over all footprints" "";
        "placement_median_max" Mm "furthest of a plant's median place from its footprint" "";
        "placement_mean_max" Mm "largest mean distance over a plant" "";
        "placement_drift_max" Mm "largest drift in a realised footprint" "";
        "placement_height_max" Mm "median height of a ball over or under its footprint" "";
        "heading_error_max" Deg "ankle to ball against the target heading" "in the middle of the plant";
        "swing_error_max" Ms "time in the air against the target swing" "";
        "support_error_max" Ms "time on both feet against the target support" "";
    }
    Path {
        "path_deviation" Cm2M "squared distance from the path along the path (GRAPH 4.2)" "at the same travelled distance, by 1 cm";
        "path_deviation_mean" Cm "mean distance from the path" "at the same travelled distance, by 1 cm";
        "path_deviation_max" Cm "largest distance from the path" "at the same travelled distance, by 1 cm";
        "path_nearest_mean" Cm "mean distance to the nearest point of the path" "";
        "path_nearest_max" Cm "largest distance to the nearest point of the path" "";
    }
    Search {
        "search_tried" Count "pieces of motion that the search tried (GRAPH 4.4)" "";
        "search_time" Ms "how long it took, on the machine that it ran on" "";
    }
    Reference {
        "position_error_mean" Cm "distance of joints from the reference's, mean" "";
        "position_error_legs" Cm "the same for the legs" "";
        "position_error_spine" Cm "the same for the trunk and head" "";
        "position_error_arms" Cm "the same for the arms" "";
        "position_error_max" Cm "the largest of them" "";
        "root_error_mean" Cm "the same with both pelvises at one place, mean" "";
        "root_error_legs" Cm "the same for the legs" "";
        "root_error_spine" Cm "the same for the trunk and head" "";
        "root_error_arms" Cm "the same for the arms" "";
        "root_error_max" Cm "the largest of them" "";
        "introduced_pops" Count "pops of knees, ankles and balls that the reference has not" "over 50 m/s2 and over 4 times the reference's within 50 ms";
        "stretch_reference_max" Percent "a bone against the reference's median length" "bones over 5 mm below the pelvis";
        "l2p" One "L2 of global positions, z-normalised" "by the reference's mean and deviation";
        "l2q" One "L2 of global quaternions" "";
        "npss" One "power-weighted distance of the spectra of global quaternions" "";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_found() {
        for (index, definition) in CATALOGUE.iter().enumerate() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(definition.name.chars().all(plain), "{}", definition.name);
            assert_eq!(find_metric(definition.name), Some(definition));
            assert!(CATALOGUE[..index].iter().all(|earlier| earlier.name != definition.name), "{}", definition.name);
        }
        assert_eq!(find_metric("drift"), None);
    }
}
