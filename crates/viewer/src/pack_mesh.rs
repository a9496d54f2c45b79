//! Triangles as tracks of integers: the body around a skeleton, and the ground.
//!
//! ```text
//! f64 step of positions, in metres
//! packed   x y z in steps | normals in 127ths | colour | for a body: three joints, three shares in 255ths
//! packed   corners of triangles, three for each, counter-clockwise from outside
//! ```

use crate::pack_integers::pack_integers;
use surefoot_geom::Vec3;
use surefoot_motion::{FigurePart, N_SHARES};

/// Smallest step of a position, in metres, and most steps to either side.
const FINEST: f64 = 5e-5;
const MOST_STEPS: f64 = 8e6;

/// Triangles of one kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    pub(crate) colours: Vec<i32>,
    pub(crate) corners: Vec<i32>,
    /// Of a body: the joints that move each vertex, with their shares.
    shares: Vec<[(usize, f32); N_SHARES]>,
}

impl Mesh {
    /// The body around a skeleton. Its colours are: 0 left, 1 right, 2 trunk, 3 head.
    pub(crate) fn of_figure(parts: &[FigurePart]) -> Mesh {
        let mut mesh = Mesh::default();
        for part in parts {
            let colour =
                ["left", "right", "trunk", "head"].iter().position(|name| *name == part.colour.name).unwrap_or(2);
            let first = mesh.positions.len() as i32;
            let vectors =
                |from: &[[f32; 3]]| from.iter().map(|v| Vec3::from_array(v.map(f64::from))).collect::<Vec<_>>();
            mesh.positions.extend(vectors(&part.positions));
            mesh.normals.extend(vectors(&part.normals));
            mesh.colours.extend(part.positions.iter().map(|_| colour as i32));
            mesh.shares.extend(&part.shares);
            mesh.corners.extend(part.indices.iter().map(|&corner| first + corner as i32));
        }
        mesh
    }

    /// Adds a flat polygon that is seen from the side its corners go round counter-clockwise, as a fan.
    pub(crate) fn add_fan(&mut self, corners: &[Vec3], colour: i32) {
        let Some(normal) = fan_normal(corners) else { return };
        let first = self.positions.len() as i32;
        self.positions.extend(corners);
        self.normals.extend(corners.iter().map(|_| normal));
        self.colours.extend(corners.iter().map(|_| colour));
        for i in 1..corners.len() as i32 - 1 {
            self.corners.extend([first, first + i, first + i + 1]);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Appends the mesh.
    pub(crate) fn pack(&self, bytes: &mut Vec<u8>) {
        let far = self.positions.iter().fold(0.0f64, |far, place| far.max(place.abs().max_element()));
        let step = FINEST.max(far / MOST_STEPS);
        bytes.extend(step.to_le_bytes());
        let along = |vectors: &[Vec3], axis: usize, scale: f64| -> Vec<i32> {
            vectors.iter().map(|vector| (vector[axis] * scale).round() as i32).collect()
        };
        let mut tracks: Vec<Vec<i32>> = (0..3).map(|axis| along(&self.positions, axis, 1.0 / step)).collect();
        tracks.extend((0..3).map(|axis| along(&self.normals, axis, 127.0)));
        tracks.push(self.colours.clone());
        if !self.shares.is_empty() {
            tracks.extend((0..N_SHARES).map(|i| self.shares.iter().map(|shares| shares[i].0 as i32).collect()));
            tracks.extend(
                (0..N_SHARES).map(|i| {
                    self.shares.iter().map(|shares| (255.0 * shares[i].1).round() as i32).collect::<Vec<i32>>()
                }),
            );
        }
        pack_integers(&tracks, bytes);
        pack_integers(std::slice::from_ref(&self.corners), bytes);
    }
}

/// The normal of a polygon; `None` where it has no area.
fn fan_normal(corners: &[Vec3]) -> Option<Vec3> {
    let first = *corners.first()?;
    corners.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum::<Vec3>().try_normalize()
}
