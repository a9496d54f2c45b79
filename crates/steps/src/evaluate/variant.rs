//! What is compared: methods, and Stride Space with one of its parts changed.
//!
//! Where we go beyond the paper, an [`Ablation`] takes us back to it, with everything else as it is; and where the paper names
//! something that we do not do by default, one tries it.

use crate::{Method, Search, Selection, WalkOptions};

/// Stride Space with one part changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ablation {
    /// The blend as it is (STRIDE 5.3, 5.4), not carried to the query by a regression.
    WithoutRegression,
    /// Candidates by regions (5.1) instead of the best four.
    Regions,
    /// Each footprint by itself (5.1) instead of a search over the plan.
    FootprintByFootprint,
    /// Footprints come one by one, with no look ahead.
    Live,
    /// The same with one footprint of look ahead.
    LiveAhead,
    /// Choosing without the posture metric (8.4): steps are chosen by parameters and person alone.
    WithoutPosture,
    /// What is a person's own counts no more than what is a step's own.
    WithoutPerson,
    /// The nearest step outside the hull (5.2) instead of limited extrapolation (8.3).
    WithoutExtrapolation,
    /// Steps are joined over their double support alone (5.7).
    ShortJoin,
    /// Neither the upper body nor the pelvis is filtered (5.7, 5.8, 7.3).
    Raw,
    /// Steps enter the database as they were recorded, without the filter of `steady` (7.3). It takes another database than the others.
    UnfilteredSteps,
    /// The other clips of the actor alone, instead of the complete database with the actor named. Another database too.
    OwnClipsAlone,
    /// Legs as long as they come out of the blend.
    WithoutLegFit,
    /// Trunk and arms of one step (7.2).
    SplicedUpper,
}

impl Ablation {
    /// In the order in which they are printed.
    pub const ALL: [Ablation; 14] = [
        Ablation::WithoutRegression,
        Ablation::Regions,
        Ablation::FootprintByFootprint,
        Ablation::Live,
        Ablation::LiveAhead,
        Ablation::WithoutPosture,
        Ablation::WithoutPerson,
        Ablation::WithoutExtrapolation,
        Ablation::ShortJoin,
        Ablation::Raw,
        Ablation::UnfilteredSteps,
        Ablation::OwnClipsAlone,
        Ablation::WithoutLegFit,
        Ablation::SplicedUpper,
    ];

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            Ablation::WithoutRegression => "without regression",
            Ablation::Regions => "candidates by regions",
            Ablation::FootprintByFootprint => "footprint by footprint",
            Ablation::Live => "live",
            Ablation::LiveAhead => "live, one footprint ahead",
            Ablation::WithoutPosture => "without posture metric",
            Ablation::WithoutPerson => "without the person's own",
            Ablation::WithoutExtrapolation => "without extrapolation",
            Ablation::ShortJoin => "joined in double support",
            Ablation::Raw => "raw, no filters",
            Ablation::UnfilteredSteps => "steps not filtered",
            Ablation::OwnClipsAlone => "the actor's own clips alone",
            Ablation::WithoutLegFit => "legs not fitted",
            Ablation::SplicedUpper => "upper body spliced",
        }
    }

    /// The options of Stride Space with that part changed.
    pub fn apply(self, options: &WalkOptions) -> WalkOptions {
        let mut changed = WalkOptions { method: Method::StrideSpace, ..*options };
        match self {
            Ablation::WithoutRegression => changed.carries = false,
            Ablation::Regions => changed.choose.selection = Selection::Regions,
            Ablation::FootprintByFootprint => changed.search = Search::Footprint,
            Ablation::Live => (changed.search, changed.horizon) = (Search::Live, 0),
            Ablation::LiveAhead => (changed.search, changed.horizon) = (Search::Live, 1),
            Ablation::WithoutPosture => changed.choose.posture = 0.0,
            Ablation::WithoutPerson => {
                (changed.style_share, changed.personality) = (options.individuality, options.individuality);
            }
            Ablation::WithoutExtrapolation => changed.choose.max_extrapolation = 0.0,
            Ablation::ShortJoin => changed.join_window = 0.0,
            Ablation::Raw => changed.filters = false,
            // Another database, not other options.
            Ablation::UnfilteredSteps | Ablation::OwnClipsAlone => {}
            Ablation::WithoutLegFit => changed.fits_legs = false,
            Ablation::SplicedUpper => changed.splice_upper = true,
        }
        changed
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A method.
    Method(Method),
    /// Stride Space with one part changed.
    Ablation(Ablation),
}

/// How many there are.
pub const N_VARIANTS: usize = Method::ALL.len() + Ablation::ALL.len();

impl Variant {
    /// In the order in which they are printed: methods first.
    pub fn all() -> [Variant; N_VARIANTS] {
        std::array::from_fn(|k| match k.checked_sub(Method::ALL.len()) {
            None => Variant::Method(Method::ALL[k]),
            Some(k) => Variant::Ablation(Ablation::ALL[k]),
        })
    }

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Method(method) => method.name(),
            Variant::Ablation(ablation) => ablation.name(),
        }
    }

    /// Whether it is Stride Space with one part changed.
    pub fn is_ablation(self) -> bool {
        matches!(self, Variant::Ablation(_))
    }

    /// Whether it takes another database than the others, which there may not be.
    pub fn takes_other_steps(self) -> bool {
        matches!(self, Variant::Ablation(Ablation::UnfilteredSteps | Ablation::OwnClipsAlone))
    }

    /// The options that it is walked with.
    pub fn apply(self, options: &WalkOptions) -> WalkOptions {
        match self {
            Variant::Method(method) => WalkOptions { method, ..*options },
            Variant::Ablation(ablation) => ablation.apply(options),
        }
    }
}

impl From<Method> for Variant {
    fn from(method: Method) -> Variant {
        Variant::Method(method)
    }
}

impl From<Ablation> for Variant {
    fn from(ablation: Ablation) -> Variant {
        Variant::Ablation(ablation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ablation_changes_something_and_every_row_has_its_name() {
        let options = WalkOptions::default();
        let of_options = Ablation::ALL.into_iter().filter(|&ablation| !Variant::from(ablation).takes_other_steps());
        let changed: Vec<WalkOptions> = of_options.map(|ablation| ablation.apply(&options)).collect();
        for (index, one) in changed.iter().enumerate() {
            assert_eq!(one.method, Method::StrideSpace);
            assert!(*one != options && !changed[..index].contains(one), "{one:?}");
        }
        let names = Variant::all().map(Variant::name);
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
    }
}
