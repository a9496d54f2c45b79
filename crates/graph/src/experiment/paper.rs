//! The results that the paper prints, to compare with ours.

/// Names of the four complexities.
pub const COMPLEXITIES: [&str; 4] = ["I", "II", "III", "IV"];

/// The edges of the four complexities: means over the metrics of table 2.
pub const EDGES: [usize; 4] = [261, 638, 1018, 1265];

/// The metrics in the paper's order, by our names.
pub const METRICS: [&str; 3] = ["points", "angles", "pca"];

/// Table 2, by metric and complexity: edges, nodes and frames.
pub const TABLE_2: [[[usize; 3]; 4]; 3] = [
    [[271, 167, 1420], [644, 352, 3532], [1013, 493, 5894], [1263, 542, 7911]],
    [[253, 160, 1508], [632, 365, 3331], [1017, 516, 5720], [1264, 582, 7535]],
    [[258, 161, 1437], [638, 352, 3498], [1024, 479, 6096], [1268, 534, 8027]],
];

/// Table 3: path deviation, printed as square centimetres.
pub const TABLE_3: [[f64; 4]; 3] = [
    [2_034_946.2, 160_938.4, 78_837.7, 67_054.7],
    [1_485_244.7, 82_974.5, 75_676.1, 50_273.2],
    [1_274_669.5, 163_120.6, 82_585.6, 54_404.1],
];

/// Table 4: foot skating in centimetres.
pub const TABLE_4: [[f64; 4]; 3] =
    [[1608.17, 1604.40, 1829.22, 1975.81], [1664.72, 1987.65, 2482.57, 3174.35], [1528.57, 1895.00, 2088.76, 2340.05]];

/// Table 5: seconds of the search.
pub const TABLE_5: [[f64; 4]; 3] =
    [[2.16, 9.94, 41.15, 125.53], [2.65, 3.86, 14.91, 21.53], [0.58, 5.49, 41.98, 80.86]];

/// Length of the paper's zigzag, in metres.
pub const PATH_LENGTH: f64 = 33.0;

/// Rows of table 1 for straight, low and high curvature: skating, amplitude, wavelength and the deviations of both, in centimetres.
pub const TABLE_1: [[f64; 3]; 5] =
    [[0.20, 0.28, 0.39], [3.91, 3.55, 4.51], [57.83, 55.31, 49.06], [0.55, 0.78, 1.10], [1.33, 3.73, 6.44]];

/// A row of table 6.
pub struct Table6Row {
    /// In the paper's unit.
    pub threshold: f64,
    /// Of its graph.
    pub nodes: usize,
    /// Of its graph.
    pub edges: usize,
    /// Of all edges.
    pub frames: usize,
}

/// Table 6.
pub const TABLE_6: [Table6Row; 7] = [
    Table6Row { threshold: 0.5, nodes: 79, edges: 114, frames: 653 },
    Table6Row { threshold: 1.0, nodes: 295, edges: 528, frames: 2874 },
    Table6Row { threshold: 1.5, nodes: 475, edges: 925, frames: 5202 },
    Table6Row { threshold: 2.0, nodes: 566, edges: 1300, frames: 8046 },
    Table6Row { threshold: 2.5, nodes: 599, edges: 1468, frames: 9403 },
    Table6Row { threshold: 3.0, nodes: 611, edges: 1563, frames: 10235 },
    Table6Row { threshold: 3.5, nodes: 613, edges: 1584, frames: 10425 },
];
