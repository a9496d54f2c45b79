//! Work spread over threads, with results in the order of the work.
//!
//! What each item becomes depends on the item alone, so that results are the same for any number of threads. Threads take one item
//! after the other: items may be of different size.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What each item becomes, in the order of the items. A panic of `make` comes out of here.
pub fn map_in_parallel<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(items.len());
    if n_threads < 2 {
        return items.iter().map(make).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let own = numbers.map_while(|number| Some((number, items.get(number)?)));
        own.map(|(number, item)| (number, make(item))).collect::<Vec<(usize, R)>>()
    };
    let mut made: Vec<(usize, R)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let ended = others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(ended).collect()
    });
    made.sort_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map_in_parallel;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let slow = |&item: &u64| (0..(item * 7919) % 500).fold(item, |sum, k| sum.wrapping_mul(31).wrapping_add(k));
        assert_eq!(map_in_parallel(&items, slow), items.iter().map(slow).collect::<Vec<u64>>());
        assert_eq!(map_in_parallel(&[] as &[u64], slow), []);
    }

    #[test]
    fn a_panic_comes_out() {
        let fails = || map_in_parallel(&[1, 2, 3, 4], |&item| assert!(item != 3));
        assert!(std::panic::catch_unwind(fails).is_err());
    }
}
