//! The ground that people walk on.
//!
//! For now the level plane at height 0; terrain, obstacles and paths will stand here.
