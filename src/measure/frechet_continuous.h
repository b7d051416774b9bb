// The Fréchet distance of two polylines.
#pragma once

#include "measure/naive.h"

namespace tsmini {

double frechet_continuous(Polyline p, Polyline q, double low = 0);

}  // namespace tsmini
