//! Tracks of integers as few bytes: what the next value differs by from a straight continuation, split into planes of bytes.
//!
//! 1. For each track, the differences of first or second order, whichever are smaller in all.
//! 2. Zigzag: 0, -1, 1, -2 become 0, 1, 2, 3, so that small differences have zeros in their high bytes.
//! 3. The lowest bytes of all tracks, then the next ones, up to the highest that is used. DEFLATE, which follows, sees the like together.
//!
//! ```text
//! header   u32 tracks | u32 values a track | u32 planes
//! orders   one byte a track: 1 or 2
//! planes   tracks x values bytes each
//! ```

/// Bytes of the header, for the test.
#[cfg(test)]
const HEADER: usize = 12;

/// Appends tracks of one length.
pub(crate) fn pack_integers(tracks: &[Vec<i32>], bytes: &mut Vec<u8>) {
    let n_values = tracks.first().map_or(0, Vec::len);
    assert!(tracks.iter().all(|track| track.len() == n_values), "tracks of one length");
    let coded: Vec<(u8, Vec<u32>)> = tracks.iter().map(|track| code(track)).collect();
    let largest = coded.iter().flat_map(|(_, values)| values).copied().max().unwrap_or(0);
    let n_planes = (32 - largest.leading_zeros()).div_ceil(8);
    for number in [tracks.len() as u32, n_values as u32, n_planes] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(coded.iter().map(|(order, _)| *order));
    for plane in 0..n_planes {
        bytes.extend(coded.iter().flat_map(|(_, values)| values).map(|value| (value >> (8 * plane)) as u8));
    }
}

/// A track's order and its zigzag differences.
fn code(track: &[i32]) -> (u8, Vec<u32>) {
    let [first, second] = [1, 2].map(|order| {
        let coded: Vec<u32> =
            (0..track.len()).map(|i| zigzag(track[i].wrapping_sub(expected(order, &track[..i])))).collect();
        (order, coded)
    });
    let size = |coded: &[u32]| coded.iter().map(|&value| u64::from(value)).sum::<u64>();
    if size(&second.1) < size(&first.1) { second } else { first }
}

/// What follows some values if they go on as they did.
fn expected(order: u8, before: &[i32]) -> i32 {
    match (order, before) {
        (2, [.., a, b]) => b.wrapping_add(b.wrapping_sub(*a)),
        (_, [.., last]) => *last,
        (_, []) => 0,
    }
}

fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// Reads what [`pack_integers`] wrote, and how many bytes it took. For tests: the page has the same in JavaScript.
#[cfg(test)]
pub(crate) fn unpack_integers(bytes: &[u8]) -> (Vec<Vec<i32>>, usize) {
    let number = |at: usize| u32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().expect("four bytes")) as usize;
    let [n_tracks, n_values, n_planes] = [0, 1, 2].map(number);
    let orders = &bytes[HEADER..HEADER + n_tracks];
    let planes = &bytes[HEADER + n_tracks..];
    let size = n_tracks * n_values;
    let mut tracks = Vec::new();
    for (index, &order) in orders.iter().enumerate() {
        let mut track: Vec<i32> = Vec::new();
        for i in 0..n_values {
            let byte = |plane: usize| u32::from(planes[plane * size + index * n_values + i]) << (8 * plane);
            let coded: u32 = (0..n_planes).map(byte).sum();
            let difference = (coded >> 1) as i32 ^ -((coded & 1) as i32);
            track.push(expected(order, &track).wrapping_add(difference));
        }
        tracks.push(track);
    }
    (tracks, HEADER + n_tracks + n_planes * size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Random;

    fn check(tracks: &[Vec<i32>]) -> usize {
        let mut bytes = vec![];
        pack_integers(tracks, &mut bytes);
        let (back, used) = unpack_integers(&bytes);
        assert_eq!((back.as_slice(), used), (tracks, bytes.len()));
        bytes.len()
    }

    #[test]
    fn integers_come_back_and_smooth_tracks_are_small() {
        check(&[]);
        check(&[vec![], vec![]]);
        check(&[vec![i32::MAX, i32::MIN, 0, -1, i32::MIN, i32::MAX]]);
        let mut random = Random::new(7);
        check(&[(0..500).map(|_| (random.unit() * 4e9 - 2e9) as i32).collect(), vec![5; 500]]);
        let smooth: Vec<i32> = (0..500).map(|i| (1e5 * (f64::from(i) / 50.0).sin()) as i32).collect();
        assert!(check(&[smooth]) < HEADER + 1 + 2 * 500 + 1, "two planes hold it");
    }
}
