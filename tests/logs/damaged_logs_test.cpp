#include "dynid/core/errors.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"

#include "logs/test_files.h"
#include <random>

namespace dynid {
namespace {

/// A small log as this module writes it.
std::string logBytes(const std::filesystem::path& path) {
  LogHeader header;
  header.joint_names = {"a", "b"};
  header.robot = "damaged";
  header.payload = PayloadNote{};
  header.payload->mass = 1.0;
  RawBlock block;
  block.time = Eigen::VectorXd::LinSpaced(20, 0.0, 1.0);
  block.position = block.velocity = block.effort = Eigen::MatrixXd::Constant(20, 2, 0.5);
  LogWriter writer(path, header);
  writer.append(block);
  writer.finish();
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DamagedLogs, AreReadOrRefusedButNeverCrash) {
  if (!hasForkedWorkers()) GTEST_SKIP() << "needs the forked worker, which sanitizers do not allow";
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  const std::string bytes = logBytes(path);
  std::mt19937 random(7);
  int refused = 0;
  for (int k = 0; k < 80; ++k) {
    std::string damaged = bytes;
    // HDF5 stores its structure at the beginning of the file; one file in four is also truncated.
    for (int i = 0; i < 3; ++i)
      damaged[random() % std::min<size_t>(bytes.size(), 12000)] = static_cast<char>(random());
    if (k % 4 == 0) damaged.resize(random() % damaged.size());
    writeText(path, damaged);
    try {
      const LogReader reader(path);
      RawBlock block;
      reader.read(0, reader.info().rows, block);
      EXPECT_EQ(fileKind(path), FileKind::kLog);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind(path.string() + ":", 0), 0U) << error.what();
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace dynid
