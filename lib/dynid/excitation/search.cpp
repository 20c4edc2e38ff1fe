#include "dynid/excitation/search.h"

#include "dynid/core/text.h"
#include "dynid/excitation/chain.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dynid {
namespace {

// A message of a child: (chain, score or NaN for "chain done", excess, coefficients...).
void send(int pipe, const std::vector<double>& message) {
  const char* data = reinterpret_cast<const char*>(message.data());
  size_t left = message.size() * sizeof(double);
  while (left > 0) {
    const ssize_t count = write(pipe, data, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);  // nobody listens any more
    data += count;
    left -= static_cast<size_t>(count);
  }
}

[[noreturn]] void work(
    const SearchProblem& problem, const SearchOptions& options, int first, int pipe, pid_t parent) {
  for (const int number : {SIGINT, SIGTERM, SIGALRM}) std::signal(number, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const size_t size = 3 + static_cast<size_t>(1 + 2 * problem.harmonics) *
                              static_cast<size_t>(problem.robot->numJoints());
  try {
    for (int chain = first; options.starts == 0 || chain < options.starts;
         chain += options.threads) {
      std::vector<double> message(size, 0.0);
      message[0] = chain;
      runChain(problem, static_cast<std::uint64_t>(chain), options.hops, [&](const Candidate& c) {
        message[1] = c.score;
        message[2] = c.excess;
        std::copy_n(c.X.data(), c.X.size(), message.begin() + 3);
        send(pipe, message);
        return true;
      });
      message[1] = NAN;
      send(pipe, message);
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// A child and what it has written so far; kills it on the way out.
class Child {
 public:
  Child(const SearchProblem& problem, const SearchOptions& options, int first) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("searchTrajectory: no pipe: ") + std::strerror(errno));
    const pid_t parent = getpid();
    id_ = fork();
    if (id_ == 0) {
      close(ends[0]);
      work(problem, options, first, ends[1], parent);
    }
    close(ends[1]);
    pipe_ = ends[0];
    if (id_ < 0) {
      close(pipe_);
      throw std::runtime_error(std::string("searchTrajectory: no process: ") +
                               std::strerror(errno));
    }
  }
  ~Child() { finish(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&& other) noexcept
      : id_(other.id_), pipe_(other.pipe_), bytes_(std::move(other.bytes_)) {
    other.id_ = -1;
  }
  Child& operator=(Child&&) = delete;

  int pipe() const { return pipe_; }
  bool open() const { return id_ > 0; }

  // Complete messages that have come; at the end of the pipe the child is closed.
  std::vector<std::vector<double>> receive(size_t size) {
    std::array<char, 8192> buffer{};
    const ssize_t count = read(pipe_, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR)) finish();
    if (count > 0) bytes_.append(buffer.data(), static_cast<size_t>(count));
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

  void finish() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    close(pipe_);
    id_ = -1;
  }

 private:
  pid_t id_ = -1;
  int pipe_ = -1;
  std::string bytes_;
};

std::string words(const SearchProblem& problem, double score) {
  if (!std::isfinite(score)) return "searching";
  if (problem.criterion == Criterion::kCondition)
    return "condition number " + toText(std::exp(score), 4);
  return std::string("criterion ") + toString(problem.criterion) + " " + toText(score, 5);
}

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
  // The lower chain wins a tie, so that the order of arrival has no part in the result.
  const bool better =
      score < result.best.score || (score == result.best.score && chain < best_chain);
  if (!better) return;
  best_chain = chain;
  result.best = {X, score, message[2]};
  result.steps.push_back({seconds, chain, score});
}

}  // namespace

SearchResult searchTrajectory(const SearchProblem& problem,
                              const SearchOptions& options,
                              const Progress& progress) {
  if (options.threads < 1 || (options.starts < 1 && !(options.seconds > 0.0)))
    throw std::invalid_argument(
        "searchTrajectory: expected threads >= 1 and a positive number of seconds or starts");
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::vector<Child> children;
  const int count =
      options.starts > 0 ? std::min(options.threads, options.starts) : options.threads;
  children.reserve(static_cast<size_t>(count));
  SearchOptions own = options;
  own.threads = count;
  for (int i = 0; i < count; ++i) children.emplace_back(problem, own, i);

  SearchResult result;
  int best_chain = -1;
  const size_t size = 3 + static_cast<size_t>(1 + 2 * problem.harmonics) *
                              static_cast<size_t>(problem.robot->numJoints());
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
        for (const auto& message : children[whose[i]].receive(size))
          take(message, elapsed(), problem, result, best_chain);
    if (progress) {
      const double by_time = options.seconds > 0.0 ? elapsed() / options.seconds : 0.0;
      const double by_chains =
          options.starts > 0 ? static_cast<double>(result.finished_chains) / options.starts : 0.0;
      progress(words(problem, result.best.score), std::min(1.0, std::max(by_time, by_chains)));
    }
  }
  if (result.finished_chains == 0 && result.steps.empty() && result.nearest.X.size() == 0 &&
      std::none_of(children.begin(), children.end(), [](const Child& c) { return c.open(); }))
    throw std::runtime_error("searchTrajectory: every child process ended without a result");
  return result;
}

}  // namespace dynid
