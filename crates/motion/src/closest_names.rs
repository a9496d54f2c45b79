//! Names that come close to a misspelt one, for messages.

/// The names of a list that come closest to a misspelt one, best first. Case does not count.
pub fn closest_names<'a>(wanted: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(usize, &str)> =
        names.map(|name| (edit_distance(&wanted, &name.to_lowercase()), name)).collect();
    scored.sort_by_key(|&(distance, _)| distance);
    scored.into_iter().take(count).map(|(_, name)| name).collect()
}

/// Whether two words have so much in common that one may be the other misspelt: half of the longer one's letters.
pub fn resembles(a: &str, b: &str) -> bool {
    2 * edit_distance(&a.to_lowercase(), &b.to_lowercase()) <= a.chars().count().max(b.chars().count())
}

/// How many characters to insert, remove or replace. Only the first [`MAX_COMPARED`] of each word are looked at, so that
/// hostile names cost little.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(MAX_COMPARED).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a_char) in a.chars().take(MAX_COMPARED).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b_char) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a_char != b_char);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

const MAX_COMPARED: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_names_come_first() {
        let names = ["LeftFoot", "RightFoot", "LeftToeBase", "Head"];
        assert_eq!(closest_names("leftfot", names.into_iter(), 2), ["LeftFoot", "RightFoot"]);
        assert!(resembles("headng", "heading") && resembles("Foot", "foots"));
        assert!(!resembles("xyz", "heading"));
    }
}
