// Random numbers that are the same on every machine.
//
// The standard library fixes its engines but not its distributions, and libm differs between
// machines in the last digit; so engine and distributions live here and use only operations that
// IEEE 754 rounds exactly (+ - * / sqrt). One generator per independent unit of work, seeded with
// Random(seed, stream), makes results independent of threads and of order.
//
//   Random random(seed, trip_number);
//   double metres = 5.0 * random.normal();
#pragma once

#include <cmath>
#include <cstdint>

namespace tsmini {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix(seed) ^ mix(stream + 0x9e3779b97f4a7c15u)) {}

  // 64 uniform bits (SplitMix64).
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    return mix(state_);
  }

  // Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  // Uniform in [0, n), n > 0. Unbiased: rejects the short last stretch.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % n;
    for (;;) {
      const std::uint64_t x = bits();
      if (x < limit) return x % n;
    }
  }

  bool chance(double probability) { return uniform() < probability; }

  // Mean 0, deviation 1, by the polar method with our own logarithm.
  double normal() {
    for (;;) {
      const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
      if (s > 0 && s < 1) return u * std::sqrt(-2.0 * logarithm(s) / s);
    }
  }

  // Mean 1.
  double exponential() { return -logarithm(1.0 - uniform()); }

  // Natural logarithm of a positive, finite number, to 1e-15 relative, from exact operations only.
  static double logarithm(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent);  // m in [0.5, 1)
    if (m < 0.70710678118654752) {
      m *= 2;
      --exponent;
    }
    const double z = (m - 1) / (m + 1), zz = z * z;  // ln m = 2 artanh z, |z| < 0.172
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * zz + 1.0 / k;
    return 2 * z * sum + exponent * 0.69314718055994530942;
  }

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tsmini
