#include "dynid/excitation/search.h"

#include "dynid/core/child_process.h"
#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/excitation/chain.h"
#include "dynid/excitation/local_search.h"
#include "dynid/excitation/search_problem.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <system_error>

namespace dynid {
namespace {

size_t messageSize(const SearchProblem& problem) {
  return 3 + static_cast<size_t>(1 + 2 * problem.harmonics) *
                 static_cast<size_t>(problem.robot->numJoints());
}

// Runs in the child: every `options.threads`-th chain. A message consists of chain, score (NaN: end
// of the chain), excess and coefficients.
int runChains(const SearchProblem& problem,
              const SearchOptions& options,
              int first,
              const ChildProcess::Report& report) {
  const auto send = [&](const std::vector<double>& message) {
    report({reinterpret_cast<const char*>(message.data()), message.size() * sizeof(double)});
  };
  for (int chain = first; options.starts == 0 || chain < options.starts; chain += options.threads) {
    std::vector<double> message(messageSize(problem), 0.0);
    message[0] = chain;
    runChain(problem, static_cast<std::uint64_t>(chain), options.hops, [&](const Candidate& c) {
      message[1] = c.score;
      message[2] = c.excess;
      std::copy_n(c.X.data(), c.X.size(), message.begin() + 3);
      send(message);
      return true;
    });
    message[1] = NAN;
    send(message);
  }
  return 0;
}

// A child process and the bytes received from it.
class Child {
 public:
  Child(const SearchProblem& problem, const SearchOptions& options, int first)
      : process_(ChildProcess::start([&](const ChildProcess::Report& report) {
          return runChains(problem, options, first, report);
        })) {
    if (!process_)
      throw std::system_error(
          errno, std::generic_category(), "no process for the search of a motion");
  }

  // Ends the chain that runs, and begins with another one.
  void restart(const SearchProblem& problem, const SearchOptions& options, int first) {
    process_.reset();
    bytes_.clear();
    Child other(problem, options, first);
    process_.emplace(std::move(*other.process_));
    other.process_.reset();
  }

  int pipe() const { return process_->pipe(); }
  bool open() const { return process_.has_value(); }
  /// Whether the process ended otherwise than after its last chain.
  bool lost() const { return lost_; }

  // Returns the complete messages received; at the end of the pipe the child is closed.
  std::vector<std::vector<double>> receive(size_t size) {
    const std::string bytes = process_->read();
    if (bytes.empty()) {
      lost_ = process_->wait() != 0;
      process_.reset();
    }
    bytes_ += bytes;
    std::vector<std::vector<double>> messages;
    const size_t length = size * sizeof(double);
    while (bytes_.size() >= length) {
      std::vector<double> message(size);
      std::memcpy(message.data(), bytes_.data(), length);
      bytes_.erase(0, length);
      messages.push_back(std::move(message));
    }
    return messages;
  }

 private:
  std::optional<ChildProcess> process_;
  std::string bytes_;
  bool lost_ = false;
};

constexpr int kReferenceMotions = 20;
constexpr std::uint64_t kReferenceStream = 1'000'000;  // of random numbers; no chain has it
// A poor chain is replaced after this share of the search time without an improvement of 1 %, but
// not before kLeastPatience [s] and not later than kMostPatience [s]. Chains that are stuck between
// a robot and its ground never improve again (experiments/excitation).
constexpr double kPatience = 0.1, kLeastPatience = 1.0, kMostPatience = 5.0;
constexpr double kImprovement = 0.01;
constexpr double kFirstPatience = 0.25;  // share of the time until the first usable trajectory
constexpr double kLastRestart = 0.8;     // share of the time after which no chain is replaced

// The random motions of SearchResult::reference.
struct RandomMotions {
  double best_score = INFINITY;  // SearchResult::reference
  // The best of those that meet all limits; its score is infinite if none does.
  Candidate usable{{}, INFINITY};
};

RandomMotions randomMotions(const SearchProblem& problem) {
  SearchProblem free = problem;
  free.space = nullptr;
  free.limits.effort.setConstant(INFINITY);
  LocalSearch search(free), limited(problem);
  RandomStream random(problem.seed, kReferenceStream);
  RandomMotions motions;
  for (int i = 0; i < kReferenceMotions; ++i) {
    const Eigen::VectorXd x = search.randomStart(random);
    const double score = search.candidate(x).score;
    motions.best_score = std::min(motions.best_score, score);
    if (!(score < motions.usable.score)) continue;
    const Candidate candidate = limited.candidate(x);
    if (candidate.score < motions.usable.score) motions.usable = candidate;
  }
  return motions;
}

// State of a child process.
struct Watch {
  int chain = 0;
  double since = 0.0;      // [s] time of the search at its start or its last improvement
  double best = INFINITY;  // score
};

// Updates the state by a message of the child, whose next chain has an index larger by `stride`.
void note(const std::vector<double>& message, double seconds, int stride, Watch& watch) {
  if (std::isnan(message[1]))
    watch = {watch.chain + stride, seconds, INFINITY};
  else if (message[1] < watch.best - kImprovement)  // scores are logarithms
    watch = {watch.chain, seconds, message[1]};
}

// Time after which a poor chain without an improvement is replaced [s].
double patienceFor(const Watch& watch, double seconds) {
  if (std::isinf(watch.best)) return kFirstPatience * seconds;
  return std::clamp(kPatience * seconds, kLeastPatience, kMostPatience);
}

std::string words(const SearchProblem& problem, double score) {
  if (!std::isfinite(score)) return "searching";
  if (problem.criterion == Criterion::kCondition)
    return "condition number " + toText(std::exp(score), 4);
  return std::string("criterion ") + toString(problem.criterion) + " " + toText(score, 5);
}

// Replaces the best trajectory if the candidate is better.
// @param best_chain  chain of the best trajectory
void keep(
    const Candidate& candidate, int chain, double seconds, SearchResult& result, int& best_chain) {
  // Of equal scores the lower chain wins, so that the result does not depend on the order of
  // arrival.
  const bool better = candidate.score < result.best.score ||
                      (candidate.score == result.best.score && chain < best_chain);
  if (!better || !std::isfinite(candidate.score)) return;
  best_chain = chain;
  result.best = candidate;
  result.steps.push_back({seconds, chain, candidate.score});
}

// Evaluates a message of a child: counts finished chains, and updates the best trajectory, or the
// one with the smallest excess while no trajectory meets all constraints.
void take(const std::vector<double>& message,
          double seconds,
          const SearchProblem& problem,
          SearchResult& result,
          int& best_chain) {
  const int chain = static_cast<int>(message[0]);
  const double score = message[1];
  if (std::isnan(score)) {
    ++result.finished_chains;
    return;
  }
  const Eigen::MatrixXd X = Eigen::Map<const Eigen::MatrixXd>(
      message.data() + 3, 1 + 2 * problem.harmonics, problem.robot->numJoints());
  if (std::isinf(score)) {
    if (result.nearest.X.size() == 0 || message[2] < result.nearest.excess)
      result.nearest = {X, score, message[2]};
    return;
  }
  keep({X, score, message[2]}, chain, seconds, result, best_chain);
}

/// @returns false if the search was interrupted; the best so far is then its result
bool reportProgress(const SearchProblem& problem,
                    const SearchOptions& options,
                    double elapsed,
                    const Progress& progress,
                    SearchResult& result) {
  const double by_time = options.seconds > 0.0 ? elapsed / options.seconds : 0.0;
  const double by_chains =
      options.starts > 0 ? static_cast<double>(result.finished_chains) / options.starts : 0.0;
  try {
    progress(words(problem, result.best.score), std::min(1.0, std::max(by_time, by_chains)));
  } catch (const Interrupted& interrupted) {
    if (!std::isfinite(result.best.score)) throw;  // there is no result to keep
    result.interrupted_by = interrupted.signalNumber();
    return false;
  }
  return true;
}

}  // namespace

SearchResult searchTrajectory(const SearchProblem& problem,
                              const SearchOptions& options,
                              const Progress& progress) {
  if (options.threads < 1 || (options.starts < 1 && !(options.seconds > 0.0)))
    throw std::invalid_argument(
        "the search has no threads, or neither seconds nor starts; expected `threads` of at least "
        "1 and a positive number of `seconds` or `starts`");
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<Child> children;
  const int count =
      options.starts > 0 ? std::min(options.threads, options.starts) : options.threads;
  children.reserve(count);
  SearchOptions per_process = options;
  per_process.threads = count;
  for (int i = 0; i < count; ++i) children.emplace_back(problem, per_process, i);

  SearchResult result;
  int best_chain = SearchStep::kNoChain;
  const RandomMotions random = randomMotions(problem);
  result.reference = random.best_score;
  keep(random.usable, SearchStep::kNoChain, elapsed(), result, best_chain);
  std::vector<Watch> watches(children.size());
  for (size_t i = 0; i < watches.size(); ++i) watches[i].chain = static_cast<int>(i);
  const size_t size = messageSize(problem);
  while (options.seconds <= 0.0 || elapsed() < options.seconds) {
    std::vector<pollfd> pipes;
    std::vector<size_t> whose;
    for (size_t i = 0; i < children.size(); ++i)
      if (children[i].open()) {
        pipes.push_back({children[i].pipe(), POLLIN, 0});
        whose.push_back(i);
      }
    if (pipes.empty()) break;
    poll(pipes.data(), pipes.size(), 100);
    for (size_t i = 0; i < pipes.size(); ++i)
      if (pipes[i].revents != 0)
        for (const auto& message : children[whose[i]].receive(size)) {
          take(message, elapsed(), problem, result, best_chain);
          note(message, elapsed(), count, watches[whose[i]]);
        }
    const bool restarts = options.starts == 0 && elapsed() < kLastRestart * options.seconds;
    for (size_t i = 0; restarts && i < children.size(); ++i) {
      Watch& watch = watches[i];
      if (!children[i].open() || watch.best <= result.reference ||
          elapsed() - watch.since < patienceFor(watch, options.seconds))
        continue;
      watch = {watch.chain + count, elapsed(), INFINITY};
      children[i].restart(problem, per_process, watch.chain);
      ++result.abandoned_chains;
    }
    if (progress && !reportProgress(problem, options, elapsed(), progress, result)) break;
  }
  result.lost_processes = static_cast<int>(
      std::count_if(children.begin(), children.end(), [](const Child& c) { return c.lost(); }));
  if (result.finished_chains == 0 && result.steps.empty() && result.nearest.X.size() == 0 &&
      std::none_of(children.begin(), children.end(), [](const Child& c) { return c.open(); }))
    throw std::system_error(std::make_error_code(std::errc::no_child_process),
                            "every process of the search for a motion ended without a result");
  return result;
}

}  // namespace dynid
