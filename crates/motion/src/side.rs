//! Left and right, and a pair of anything by side.

use std::ops::{Index, IndexMut};

/// A side of the body, as the person themselves would name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The person's left; +X when they face +Z.
    Left,
    /// The person's right.
    Right,
}

impl Side {
    /// Left, then right.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    pub fn opposite(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerSide<T> {
    /// The left one.
    pub left: T,
    /// The right one.
    pub right: T,
}

impl<T> PerSide<T> {
    /// A pair, left first.
    pub fn new(left: T, right: T) -> PerSide<T> {
        PerSide { left, right }
    }

    /// A pair made by calling `make` for each side, left first.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> PerSide<T> {
        PerSide { left: make(Side::Left), right: make(Side::Right) }
    }

    /// Applies `f` to both.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> PerSide<U> {
        PerSide { left: f(self.left), right: f(self.right) }
    }

    /// Both as references.
    pub fn as_ref(&self) -> PerSide<&T> {
        PerSide { left: &self.left, right: &self.right }
    }

    /// Left and right exchanged.
    pub fn swapped(self) -> PerSide<T> {
        PerSide { left: self.right, right: self.left }
    }

    /// Both with their side, left first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::Left, &self.left), (Side::Right, &self.right)].into_iter()
    }
}

impl<T> Index<Side> for PerSide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }
}
