//! Exactness of the Delaunay tetrahedra.

mod delaunay;
