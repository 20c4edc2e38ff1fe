#include "dynid/core/few_words.h"
#include "dynid/core/text.h"
#include "dynid/signals/audit_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace dynid {

namespace {

using Eigen::Index;
using Severity = Finding::Severity;
using std::numbers::pi;

// A step between two rows that is too large for any plausible speed: an angle that wraps at a full
// turn, a new zero of the encoder, an outlier, or the beginning of another recording.
struct Jump {
  int joint = 0;
  double time = 0.0;  // [s] of the log
  double step = 0.0;  // rad or m
};

/// Whether most rows in the 50 ms before a row repeat the position of the row before: the next
/// change makes up for them.
bool followsRepeatedRows(const RawSignals& excerpt, int j, Index row) {
  constexpr double kWithin = 0.05;  // [s]
  Index repeated = 0, rows = 0;
  for (Index k = row - 1; k > 0 && excerpt.time(row) - excerpt.time(k) < kWithin; --k, ++rows)
    repeated += excerpt.position(k, j) == excerpt.position(k - 1, j) ? 1 : 0;
  return 2 * repeated > rows;
}

std::vector<Jump> jumpsOf(const AuditMaterial& material, int j) {
  constexpr double kLongestHold = 0.05;  // [s]; a logger that is faster than its source
  constexpr double kSmallestJump = 0.03, kCertainJump = 0.2;  // rad or m
  const double fast = std::max(10.0 * material.speedOf(j), 1.0);
  std::vector<Jump> jumps;
  for (const RawSignals& excerpt : material.excerpts) {
    Index changed = 0;  // the first row of the value that the position has
    Index before = 0;   // the row before in time: rows that go back in time are left out
    for (Index k = 1; k < excerpt.rows(); ++k) {
      if (!(excerpt.time(k) > excerpt.time(before))) continue;
      const Index last = std::exchange(before, k);
      const double step = std::abs(excerpt.position(k, j) - excerpt.position(last, j));
      const double held = std::min(excerpt.time(k) - excerpt.time(changed), kLongestHold);
      const double seconds =
          std::max({held, excerpt.time(k) - excerpt.time(last), material.plan.dt});
      if (step != 0.0) changed = k;
      if (!(step > fast * seconds) || !(step > kSmallestJump) || !(step < 1e12)) continue;
      if (!(step > kCertainJump) && followsRepeatedRows(excerpt, j, k)) continue;
      jumps.push_back({j, excerpt.time(k) - material.plan.start_s, step});
    }
  }
  return jumps;
}

bool wraps(const AuditMaterial& material, const Jump& jump) {
  return !material.isPrismatic(jump.joint) && std::abs(jump.step - 2.0 * pi) < 0.3;
}

// Times at which at least two, and half, of the moving joints jump, none within a second of
// another: rows of other positions that come and go are no other recording.
std::vector<double> seamsIn(const AuditMaterial& material,
                            const std::vector<std::vector<Jump>>& jumps) {
  constexpr double kApart = 1.0;  // [s]
  std::vector<double> all;
  Index moving = 0;
  for (Index j = 0; j < std::ssize(jumps); ++j) {
    moving += material.moves(j) ? 1 : 0;
    for (const Jump& jump : jumps[j])
      if (!wraps(material, jump)) all.push_back(jump.time);
  }
  std::sort(all.begin(), all.end());
  std::vector<double> found;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::upper_bound(first, all.end(), *first);
    if (last - first >= 2 && 2 * (last - first) >= moving) found.push_back(*first);
    first = last;
  }
  const bool close = std::adjacent_find(found.begin(), found.end(), [](double a, double b) {
                       return b - a < kApart;
                     }) != found.end();
  return close ? std::vector<double>{} : found;
}

void addJumps(const AuditMaterial& material,
              const std::vector<Jump>& jumps,
              std::vector<Finding>& findings) {
  const Jump& largest = *std::max_element(
      jumps.begin(), jumps.end(), [](const Jump& a, const Jump& b) { return a.step < b.step; });
  const bool turns = wraps(material, largest);
  findings.push_back(
      {Severity::kWarning,
       "position-jump",
       largest.joint,
       material.nameOf(largest.joint) + ": the position jumps " +
           (jumps.size() == 1 ? "once, by " : std::to_string(jumps.size()) + " times, by up to ") +
           toText(largest.step, 4) + material.unitOf(largest.joint) + " at " +
           toText(largest.time, 5) + " s" + (turns ? ": the angle wraps at a full turn" : ""),
       largest.step,
       turns ? "log the continuous angle; `dynid import` makes it so when it reads a CSV"
             : "leave that part out (`from_s`, `to_s`) or repair it"});
}

}  // namespace

void auditJumps(const AuditMaterial& material, std::vector<Finding>& findings) {
  std::vector<std::vector<Jump>> jumps;
  for (int j = 0; j < material.excerpts.front().joints(); ++j)
    jumps.push_back(jumpsOf(material, j));
  const std::vector<double> seams = seamsIn(material, jumps);
  for (std::vector<Jump>& of_joint : jumps) {
    std::erase_if(of_joint, [&](const Jump& jump) {
      return std::binary_search(seams.begin(), seams.end(), jump.time);
    });
    if (!of_joint.empty()) addJumps(material, of_joint, findings);
  }
  if (seams.empty()) return;
  std::vector<std::string> times;
  for (const double time : seams) times.push_back(toText(time, 5) + " s");
  findings.push_back(
      {Severity::kRefuse,
       "joined-recordings",
       -1,
       "the positions of most joints jump at the same time, at " + joinFew(times) +
           ": recordings were joined there without their pause, or rows in between are missing",
       static_cast<double>(seams.size()),
       "give the recordings as separate logs, or keep one of them (`from_s`, `to_s`)"});
}

}  // namespace dynid
