#include "dynid/core/child_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace dynid {
namespace {

TEST(ChildProcess, ReportsMoreThanAPipeHoldsAndItsExitStatus) {
  const std::string text(1 << 20, 'x');
  auto child = ChildProcess::start([&](const ChildProcess::Report& report) {
    report(text);
    report("end");
    return 7;
  });
  ASSERT_TRUE(child);
  EXPECT_EQ(child->readAll(), text + "end");
  const std::optional<int> status = child->wait();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 7);
  EXPECT_FALSE(child->wait());
}

TEST(ChildProcess, AnExceptionInTheChildIsAnExitStatusHere) {
  auto child = ChildProcess::start(
      [](const ChildProcess::Report&) -> int { throw std::runtime_error("stop"); });
  ASSERT_TRUE(child);
  EXPECT_EQ(child->readAll(), "");
  const std::optional<int> status = child->wait();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 1);
}

TEST(ChildProcess, ACrashOfTheChildIsASignalHere) {
  auto child = ChildProcess::start([](const ChildProcess::Report&) {
    raise(SIGKILL);
    return 0;
  });
  ASSERT_TRUE(child);
  const std::optional<int> status = child->wait();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status));
  EXPECT_EQ(WTERMSIG(*status), SIGKILL);
}

TEST(ChildProcess, BufferedOutputOfTheParentIsPrintedOnce) {
  testing::internal::CaptureStdout();
  std::printf("row 1");
  auto child = ChildProcess::start([](const ChildProcess::Report&) { return std::fflush(stdout); });
  const bool started = child.has_value();
  if (started) child->wait();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "row 1");
  EXPECT_TRUE(started);
}

TEST(ChildProcess, AChildThatNobodyWaitsForIsEnded) {
  pid_t id = 0;
  {
    auto child = ChildProcess::start([](const ChildProcess::Report& report) {
      report(std::to_string(getpid()));
      while (true) pause();
      return 0;
    });
    ASSERT_TRUE(child);
    ChildProcess moved = std::move(*child);
    id = static_cast<pid_t>(std::stol(moved.read()));
  }
  EXPECT_EQ(kill(id, 0), -1);  // gone, and not left behind as a zombie
}

}  // namespace
}  // namespace dynid
