#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace dynid {

/// Random numbers that are the same on every machine (the standard's engines are specified to the
/// bit, its distributions are not). Streams of one seed are independent of each other, so that
/// channels do not depend on block sizes.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream) {
    std::seed_seq mixed{static_cast<std::uint32_t>(seed),
                        static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(stream),
                        static_cast<std::uint32_t>(stream >> 32)};
    engine_.seed(mixed);
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }
  /// Standard normal (Box and Muller; one of the pair).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dynid
