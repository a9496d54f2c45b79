//! How far every walk on from a node will stray at the least: what makes the search give up early.
//!
//! Idea: whichever edges a walk takes from a node, after so many frames it is not far from where going straight ahead for as many
//! metres would have led it. How far aside, for all walks at once, is found beforehand: a disc.
//!
//! ```text
//!                       .--.
//!               .--.   (    )  .    discs: all that walks from the node may be aside of u, however they turn
//!      o  .  . (. . ) .(. . )  .    u: straight ahead
//!     node      `--'   (    )
//!    ___________________`--'____    path: what is between it and a disc, no walk can make up
//! ```
//!
//! A walk that has travelled `t` metres since the node, to the point `p`, is aside by `q = p - t u`. Both `t` and `q` are known
//! within bounds, a range and a disc. Straight pieces of `p = q + t u` and of the path over the range differ by a straight
//! piece again, so that the least distance between walk and path is that of a point and a segment, less the disc's radius, and
//! less what the path bends within the range. Counting from `t`, not from frames alone, keeps slow and fast walks in small discs.
//!
//! The disc after so many frames holds those after fewer frames of all nodes that the node's edges lead to,
//! so one sweep over frames and edges finds all of them, however many walks there are.

use super::route::Route;
use super::{At, EdgeTrack};
use crate::motion_graph::MotionGraph;
use surefoot_geom::Vec2;

/// Frames that bounds look ahead. With 24 searches of graphs of recordings tried 2 to 37 % more edges, with 32 up to 6 %;
/// farther, discs are as large as what walks stray.
const N_FRAMES: usize = 40;
/// Frames that share a disc. With 1 searches tried fewer edges, with 4 more, and both took longer.
const BLOCK: usize = 2;
const N_BLOCKS: usize = N_FRAMES / BLOCK;
/// A disc around discs is centred by so many moves.
const N_MOVES: u32 = 6;
/// A path that bends by less than this is taken to bend by so much, without a root, in metres.
const STRAIGHT: f64 = 1e-5;
/// Bounds are less by this share than they come out, so that rounding gives nothing up that is best.
const ROUNDING: f64 = 1e-9;

/// Where walks may be after a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spread {
    /// The disc of what walks are aside, in the coordinates of the node's clip.
    middle: Vec2,
    radius: f64,
    /// The least and the most that is travelled since the node, in metres.
    travelled: [f64; 2],
}

impl Spread {
    const NONE: Spread = Spread { middle: Vec2::ZERO, radius: 0.0, travelled: [0.0; 2] };

    fn of_point(point: Vec2, travelled: f64, ahead: Vec2) -> Spread {
        Spread { middle: point - ahead * travelled, radius: 0.0, travelled: [travelled; 2] }
    }

    /// What the start of an edge knows of walks that go on from its end: seen from there straight ahead is elsewhere.
    fn before(&self, edge: &EdgeTrack, own_ahead: Vec2, ahead: Vec2) -> Spread {
        let turned = edge.next.turn(own_ahead) - ahead;
        let [low, high] = self.travelled;
        let length = edge.length();
        Spread {
            middle: edge.next.apply(self.middle) + turned * (0.5 * (low + high)) - ahead * length,
            radius: self.radius + turned.length() * (0.5 * (high - low)),
            travelled: [low + length, high + length],
        }
    }

    /// One around all.
    fn around(spreads: &[Spread]) -> Spread {
        let mut travelled = [f64::INFINITY, f64::NEG_INFINITY];
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for spread in spreads {
            travelled = [travelled[0].min(spread.travelled[0]), travelled[1].max(spread.travelled[1])];
            low = low.min(spread.middle - spread.radius);
            high = high.max(spread.middle + spread.radius);
        }
        let mut at = (low + high) / 2.0;
        let (mut reach, mut farthest) = reach_from(at, spreads);
        let (mut middle, mut radius) = (at, reach);
        // Toward the farthest by less and less (Badoiu 2003).
        for number in 0..N_MOVES {
            at += (farthest - at) / f64::from(number + 4);
            (reach, farthest) = reach_from(at, spreads);
            if reach < radius {
                (middle, radius) = (at, reach);
            }
        }
        Spread { middle, radius, travelled }
    }
}

/// How far discs reach from a point, and the middle of the one that reaches farthest.
fn reach_from(from: Vec2, spreads: &[Spread]) -> (f64, Vec2) {
    let reaches = spreads.iter().map(|spread| (spread.middle.distance(from) + spread.radius, spread.middle));
    reaches.fold((0.0, from), |most, reach| if reach.0 > most.0 { reach } else { most })
}

/// Where walks may be after each node of a graph.
pub(super) struct Reach {
    nodes: Vec<NodeReach>,
}

struct NodeReach {
    /// Straight ahead, in the coordinates of the node's clip.
    ahead: Vec2,
    blocks: [Spread; N_BLOCKS],
}

impl Reach {
    /// `ahead` is the direction of each node, in the coordinates of its clip.
    pub(super) fn of(graph: &MotionGraph, edges: &[EdgeTrack], ahead: &[Vec2]) -> Reach {
        let mut spreads = vec![[Spread::NONE; N_FRAMES]; ahead.len()];
        let mut found = Vec::new();
        for frame in 0..N_FRAMES {
            for node in 0..ahead.len() {
                found.clear();
                found.extend(graph.leaving(node).iter().map(|&edge| {
                    let edge = &edges[edge];
                    match edge.points.get(frame) {
                        Some(&(point, travelled)) => Spread::of_point(point, travelled, ahead[node]),
                        None => spreads[edge.to][frame - edge.points.len()].before(edge, ahead[edge.to], ahead[node]),
                    }
                }));
                spreads[node][frame] = Spread::around(&found);
            }
        }
        let block = |spreads: &[Spread; N_FRAMES], number: usize| Spread::around(&spreads[BLOCK * number..][..BLOCK]);
        let of_node = |(spreads, ahead): (&[Spread; N_FRAMES], &Vec2)| NodeReach {
            ahead: *ahead,
            blocks: std::array::from_fn(|number| block(spreads, number)),
        };
        Reach { nodes: spreads.iter().zip(ahead).map(of_node).collect() }
    }

    /// What every walk on from a place strays at the least, in the frames up to `look_ahead`. It need not be exact beyond `enough`.
    pub(super) fn least_deviation(&self, at: &At, route: &Route, least: f64, look_ahead: usize, enough: f64) -> f64 {
        let own = &self.nodes[at.node];
        let ahead = at.ground.turn(own.ahead);
        let mut sum = 0.0;
        for (number, block) in own.blocks.iter().enumerate() {
            let frames = at.frames + BLOCK * (number + 1);
            let [low, high] = block.travelled;
            // Time counts as progress too, which pushes slow walks on.
            let [first_should, last_should] = [frames + 1 - BLOCK, frames].map(|frame| frame as f64 * least);
            let from = (at.travelled + low).max(first_should);
            let to = (at.travelled + high).max(last_should);
            let pushed = (last_should - at.travelled - low).clamp(0.0, to - from);
            // Who has arrived goes no farther.
            if frames > look_ahead || route.is_over(to) {
                break;
            }
            let (first, last) = (route.at(from), route.at(to));
            let middle = at.ground.apply(block.middle);
            let apart_squared = distance_to_origin_squared(middle + ahead * low - first, middle + ahead * high - last);
            let free = block.radius + bend(to - from, first.distance_squared(last)) + pushed;
            // Discs grow: once the path is within one, so it is in the next, or nearly always.
            if apart_squared <= free * free {
                break;
            }
            sum += BLOCK as f64 * (apart_squared.sqrt() - free).powi(2) * (1.0 - ROUNDING);
            if sum >= enough {
                break;
            }
        }
        sum
    }
}

/// How far a point of a curve may be from where it would be on the chord, for a length and the square of its chord: the distances to
/// both ends are no longer than the pieces of the curve, and by Stewart's theorem that leaves so much.
fn bend(length: f64, chord_squared: f64) -> f64 {
    let slack = length * length - chord_squared;
    // Nearly always straight: no root then.
    if slack <= STRAIGHT * STRAIGHT { 0.5 * STRAIGHT } else { 0.5 * slack.sqrt() }
}

/// The square of the distance of a segment from the origin.
fn distance_to_origin_squared(a: Vec2, b: Vec2) -> f64 {
    let along = b - a;
    let (toward, length_squared) = (-a.dot(along), along.length_squared());
    if toward <= 0.0 {
        a.length_squared()
    } else if toward >= length_squared {
        b.length_squared()
    } else {
        a.perp_dot(along).powi(2) / length_squared
    }
}
