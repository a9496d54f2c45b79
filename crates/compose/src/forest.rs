//! A small forest of extremely randomised trees: which class a list of numbers belongs to, as shares that sum to 1.
//!
//! Reference: Geurts, Ernst and Wehenkel, "Extremely randomized trees" (2006). Each tree sees all samples; a node tries some
//! features with one random threshold each and takes the one that purifies the classes most (Gini). Random thresholds
//! generalise from few samples better than best ones, and a tree costs next to nothing. Deterministic for a seed.

use surefoot_geom::Random;

/// Splits are chosen by at most so many samples of a node: more cost most of the time of learning and choose no better.
const MOST_SEEN: usize = 200;

/// A sample: numbers, class and weight.
#[derive(Clone, Debug)]
pub(crate) struct Sample<const N: usize> {
    pub(crate) numbers: [f64; N],
    pub(crate) class: usize,
    pub(crate) weight: f64,
}

/// How a forest is grown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForestOptions {
    pub(crate) n_trees: usize,
    /// Features that a node tries.
    pub(crate) n_tried: usize,
    /// Nodes of less weight are leaves.
    pub(crate) least_weight: f64,
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    /// Numbers below the threshold go to the next node, others to `above`.
    Split { feature: u32, threshold: f64, above: u32 },
    /// Where its shares begin.
    Leaf { shares: u32 },
}

/// Samples, column by column.
struct Columns {
    numbers: Vec<f64>,
    /// Class and weight.
    of: Vec<(usize, f64)>,
}

impl Columns {
    fn column(&self, feature: usize) -> &[f64] {
        let n = self.of.len();
        &self.numbers[feature * n..(feature + 1) * n]
    }
}

/// Trees over lists of `N` numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Forest<const N: usize> {
    n_classes: usize,
    roots: Vec<u32>,
    nodes: Vec<Node>,
    shares: Vec<f64>,
}

impl<const N: usize> Forest<N> {
    pub(crate) fn grow(samples: &[Sample<N>], n_classes: usize, options: &ForestOptions) -> Forest<N> {
        let mut forest = Forest { n_classes, roots: Vec::new(), nodes: Vec::new(), shares: Vec::new() };
        let mut random = Random::new(options.seed);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        // Column by column: a split reads one number of many samples.
        let columns = Columns {
            numbers: (0..N).flat_map(|feature| samples.iter().map(move |sample| sample.numbers[feature])).collect(),
            of: samples.iter().map(|sample| (sample.class, sample.weight)).collect(),
        };
        for _ in 0..options.n_trees {
            forest.roots.push(forest.nodes.len() as u32);
            forest.grow_node(&columns, &mut order, options, &mut random);
        }
        forest
    }

    /// Adds the shares of all trees for some numbers, each from 0 to 1.
    pub(crate) fn classify(&self, numbers: &[f64; N], shares: &mut [f64]) {
        shares.fill(0.0);
        for &root in &self.roots {
            let mut at = root as usize;
            loop {
                match self.nodes[at] {
                    Node::Split { feature, threshold, above } => {
                        at = if numbers[feature as usize] < threshold { at + 1 } else { above as usize };
                    }
                    Node::Leaf { shares: from } => {
                        let leaf = &self.shares[from as usize..from as usize + self.n_classes];
                        shares.iter_mut().zip(leaf).for_each(|(share, leaf)| *share += leaf);
                        break;
                    }
                }
            }
        }
        let n_trees = self.roots.len().max(1) as f64;
        shares.iter_mut().for_each(|share| *share /= n_trees);
    }

    /// The stack holds what is still to be grown: depth is bounded by the number of samples, so no recursion.
    fn grow_node(&mut self, samples: &Columns, order: &mut [u32], options: &ForestOptions, random: &mut Random) {
        // Ranges of `order`, with the split whose upper branch they are.
        let mut waiting: Vec<(usize, usize, Option<usize>)> = vec![(0, order.len(), None)];
        let (mut above, mut seen) = (Vec::new(), Vec::new());
        while let Some((from, to, parent)) = waiting.pop() {
            let here = self.nodes.len();
            if let Some(parent) = parent
                && let Node::Split { above, .. } = &mut self.nodes[parent]
            {
                *above = here as u32;
            }
            let part = &mut order[from..to];
            let mut weights = vec![0.0; self.n_classes];
            for &sample in part.iter() {
                let (class, weight) = samples.of[sample as usize];
                weights[class] += weight;
            }
            let weight: f64 = weights.iter().sum();
            let is_pure = weights.iter().filter(|weight| **weight > 0.0).count() <= 1;
            let split = if is_pure || weight < options.least_weight {
                None
            } else {
                self.best_split(samples, part_seen(part, &mut seen, random), options, random)
            };
            let Some((feature, threshold)) = split else {
                self.nodes.push(Node::Leaf { shares: self.shares.len() as u32 });
                self.shares.extend(weights.iter().map(|of| if weight > 0.0 { of / weight } else { 0.0 }));
                continue;
            };
            let column = samples.column(feature);
            let is_above = |sample: &u32| column[*sample as usize] >= threshold;
            above.clear();
            above.extend(part.iter().copied().filter(is_above));
            let mut n_below = 0;
            for at in 0..part.len() {
                if !is_above(&part[at]) {
                    part[n_below] = part[at];
                    n_below += 1;
                }
            }
            part[n_below..].copy_from_slice(&above);
            let middle = from + n_below;
            self.nodes.push(Node::Split { feature: feature as u32, threshold, above: 0 });
            waiting.push((middle, to, Some(here)));
            waiting.push((from, middle, None));
        }
    }

    /// The purest of some random splits of these samples.
    fn best_split(
        &self,
        samples: &Columns,
        part: &[u32],
        options: &ForestOptions,
        random: &mut Random,
    ) -> Option<(usize, f64)> {
        let mut best: Option<(f64, usize, f64)> = None;
        let mut weights = vec![0.0; 2 * self.n_classes];
        for _ in 0..options.n_tried {
            let feature = random.index(N);
            let column = samples.column(feature);
            // Between two samples, so that thresholds are dense where numbers are: over the range between the least and the largest
            // number, what is absent or far away would leave hardly any for the rest.
            let mut any = || column[part[random.index(part.len())] as usize];
            let [a, b] = [any(), any()];
            let threshold = a.min(b) + (a - b).abs() * random.unit();
            if threshold <= a.min(b) {
                continue;
            }
            weights.fill(0.0);
            for &sample in part {
                let (class, weight) = samples.of[sample as usize];
                weights[class + if column[sample as usize] < threshold { 0 } else { self.n_classes }] += weight;
            }
            // Gini: the sum of squares over the sum, of both sides; the larger the purer.
            let purity = |side: &[f64]| {
                let sum: f64 = side.iter().sum();
                if sum > 0.0 { side.iter().map(|weight| weight * weight).sum::<f64>() / sum } else { 0.0 }
            };
            let score = purity(&weights[..self.n_classes]) + purity(&weights[self.n_classes..]);
            if best.is_none_or(|(best, ..)| score > best) {
                best = Some((score, feature, threshold));
            }
        }
        best.map(|(_, feature, threshold)| (feature, threshold))
    }
}

/// The samples by which a node's split is chosen: all of few, some of many.
fn part_seen<'a>(part: &'a [u32], seen: &'a mut Vec<u32>, random: &mut Random) -> &'a [u32] {
    if part.len() <= MOST_SEEN {
        return part;
    }
    seen.clear();
    seen.extend((0..MOST_SEEN).map(|_| part[random.index(part.len())]));
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_number_decides_is_learned_and_is_the_same_each_time() {
        let mut random = Random::new(3);
        let sample = |random: &mut Random| {
            let numbers = [random.unit(), random.unit(), random.unit()];
            Sample { numbers, class: usize::from(numbers[1] > 0.6), weight: 1.0 }
        };
        let samples: Vec<Sample<3>> = (0..300).map(|_| sample(&mut random)).collect();
        let options = ForestOptions { n_trees: 40, n_tried: 4, least_weight: 2.0, seed: 1 };
        let forest = Forest::grow(&samples, 2, &options);
        assert_eq!(forest, Forest::grow(&samples, 2, &options));
        let right = (0..300).filter(|_| {
            let Sample { numbers, class, .. } = sample(&mut random);
            let mut shares = [0.0; 2];
            forest.classify(&numbers, &mut shares);
            assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9);
            (shares[1] > 0.5) == (class == 1)
        });
        assert!(right.count() > 285);
    }
}
