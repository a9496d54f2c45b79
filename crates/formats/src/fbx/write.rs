//! The writer: a clip as a binary FBX 7.4, with an armature, its animation and a skinned body of our own.
//!
//! ```text
//! LimbNode (joint) ... LimbNode (end site)      | Mesh (body) <- Geometry <- Skin <- Cluster (one for each joint in use)
//! AnimationStack <- AnimationLayer <- AnimationCurveNode (T, R of a joint) <- AnimationCurve (X, Y, Z)
//! BindPose: the rest pose
//! ```
//!
//! Centimetres, Y up, facing +Z, as Maya, MotionBuilder, Unreal and Unity take them without a question. Rotations are Euler angles
//! X, then Y, then Z, each the closest to the frame before; there is a key in every frame. Contacts have no place in the
//! format.

use super::binary::{CREATION_TIME, FILE_ID, Node, Property, VERSION, write_binary};
use crate::gltf::{BodyMesh, GltfWriteError, check_clip, end_site_name};
use crate::written_name::written_name;
use std::collections::BTreeMap;
use surefoot_geom::{Quat, Transform, euler};
use surefoot_motion::{BodyMap, Clip, JointId, MeshDetail, WorldPose, figure_mesh};

/// Units of the file in a metre.
const PER_METRE: f64 = 100.0;
/// Ticks of the file's clock in a second.
const TICKS: f64 = 46_186_158_000.0;
/// Linear keys.
const LINEAR: i32 = 1 << 2 | 1 << 8 | 1 << 14 | 1 << 15;
/// A translation that stays this close to its rest has no curve, in metres.
const STILL: f64 = 1e-7;
/// Rz Ry Rx: X turns first.
const ORDER: [usize; 3] = [2, 1, 0];

/// Writes a clip as FBX. A body map gives the body its proportions.
pub fn write_fbx(clip: &Clip, body: Option<&BodyMap>, mesh: BodyMesh) -> Result<Vec<u8>, GltfWriteError> {
    check_clip(clip)?;
    let mut scene = Scene::default();
    let joints = scene.add_skeleton(clip);
    if mesh == BodyMesh::With {
        scene.add_body(clip, body, &joints);
    }
    if clip.n_frames() > 0 {
        scene.add_animation(clip, &joints);
    }
    Ok(write_binary(&scene.finish(clip)))
}

/// Objects and how they hang together.
#[derive(Default)]
struct Scene {
    objects: Vec<Node>,
    connections: Vec<Node>,
    n_ids: i64,
}

/// A property with its type and flags, as `Properties70` has them.
fn p(name: &str, kind: &str, label: &str, flags: &str, values: impl IntoIterator<Item = Property>) -> Node {
    let node = Node::new("P").with(name).with(kind).with(label).with(flags);
    values.into_iter().fold(node, Node::with)
}

fn vector(name: &str, kind: &str, flags: &str, value: [f64; 3]) -> Node {
    p(name, kind, "", flags, value.map(Property::Double))
}

fn int(name: &str, kind: &str, label: &str, value: i32) -> Node {
    p(name, kind, label, "", [Property::Int(value)])
}

/// The name of an object with its class behind it.
fn object_name(name: &str, class: &str) -> String {
    format!("{name}\0\x01{class}")
}

fn to_degrees([z, y, x]: [f64; 3]) -> [f64; 3] {
    [x, y, z].map(f64::to_degrees)
}

impl Scene {
    /// A new object; its identity is its first property.
    fn add(&mut self, class: &'static str, name: &str, kind: &str, children: Vec<Node>) -> i64 {
        self.n_ids += 1;
        let id = 1_000_000 + self.n_ids;
        let suffix = match class {
            "AnimationStack" => "AnimStack",
            "AnimationLayer" => "AnimLayer",
            "AnimationCurveNode" => "AnimCurveNode",
            "AnimationCurve" => "AnimCurve",
            "Deformer" if kind == "Cluster" => "SubDeformer",
            other => other,
        };
        let node = Node::new(class).with(id).with(object_name(name, suffix)).with(kind);
        self.objects.push(node.children(children));
        id
    }

    fn connect(&mut self, child: i64, parent: i64) {
        self.connections.push(Node::new("C").with("OO").with(child).with(parent));
    }

    fn connect_to(&mut self, child: i64, parent: i64, property: &str) {
        self.connections.push(Node::new("C").with("OP").with(child).with(parent).with(property));
    }

    fn add_limb(&mut self, name: &str, rest: &Transform, parent: i64) -> i64 {
        let angles = to_degrees(euler::angles_near(rest.rotation.normalize(), ORDER, [0.0; 3]));
        let properties = Node::new("Properties70").children([
            int("RotationOrder", "enum", "", 0),
            p("RotationActive", "bool", "", "", [Property::Int(1)]),
            int("InheritType", "enum", "", 1),
            vector("Lcl Translation", "Lcl Translation", "A", (rest.translation * PER_METRE).to_array()),
            vector("Lcl Rotation", "Lcl Rotation", "A", angles),
            vector("Lcl Scaling", "Lcl Scaling", "A", [1.0; 3]),
        ]);
        let model = vec![
            Node::new("Version").with(232),
            properties,
            Node::new("Shading").with(true),
            Node::new("Culling").with("CullingOff"),
        ];
        let id = self.add("Model", name, "LimbNode", model);
        let size = Node::new("Properties70").child(p("Size", "double", "Number", "", [Property::Double(3.0)]));
        let attribute =
            self.add("NodeAttribute", name, "LimbNode", vec![size, Node::new("TypeFlags").with("Skeleton")]);
        self.connect(attribute, id);
        self.connect(id, parent);
        id
    }

    /// Joints and end sites; returns the joints' identities.
    fn add_skeleton(&mut self, clip: &Clip) -> Vec<i64> {
        let skeleton = &clip.skeleton;
        let mut ids: Vec<i64> = Vec::with_capacity(skeleton.n_joints());
        for joint in skeleton.ids() {
            let parent = skeleton.parent(joint).map_or(0, |parent| ids[parent.index()]);
            ids.push(self.add_limb(&written_name(skeleton, joint), &skeleton.joint(joint).rest, parent));
        }
        for site in skeleton.end_sites() {
            let name = site.name.clone().unwrap_or_else(|| end_site_name(&written_name(skeleton, site.parent)));
            self.add_limb(&name, &Transform::from_translation(site.offset), ids[site.parent.index()]);
        }
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        let nodes = ids.iter().zip(rest.world()).map(|(&id, world)| {
            Node::new("PoseNode").child(Node::new("Node").with(id)).child(Node::new("Matrix").with(matrix(world)))
        });
        let pose = vec![
            Node::new("Type").with("BindPose"),
            Node::new("Version").with(100),
            Node::new("NbPoseNodes").with(ids.len() as i32),
        ];
        let pose = pose.into_iter().chain(nodes).collect();
        self.add("Pose", "BindPose", "BindPose", pose);
        ids
    }

    /// The body, bound to the joints.
    fn add_body(&mut self, clip: &Clip, body: Option<&BodyMap>, joints: &[i64]) {
        let primitives = figure_mesh(&clip.skeleton, body, MeshDetail::FINE);
        if primitives.is_empty() {
            return;
        }
        let (mut vertices, mut normals, mut polygons, mut materials) = (vec![], vec![], vec![], vec![]);
        let mut clusters: BTreeMap<usize, (Vec<i32>, Vec<f64>)> = BTreeMap::new();
        for (material, primitive) in primitives.iter().enumerate() {
            let first = (vertices.len() / 3) as i32;
            vertices.extend(primitive.positions.as_flattened().iter().map(|&number| f64::from(number) * PER_METRE));
            for triangle in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|index| first + index as i32);
                // The last corner of a polygon is its complement.
                polygons.extend([a, b, !c]);
                materials.push(material as i32);
                triangle.iter().for_each(|&i| normals.extend(primitive.normals[i as usize].map(f64::from)));
            }
            for (vertex, shares) in primitive.shares.iter().enumerate() {
                for &(joint, share) in shares.iter().filter(|(_, share)| *share > 0.0) {
                    let (indices, weights) = clusters.entry(joint).or_default();
                    indices.push(first + vertex as i32);
                    weights.push(f64::from(share));
                }
            }
        }
        let layer = |class: &'static str, name: &'static str| {
            Node::new("LayerElement").child(Node::new("Type").with(class)).child(Node::new(name).with(0))
        };
        let element = |class: &'static str, mapping: &str, reference: &str| {
            Node::new(class)
                .with(0)
                .child(Node::new("Version").with(101))
                .child(Node::new("Name").with(""))
                .child(Node::new("MappingInformationType").with(mapping))
                .child(Node::new("ReferenceInformationType").with(reference))
        };
        let geometry = vec![
            Node::new("Properties70"),
            Node::new("GeometryVersion").with(124),
            Node::new("Vertices").with(vertices),
            Node::new("PolygonVertexIndex").with(polygons),
            element("LayerElementNormal", "ByPolygonVertex", "Direct").child(Node::new("Normals").with(normals)),
            element("LayerElementMaterial", "ByPolygon", "IndexToDirect").child(Node::new("Materials").with(materials)),
            Node::new("Layer")
                .with(0)
                .child(Node::new("Version").with(100))
                .child(layer("LayerElementNormal", "TypedIndex"))
                .child(layer("LayerElementMaterial", "TypedIndex")),
        ];
        let geometry = self.add("Geometry", "Body", "Mesh", geometry);
        let model = vec![
            Node::new("Version").with(232),
            Node::new("Properties70").child(int("InheritType", "enum", "", 1)),
            Node::new("Shading").with(true),
            Node::new("Culling").with("CullingOff"),
        ];
        let model = self.add("Model", "Body", "Mesh", model);
        self.connect(model, 0);
        self.connect(geometry, model);
        for primitive in &primitives {
            let colour = primitive.colour.rgb;
            let material = vec![
                Node::new("Version").with(102),
                Node::new("ShadingModel").with("lambert"),
                Node::new("MultiLayer").with(0),
                Node::new("Properties70").child(vector("DiffuseColor", "Color", "A", colour)),
            ];
            let material = self.add("Material", primitive.colour.name, "", material);
            self.connect(material, model);
        }
        let skin = vec![Node::new("Version").with(101), Node::new("Link_DeformAcuracy").with(50.0)];
        let skin = self.add("Deformer", "Body", "Skin", skin);
        self.connect(skin, geometry);
        let rest = WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose());
        for (joint, (indices, weights)) in clusters {
            let world = rest.world()[joint];
            let name = written_name(&clip.skeleton, JointId::new(joint));
            let cluster = vec![
                Node::new("Version").with(100),
                Node::new("UserData").with("").with(""),
                Node::new("Indexes").with(indices),
                Node::new("Weights").with(weights),
                Node::new("Transform").with(matrix(&unit(world).inverse())),
                Node::new("TransformLink").with(matrix(&world)),
            ];
            let cluster = self.add("Deformer", &name, "Cluster", cluster);
            self.connect(cluster, skin);
            self.connect(joints[joint], cluster);
        }
    }

    fn add_animation(&mut self, clip: &Clip, joints: &[i64]) {
        let stop = ticks(clip.n_frames() - 1, clip.frame_rate);
        let span = ["LocalStart", "LocalStop", "ReferenceStart", "ReferenceStop"].into_iter().zip([0, stop, 0, stop]);
        let span = span.map(|(name, time)| p(name, "KTime", "Time", "", [Property::Long(time)]));
        let name = if clip.name.is_empty() { "motion" } else { &clip.name };
        let stack = self.add("AnimationStack", name, "", vec![Node::new("Properties70").children(span)]);
        let layer = self.add("AnimationLayer", name, "", Vec::new());
        self.connect(layer, stack);
        let times: Vec<i64> = (0..clip.n_frames()).map(|frame| ticks(frame, clip.frame_rate)).collect();
        for joint in clip.skeleton.ids() {
            let rest = clip.skeleton.joint(joint).rest;
            let mut near = [0.0; 3];
            let angles = clip.poses().iter().map(|pose| {
                near = euler::angles_near(pose[joint].rotation.normalize(), ORDER, near);
                to_degrees(near)
            });
            let angles: Vec<[f64; 3]> = angles.collect();
            self.add_curves((joints[joint.index()], layer), ("R", "Lcl Rotation"), &times, &angles);
            let moves = clip.poses().iter().any(|pose| pose[joint].translation.distance(rest.translation) > STILL);
            if moves || clip.skeleton.parent(joint).is_none() {
                let places = clip.poses().iter().map(|pose| (pose[joint].translation * PER_METRE).to_array());
                self.add_curves(
                    (joints[joint.index()], layer),
                    ("T", "Lcl Translation"),
                    &times,
                    &places.collect::<Vec<_>>(),
                );
            }
        }
    }

    /// Three curves of a property.
    fn add_curves(
        &mut self,
        (model, layer): (i64, i64),
        (name, property): (&str, &str),
        times: &[i64],
        values: &[[f64; 3]],
    ) {
        let axes = ["d|X", "d|Y", "d|Z"];
        let defaults =
            axes.iter().zip(values[0]).map(|(axis, value)| p(axis, "Number", "", "A", [Property::Double(value)]));
        let node = self.add("AnimationCurveNode", name, "", vec![Node::new("Properties70").children(defaults)]);
        self.connect(node, layer);
        self.connect_to(node, model, property);
        for (i, axis) in axes.iter().enumerate() {
            let keys: Vec<f32> = values.iter().map(|value| value[i] as f32).collect();
            let curve = vec![
                Node::new("Default").with(values[0][i]),
                Node::new("KeyVer").with(4008),
                Node::new("KeyTime").with(times.to_vec()),
                Node::new("KeyValueFloat").with(keys),
                Node::new("KeyAttrFlags").with(vec![LINEAR]),
                Node::new("KeyAttrDataFloat").with(vec![0.0f32; 4]),
                Node::new("KeyAttrRefCount").with(vec![times.len() as i32]),
            ];
            let curve = self.add("AnimationCurve", "", "", curve);
            self.connect_to(curve, node, axis);
        }
    }

    fn finish(self, clip: &Clip) -> Vec<Node> {
        let stop = ticks(clip.n_frames().max(1) - 1, clip.frame_rate);
        let settings = Node::new("Properties70").children([
            int("UpAxis", "int", "Integer", 1),
            int("UpAxisSign", "int", "Integer", 1),
            int("FrontAxis", "int", "Integer", 2),
            int("FrontAxisSign", "int", "Integer", 1),
            int("CoordAxis", "int", "Integer", 0),
            int("CoordAxisSign", "int", "Integer", 1),
            int("OriginalUpAxis", "int", "Integer", 1),
            int("OriginalUpAxisSign", "int", "Integer", 1),
            p("UnitScaleFactor", "double", "Number", "", [Property::Double(1.0)]),
            p("OriginalUnitScaleFactor", "double", "Number", "", [Property::Double(1.0)]),
            int("TimeMode", "enum", "", 14),
            p("TimeSpanStart", "KTime", "Time", "", [Property::Long(0)]),
            p("TimeSpanStop", "KTime", "Time", "", [Property::Long(stop)]),
            p("CustomFrameRate", "double", "Number", "", [Property::Double(clip.frame_rate)]),
        ]);
        let mut counts: BTreeMap<&'static str, i32> = BTreeMap::new();
        self.objects.iter().for_each(|object| *counts.entry(object.name()).or_default() += 1);
        let types = counts.iter().map(|(name, n)| (*name, *n)).chain([("GlobalSettings", 1)]);
        let types = types.map(|(name, n)| Node::new("ObjectType").with(name).child(Node::new("Count").with(n)));
        let definitions = Node::new("Definitions")
            .child(Node::new("Version").with(100))
            .child(Node::new("Count").with(self.objects.len() as i32 + 1))
            .children(types);
        let stamp = ["Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"]
            .into_iter()
            .zip([1970, 1, 1, 10, 0, 0, 0]);
        let stamp = Node::new("CreationTimeStamp")
            .child(Node::new("Version").with(1000))
            .children(stamp.map(|(name, value)| Node::new(name).with(value)));
        let header = Node::new("FBXHeaderExtension")
            .child(Node::new("FBXHeaderVersion").with(1003))
            .child(Node::new("FBXVersion").with(VERSION))
            .child(Node::new("EncryptionType").with(0))
            .child(stamp)
            .child(Node::new("Creator").with("Surefoot"));
        let document = Node::new("Document")
            .with(999_999i64)
            .with("Scene")
            .with("Scene")
            .child(Node::new("Properties70"))
            .child(Node::new("RootNode").with(0i64));
        vec![
            header,
            Node::new("FileId").with(FILE_ID.to_vec()),
            Node::new("CreationTime").with(CREATION_TIME),
            Node::new("Creator").with("Surefoot"),
            Node::new("GlobalSettings").child(Node::new("Version").with(1000)).child(settings),
            Node::new("Documents").child(Node::new("Count").with(1)).child(document),
            Node::new("References"),
            definitions,
            Node::new("Objects").children(self.objects),
            Node::new("Connections").children(self.connections),
            Node::new("Takes").child(Node::new("Current").with("")),
        ]
    }
}

fn ticks(frame: usize, rate: f64) -> i64 {
    (frame as f64 / rate * TICKS).round() as i64
}

fn unit(transform: Transform) -> Transform {
    Transform::new(Quat::normalize(transform.rotation), transform.translation)
}

/// A rigid transform in the file's unit, column after column.
fn matrix(transform: &Transform) -> Vec<f64> {
    let scaled = Transform::new(transform.rotation.normalize(), transform.translation * PER_METRE);
    scaled.to_mat4().to_cols_array().to_vec()
}
