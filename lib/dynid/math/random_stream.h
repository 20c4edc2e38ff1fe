#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace dynid {

/// Random numbers that are the same on every machine: the C++ standard specifies its engines bit by
/// bit, but not its distributions. Streams of the same seed are independent of each other, so that
/// each simulated channel can have its own stream and its values do not depend on block sizes.
class RandomStream {
 public:
  /// @param stream  index of the stream, for example of a channel
  RandomStream(std::uint64_t seed, std::uint64_t stream) {
    std::seed_seq mixed{static_cast<std::uint32_t>(seed),
                        static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(stream),
                        static_cast<std::uint32_t>(stream >> 32)};
    engine_.seed(mixed);
  }

  /// Uniform in [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  /// Uniform in [lower, upper).
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }
  /// Standard normal by the Box-Muller transform (the second number of the pair is discarded).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dynid
