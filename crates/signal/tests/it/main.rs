//! What signal tools cost, and what they do with hostile input.

mod hostile;
mod warp_memory;
