//! Colours, and the ones that every picture uses.
//!
//! Left is blue and right is orange, which every common kind of colour blindness tells apart; the trunk is grey, so that
//! limbs crossing it stand out. Everything behind the person is pale.

/// A colour as screens and files have it (sRGB).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) [u8; 3]);

impl Colour {
    /// `0xRRGGBB`.
    pub(crate) const fn hex(rgb: u32) -> Colour {
        Colour([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// Amounts of light, 0 to 1: what shading multiplies and antialiasing averages.
    pub(crate) fn to_linear(self) -> [f32; 3] {
        self.0.map(|byte| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The nearest colour to amounts of light; clamped.
    pub(crate) fn from_linear(light: [f32; 3]) -> Colour {
        Colour(light.map(|value| {
            let value = value.clamp(0.0, 1.0);
            let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
            (encoded * 255.0 + 0.5) as u8
        }))
    }

    /// `self` at 0, `other` at 1, evenly in between as the eye sees it.
    pub(crate) fn mix(self, other: Colour, share: f32) -> Colour {
        let share = share.clamp(0.0, 1.0);
        Colour(std::array::from_fn(|i| {
            let (from, to) = (f32::from(self.0[i]), f32::from(other.0[i]));
            (from + (to - from) * share + 0.5) as u8
        }))
    }

    /// `#rrggbb`.
    pub(crate) fn css(self) -> String {
        let [r, g, b] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// Behind the panels.
pub(crate) const PAGE: Colour = Colour::hex(0xE3E7EC);
/// Behind the person.
pub(crate) const CARD: Colour = Colour::hex(0xFAFBFC);
/// The ground around the person, before it fades into the card.
pub(crate) const GROUND: Colour = Colour::hex(0xE9EDF1);
/// Metre lines.
pub(crate) const GRID: Colour = Colour::hex(0xA9B4C1);
/// Lines between the metres.
pub(crate) const GRID_FINE: Colour = Colour::hex(0xCFD6DE);
/// What a full shadow leaves of the ground.
pub(crate) const SHADOW: Colour = Colour::hex(0x6B7686);
/// Text.
pub(crate) const INK: Colour = Colour::hex(0x2B333D);
/// Text that steps back.
pub(crate) const INK_SOFT: Colour = Colour::hex(0x6E7A88);
/// The person's left limbs.
pub(crate) const LEFT: Colour = Colour::hex(0x2F7FD0);
/// The person's right limbs.
pub(crate) const RIGHT: Colour = Colour::hex(0xF08A24);
/// A left foot that is planted.
pub(crate) const LEFT_PLANTED: Colour = Colour::hex(0x0A4DA0);
/// A right foot that is planted.
pub(crate) const RIGHT_PLANTED: Colour = Colour::hex(0xC8490A);
/// Pelvis, spine, neck.
pub(crate) const TRUNK: Colour = Colour::hex(0xB4BAC4);
/// The head.
pub(crate) const HEAD: Colour = Colour::hex(0xC4C9D1);
/// Skeletons whose parts have no names.
pub(crate) const OTHER: Colour = Colour::hex(0x6F8FA8);
/// The trajectory of the pelvis along the ground.
pub(crate) const PATH: Colour = Colour::hex(0x55606E);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_round_trips_every_byte() {
        for byte in 0..=255 {
            let colour = Colour([byte, 255 - byte, byte]);
            assert_eq!(Colour::from_linear(colour.to_linear()), colour);
        }
        assert_eq!(LEFT.css(), "#2f7fd0");
        assert_eq!(LEFT.mix(RIGHT, 0.0), LEFT);
        assert_eq!(LEFT.mix(RIGHT, 1.0), RIGHT);
    }
}
