// The Fréchet distance of two polylines, to 1e-9 relative or to some roundings of their
// coordinates, whichever is more.
//
// Alt and Godau's decision procedure ("is it at most ε?") on the part of the free-space diagram
// that can be reached. Almost always the distance is that of a vertex from a segment, and then it
// is the lower bound that a kernel finds for many pairs at once (segment.cpp): one decision
// confirms it. Otherwise the search goes on from there by bisection. O(m n) a decision at worst;
// memory linear.
//
//   double metres = frechet_continuous(p, q, pulse);
#pragma once

#include "measure/naive.h"

namespace tsmini {

// `lower` is a lower bound, if one is known already.
double frechet_continuous(Polyline p, Polyline q, Pulse& pulse, double lower = 0);

}  // namespace tsmini
