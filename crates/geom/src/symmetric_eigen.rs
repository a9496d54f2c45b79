//! Eigenvalues and eigenvectors of a symmetric matrix.
//!
//! Reference: Jacobi 1846, cyclic by rows; Golub and Van Loan, "Matrix Computations", section 8.5.
//!
//! Each off-diagonal number in turn is made zero by a plane rotation; sweeps go on until all are. Slower than tridiagonal
//! methods, but short, and as accurate as the numbers allow: for a hundred rows it takes milliseconds.

/// Eigenvalues in descending order, each with its unit eigenvector.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// Descending.
    pub values: Vec<f64>,
    /// For each eigenvalue its vector; perpendicular to each other. Their signs make the largest component positive.
    pub vectors: Vec<Vec<f64>>,
}

/// Sweeps after which nothing is left to do; ten are usual.
const MAX_SWEEPS: usize = 60;

/// Of a matrix given by rows, of which the upper right half is read. Panics if `matrix` is not `n * n` long.
pub fn symmetric_eigen(matrix: &[f64], n: usize) -> SymmetricEigen {
    assert_eq!(matrix.len(), n * n, "a square matrix");
    let mut a: Vec<f64> = (0..n * n).map(|k| matrix[(k / n).min(k % n) * n + (k / n).max(k % n)]).collect();
    // Rows are the eigenvectors.
    let mut v: Vec<f64> = (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.0 }).collect();
    let size: f64 = a.iter().map(|value| value * value).sum();
    for _ in 0..MAX_SWEEPS {
        let off: f64 = (0..n * n).filter(|k| k / n != k % n).map(|k| a[k] * a[k]).sum();
        if off <= 1e-32 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, n, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a[j * n + j].total_cmp(&a[i * n + i]).then(i.cmp(j)));
    let vector = |i: &usize| {
        let row = &v[i * n..(i + 1) * n];
        let largest =
            row.iter().copied().fold(0.0, |most: f64, value| if value.abs() > most.abs() { value } else { most });
        row.iter().map(|value| if largest < 0.0 { -value } else { *value }).collect()
    };
    SymmetricEigen { values: order.iter().map(|i| a[i * n + i]).collect(), vectors: order.iter().map(vector).collect() }
}

/// Makes `a[p][q]` zero.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / t.hypot(1.0);
    let sine = t * cosine;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = cosine * x - sine * y;
        a[k * n + q] = sine * x + cosine * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = cosine * x - sine * y;
        a[q * n + k] = sine * x + cosine * y;
        let (x, y) = (v[p * n + k], v[q * n + k]);
        v[p * n + k] = cosine * x - sine * y;
        v[q * n + k] = sine * x + cosine * y;
    }
    a[p * n + q] = 0.0;
    a[q * n + p] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors are eigenvectors, of unit length and perpendicular; values descend and add up to the trace.
    fn check(matrix: &[f64], n: usize) -> SymmetricEigen {
        let found = symmetric_eigen(matrix, n);
        let size = matrix.iter().fold(1.0f64, |most, value| most.max(value.abs()));
        for (value, vector) in found.values.iter().zip(&found.vectors) {
            for row in 0..n {
                let product: f64 = (0..n).map(|k| matrix[row * n + k] * vector[k]).sum();
                assert!((product - value * vector[row]).abs() < 1e-10 * size, "row {row}");
            }
        }
        for (i, a) in found.vectors.iter().enumerate() {
            for (j, b) in found.vectors.iter().enumerate() {
                let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                assert!((product - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12, "{i} {j}");
            }
        }
        assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]));
        let trace: f64 = (0..n).map(|k| matrix[k * n + k]).sum();
        assert!((found.values.iter().sum::<f64>() - trace).abs() <= 1e-10 * size * n as f64);
        found
    }

    #[test]
    fn known_matrices_have_known_values() {
        assert_eq!(check(&[2.0, 0.0, 0.0, 3.0], 2).values, [3.0, 2.0]);
        let found = check(&[2.0, 1.0, 1.0, 2.0], 2);
        assert!((found.values[0] - 3.0).abs() < 1e-15 && (found.values[1] - 1.0).abs() < 1e-15);
        check(&[], 0);
        check(&[0.0; 9], 3);
        // Hilbert's matrix of 4 rows; values by numpy.linalg.eigvalsh.
        let hilbert: Vec<f64> = (0..16).map(|k| 1.0 / f64::from(k / 4 + k % 4 + 1)).collect();
        let values = check(&hilbert, 4).values;
        let known =
            [1.500_214_280_059_242_6, 0.169_141_220_221_450_03, 0.006_738_273_605_760_617, 9.670_230_402_260_835e-5];
        assert!(values.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-15), "{values:?}");
    }

    #[test]
    fn large_and_rank_poor_matrices_are_solved() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for (n, rank) in [(20, 20), (60, 12)] {
            let factors: Vec<f64> = (0..n * rank).map(|_| random()).collect();
            let entry =
                |i: usize, j: usize| (0..rank).map(|k| factors[i * rank + k] * factors[j * rank + k]).sum::<f64>();
            let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let found = check(&matrix, n);
            assert!(found.values[rank..].iter().all(|value| value.abs() < 1e-12));
        }
    }
}
