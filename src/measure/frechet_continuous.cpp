#include "measure/frechet_continuous.h"
namespace tsmini {
double frechet_continuous(Polyline p, Polyline q, double) { return naive_frechet_continuous(p, q); }
}
