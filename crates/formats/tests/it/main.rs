//! Every format, in and out, complete and broken.

mod asf_faults;
mod asf_meaning;
mod asf_same_trial;
mod badfiles;
mod bvh_dialects;
mod bvh_faults;
mod bvh_memory;
mod engines;
#[cfg(feature = "fbx")]
mod fbx_faults;
#[cfg(not(feature = "fbx"))]
mod fbx_feature;
#[cfg(feature = "fbx")]
mod fbx_same_trial;
#[cfg(feature = "fbx")]
mod fbx_scenes;
mod gltf_cases;
mod gltf_characters;
mod gltf_faults;
mod gltf_reading;
mod gltf_round_trip;
mod gltf_samples;
mod gltf_validator;
mod own_body;
mod own_faults;
mod own_graph;
mod own_recipe;
mod own_round_trip;
mod own_steps;
mod own_takes;
mod own_terrain;
mod recorded_bodies;
mod recordings;
mod same_figure;
