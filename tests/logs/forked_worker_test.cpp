#include "dynid/logs/forked_worker.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <vector>

namespace dynid {
namespace {

TEST(ForkedWorker, ADeadWorkerIsAnInputError) {
  if (!hasForkedWorkers()) GTEST_SKIP() << "no workers under sanitizers";
  const auto crash = [] { std::raise(SIGSEGV); };
  EXPECT_EQ(messageOf<InputError>([&] { checkInForkedWorker("bad.h5", crash); }),
            "bad.h5: the library that reads it crashed (signal 11) on this file in a trial run; "
            "the file is "
            "damaged: record or copy it again");
  const auto crash_without_memory = [] {
    errno = ENOMEM;
    std::raise(SIGSEGV);
  };
  EXPECT_THAT(messageOf<InputError>([&] { checkInForkedWorker("bad.h5", crash_without_memory); }),
              ::testing::HasSubstr("got too little memory"));
  const auto endless = [] { std::raise(SIGXCPU); };
  EXPECT_THAT(messageOf<InputError>([&] { checkInForkedWorker("bad.h5", endless); }),
              ::testing::HasSubstr("did not finish (signal 24)"));
}

TEST(ForkedWorker, ARefusalOfTheWorkerIsTheAnswer) {
  if (!hasForkedWorkers()) GTEST_SKIP() << "no workers under sanitizers";
  const auto refuse = [] { throw InputError("bad.h5:/time: is missing"); };
  EXPECT_EQ(messageOf<InputError>([&] { checkInForkedWorker("bad.h5", refuse); }),
            "bad.h5:/time: is missing");
  const auto mistake = [] { throw std::invalid_argument("of the caller"); };
  EXPECT_NO_THROW(checkInForkedWorker("good.h5", mistake));
  EXPECT_NO_THROW(checkInForkedWorker("good.h5", [] {}));
}

TEST(ForkedWorker, WorksInACopyWithLimits) {
  if (!hasForkedWorkers()) GTEST_SKIP() << "no workers under sanitizers";
  int changed = 0;
  checkInForkedWorker("good.h5", [&] { changed = 1; });
  EXPECT_EQ(changed, 0);
  const auto greedy = [] {
    std::vector<char> much(size_t{3} << 30);
    static char* volatile seen = much.data();  // or else clang omits the allocation
    static_cast<void>(seen);
  };
  EXPECT_EQ(messageOf<InputError>([&] { checkInForkedWorker("bad.h5", greedy); }),
            "bad.h5: the library that reads it got too little memory in a trial run (it may use 1 "
            "GiB, less if the system has less); the file is damaged (record or copy it again), or "
            "memory is short (`ulimit -v`, the limit of the container)");
}

}  // namespace
}  // namespace dynid
