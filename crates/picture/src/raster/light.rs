//! The light on a body: a lamp, the sky, the light from the ground, and a darker outline.

use super::cone::Cone;
use crate::colour::CARD;
use crate::shadow::key_light;
use crate::view::Camera;
use surefoot_geom::Vec3;

/// How far a nearer limb darkens what is behind it, in metres, and at most in pixels.
const HALO: f32 = 0.035;
const HALO_PIXELS: f32 = 12.0;
/// A step in depth is seen as one from the first of these on, fully from the second, in metres.
const HALO_STEP: [f32; 2] = [0.025, 0.12];
/// Surfaces of one colour run into each other where they are closer in depth than this, in metres.
const JOIN: f32 = 0.03;
/// Lights in the picture's directions: x right, y up, z towards the viewer.
pub(super) struct Lighting {
    key: [f32; 3],
    /// Halfway between the key light and the viewer, for the highlight.
    half: [f32; 3],
    sky: [f32; 3],
    paper: [f32; 3],
    /// How far a patch looks around, in pixels.
    pub(super) halo: f32,
    /// Steps in depth from which something nearer darkens what is behind it, and from which fully, in pixels.
    pub(super) step: [f32; 2],
    /// Capsules whose surfaces are closer than this in depth run into each other, in pixels.
    pub(super) join: f32,
}

impl Lighting {
    pub(super) fn new(camera: &Camera) -> Lighting {
        let axes = &camera.axes;
        let seen = |v: Vec3| [v.dot(axes.right), v.dot(axes.up), v.dot(axes.toward)].map(|c| c as f32);
        let key = key_light(axes);
        let metre = camera.scale as f32;
        Lighting {
            key: seen(key),
            half: seen((key + axes.toward).normalize()),
            sky: seen(Vec3::Y),
            paper: CARD.to_linear(),
            halo: (HALO * metre).clamp(1.0, HALO_PIXELS),
            step: HALO_STEP.map(|step| step * metre),
            join: JOIN * metre,
        }
    }

    /// Light that leaves a surface with this normal towards the viewer, `open` of the sky and lamp reaching it.
    #[inline]
    pub(super) fn shade(&self, cone: &Cone, normal: [f32; 3], open: f32) -> [f32; 3] {
        let normal = [normal[0], -normal[1], normal[2]];
        let key = dot(normal, self.key).max(0.0);
        let sky = 0.5 + 0.5 * dot(normal, self.sky);
        // The outline is darker than a rough ball's would be: it draws the line that separates it from the paper.
        let grazing = 1.0 - normal[2].clamp(0.0, 1.0);
        let outline = 1.0 - 0.5 * grazing * grazing * grazing;
        let diffuse = (0.34 + 0.27 * sky + 0.62 * key) * outline * open;
        let shine = 0.10 * dot(normal, self.half).max(0.0).powi(20) * open;
        std::array::from_fn(|i| {
            let lit = cone.albedo[i] * diffuse + shine;
            // Mixed as roots: as light, a pale orange would turn pink.
            let mixed = lit.max(0.0).sqrt() * (1.0 - cone.fade) + self.paper[i].sqrt() * cone.fade;
            if cone.fade > 0.0 { mixed * mixed } else { lit }
        })
    }
}

#[inline]
pub(super) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
