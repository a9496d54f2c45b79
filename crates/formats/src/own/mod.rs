//! Files of our own: foot plans, contacts, paths, scenes, body maps.
