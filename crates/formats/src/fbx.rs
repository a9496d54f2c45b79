//! Autodesk FBX, read through the C library ufbx.
