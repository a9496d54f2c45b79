//! What signal tools cost.

mod warp_memory;
