//! Cleanup as streams run it.

mod stream_allocates_nothing;
