// The generated C code, compiled by the C compiler and compared with the library.
#include "dynid/model/c_writer.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/model/model_efforts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"
#include "support/python.h"
#include <chrono>
#include <dlfcn.h>
#include <filesystem>

namespace dynid {
namespace {

using dynid::testing::describedModel;
using dynid::testing::runShell;

using OneArgument = void (*)(const double*, double*);
using TwoArguments = void (*)(const double*, const double*, double*);
using ThreeArguments = void (*)(const double*, const double*, const double*, double*);

/// The generated files, compiled with all warnings as errors and loaded.
class Compiled {
 public:
  explicit Compiled(const Model& model) {
    folder_ =
        std::filesystem::temp_directory_path() /
        ("dynid_c_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    const CFiles files = writeC(model, "arm", "0123");
    writeTextFile(folder_ / "arm.h", files.header);
    writeTextFile(folder_ / "arm.c", files.source);
    const auto built = runShell("cd " + folder_.string() +
                                " && cc -std=c99 -Wall -Wextra -pedantic -Werror -O2 -fPIC -shared "
                                "arm.c -o arm.so -lm");
    EXPECT_EQ(built.status, 0) << built.output.substr(0, 2000);
    library_ = dlopen((folder_ / "arm.so").c_str(), RTLD_NOW);
    EXPECT_NE(library_, nullptr) << dlerror();
  }
  ~Compiled() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  template <typename Function>
  Function function(const std::string& name) const {
    return reinterpret_cast<Function>(dlsym(library_, ("arm_" + name).c_str()));
  }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

/// Compares every function at random states.
void expectSameDynamics(const Model& model) {
  const Compiled compiled(model);
  if (::testing::Test::HasFailure()) return;
  const Robot& robot = *model.robot;
  const Eigen::Index n = robot.numJoints();
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](double scale) -> Eigen::VectorXd {
    return Eigen::VectorXd::NullaryExpr(n, [&] { return scale * unit(random); });
  };
  Robot weightless = robot;
  weightless.gravity.setZero();
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = draw(3.0), dq = draw(i < 5 ? 0.02 : 2.0), ddq = draw(5.0);
    const EffortsByCause expected =
        effortsByCause(model, q.transpose(), dq.transpose(), ddq.transpose());
    const Eigen::VectorXd total = expected.total().transpose();
    const double tolerance = 1e-12 * std::max(1.0, total.cwiseAbs().maxCoeff());
    const auto near =
        [&](const Eigen::VectorXd& got, const Eigen::VectorXd& want, const char* what) {
          EXPECT_LT((got - want).cwiseAbs().maxCoeff(), tolerance) << what << ", state " << i;
        };
    Eigen::VectorXd tau(n), other(n);
    compiled.function<ThreeArguments>("inverse_dynamics")(
        q.data(), dq.data(), ddq.data(), tau.data());
    near(tau, total, "inverse dynamics");
    compiled.function<OneArgument>("gravity")(q.data(), tau.data());
    near(tau, inverseDynamics(robot, pi, q, zero, zero), "gravity");
    compiled.function<TwoArguments>("coriolis")(q.data(), dq.data(), tau.data());
    near(tau, inverseDynamics(weightless, pi, q, dq, zero), "coriolis");
    compiled.function<ThreeArguments>("friction")(q.data(), dq.data(), ddq.data(), tau.data());
    near(tau, expected.friction.transpose(), "friction");
    compiled.function<OneArgument>("springs")(q.data(), tau.data());
    near(tau, expected.position.transpose(), "springs");
    Eigen::MatrixXd M(n, n);
    compiled.function<OneArgument>("mass_matrix")(q.data(), M.data());
    EXPECT_LT((M - massMatrix(robot, pi, q) - jointDriveInertia(model)).cwiseAbs().maxCoeff(),
              1e-12 * M.norm());
  }
}

Model panda() {
  const std::string folder = std::string(DYNID_DATASETS_DIR) + "/panda/";
  return describedModel(std::make_shared<Robot>(loadRobot(folder + "panda.urdf")));
}

TEST(CWriter, AgreesWithTheLibraryForAnArm) { expectSameDynamics(dynid::testing::armModel()); }

TEST(CWriter, AgreesForCoupledDrivesAndEveryFrictionTerm) {
  Model model = dynid::testing::syntheticModel();
  for (const FrictionEffect effect : {FrictionEffect::kAsymmetric,
                                      FrictionEffect::kSqrtViscous,
                                      FrictionEffect::kQuadraticViscous,
                                      FrictionEffect::kRipple})
    dynid::testing::appendEffect(
        model,
        frictionColumn(*model.robot, 0, effect, effect == FrictionEffect::kRipple ? 7.0 : 0.0),
        0.7);
  expectSameDynamics(model);
}

TEST(CWriter, AgreesForEveryPositionEffect) {
  const std::string toml = R"(urdf = "threelink.urdf"
[joint.shoulder]
position_effects = [{ type = "counterbalance", radius = 0.1, distance = 0.3, angle = 0.4 }]
[joint.elbow]
position_effects = [{ type = "polynomial", degree = 3 }]
[joint.wrist]
position_effects = [{ type = "fourier", harmonics = 2 }]
)";
  Model model = describedModel(std::make_shared<Robot>(parseRobot(toml, dynid::testing::kUrdf)));
  for (const auto& [owner, terms] : {std::pair{0, 2}, {1, 3}, {2, 4}})
    for (int k = 0; k < terms; ++k) {
      Column column;
      column.kind = ColumnKind::kPosition;
      column.owner = owner;
      column.component = k;
      column.name = "term" + std::to_string(10 * owner + k);
      dynid::testing::appendEffect(model, column, 1.0 + 0.3 * k);
    }
  expectSameDynamics(model);
}

TEST(CWriter, SevenJointsTakeLessThanThousandsOfOperations) {
  const Model model = panda();
  ASSERT_GE(model.robot->numJoints(), 7);
  const CFiles files = writeC(model, "arm", "0123");
  EXPECT_LT(files.operations, 2500);
  RecordProperty("operations", files.operations);
  const Compiled compiled(model);
  const auto call = compiled.function<ThreeArguments>("inverse_dynamics");
  const Eigen::Index n = model.robot->numJoints();
  Eigen::VectorXd q = Eigen::VectorXd::Constant(n, 0.3), tau(n);
  constexpr int kCalls = 200'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) {
    q(0) += 1e-6;
    call(q.data(), q.data(), q.data(), tau.data());
  }
  const double nanoseconds =
      1e9 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
      kCalls;
  RecordProperty("nanoseconds", std::to_string(nanoseconds));
  std::printf("%d joints: %d operations, %.0f ns per call\n",
              static_cast<int>(n),
              files.operations,
              nanoseconds);
}

TEST(CWriter, TheCommentSaysJointsUnitsAndTheModel) {
  const CFiles files = writeC(dynid::testing::armModel(), "my-arm.v2", "feed");
  EXPECT_THAT(files.header, ::testing::HasSubstr("Model: sha256 feed"));
  EXPECT_THAT(files.header, ::testing::HasSubstr("0  joint_1  [rad, N m]"));
  EXPECT_THAT(files.header, ::testing::HasSubstr("#define MY_ARM_V2_JOINTS 6"));
  EXPECT_THAT(files.header, ::testing::HasSubstr("extern \"C\""));
  EXPECT_THAT(files.source, ::testing::HasSubstr("#include \"my-arm.v2.h\""));
}

TEST(CWriter, ClosedLoopsAndFloatingBasesAreRefused) {
  const std::string folder = std::string(DYNID_DATASETS_DIR) + "/four_bar/";
  const Model loop = describedModel(std::make_shared<Robot>(loadRobot(folder + "four_bar.toml")));
  EXPECT_THROW(
      try { writeC(loop, "a", ""); } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("closed loops are solved iteratively"));
        throw;
      },
      InputError);
}

}  // namespace
}  // namespace dynid
