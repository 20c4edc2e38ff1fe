/// Time a sample of every stage between a log and its statistics, for chains of joints.

#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/projection.h"
#include "dynid/equations/row_block.h"
#include "dynid/kernels/instruction_set.h"
#include "dynid/kernels/scratch.h"
#include "dynid/regression/triangular_factor.h"
#include "dynid/signals/filter.h"

#include <Eigen/QR>

#include "peak.h"
#include "pipeline.h"
#include "support/random_robot.h"
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <memory>
#include <random>
#ifdef DYNID_KDL
#include <kdl/chain.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#endif

namespace {

using namespace dynid;

// A block that stays in the cache; not a power of two, or columns would share cache sets.
constexpr Eigen::Index kSamples = 264;
constexpr Eigen::Index kRows = 4000;

std::shared_ptr<const Robot> chain(int joints, double right_angles = 0.0) {
  RandomRobotOptions options;
  options.axis_aligned = right_angles;
  options.joints = joints;
  options.branching = 0.0;
  options.prismatic = 0.0;
  options.mimic = 0.0;
  return std::make_shared<const Robot>(randomRobot(5, options));
}

Eigen::MatrixXd draw(Eigen::Index rows, Eigen::Index columns, double size, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  Eigen::MatrixXd values(rows, columns);
  for (double& value : values.reshaped()) value = uniform(rng);
  return values;
}

void perSample(benchmark::State& state, Eigen::Index samples) {
  state.counters["ns_per_sample"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(samples) * 1e-9,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// All ten columns of every link, into columns that begin at cache lines, as the identification
// has them.
void regressor(benchmark::State& state, const std::string& set, double right_angles) {
  setenv("DYNID_ISA", set.c_str(), 1);
  const auto robot = chain(static_cast<int>(state.range(0)), right_angles);
  const ProjectionRegressor projection(robot);
  const Eigen::Index n = robot->numJoints();
  const Eigen::MatrixXd q = draw(kSamples, n, 3.0, 1), dq = draw(kSamples, n, 2.0, 2),
                        ddq = draw(kSamples, n, 5.0, 3);
  ProjectionRegressor::Targets targets;
  std::vector<Eigen::Index> columns;
  for (int j = 0; j < n; ++j)
    columns.push_back(static_cast<Eigen::Index>(projection.columns(j).size()));
  RowBlock Y;
  Y.resize(kSamples, columns);
  for (size_t j = 0; j < columns.size(); ++j) {
    targets.emplace_back();
    for (Eigen::Index c = 0; c < columns[j]; ++c) targets[j].push_back(Y[j].col(c).data());
  }
  for (auto _ : state) {
    projection.evaluate(q, dq, ddq, targets);
    benchmark::DoNotOptimize(targets.front().front());
  }
  perSample(state, kSamples);
  unsetenv("DYNID_ISA");
}

// The usual way: ten inverse dynamics calls a link, each with one unit parameter.
void unitParameters(benchmark::State& state) {
  const auto robot = chain(static_cast<int>(state.range(0)));
  const Eigen::Index n = robot->numJoints();
  constexpr Eigen::Index kFew = 20;
  const Eigen::MatrixXd q = draw(kFew, n, 3.0, 1), dq = draw(kFew, n, 2.0, 2),
                        ddq = draw(kFew, n, 5.0, 3);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(10 * n);
  for (auto _ : state)
    for (Eigen::Index i = 0; i < kFew; ++i)
      for (Eigen::Index c = 0; c < unit.size(); ++c) {
        unit(c) = 1.0;
        Eigen::VectorXd tau = inverseDynamics(
            *robot, unit, q.row(i).transpose(), dq.row(i).transpose(), ddq.row(i).transpose());
        benchmark::DoNotOptimize(tau.data());
        unit(c) = 0.0;
      }
  perSample(state, kFew);
}

#ifdef DYNID_KDL
void kdlInverseDynamics(benchmark::State& state) {
  const auto n = static_cast<unsigned>(state.range(0));
  KDL::Chain kdl;
  for (unsigned j = 0; j < n; ++j)
    kdl.addSegment(KDL::Segment(
        KDL::Joint(j % 2 == 0 ? KDL::Joint::RotZ : KDL::Joint::RotY),
        KDL::Frame(KDL::Rotation::RPY(0.3, 0.2, 0.1), KDL::Vector(0.1, 0.2, 0.3)),
        KDL::RigidBodyInertia(
            2.0, KDL::Vector(0.01, 0.02, 0.1), KDL::RotationalInertia(0.1, 0.1, 0.1))));
  KDL::ChainIdSolver_RNE solver(kdl, KDL::Vector(0.0, 0.0, -9.81));
  KDL::JntArray q(n), dq(n), ddq(n), tau(n);
  q.data.setConstant(0.3);
  dq.data.setConstant(0.2);
  ddq.data.setConstant(0.1);
  const KDL::Wrenches none(n, KDL::Wrench::Zero());
  for (auto _ : state) {
    solver.CartToJnt(q, dq, ddq, none, tau);
    benchmark::DoNotOptimize(tau.data.data());
  }
  perSample(state, 1);
}
#endif

// Statistics of one channel with this many columns: blocks of rows into a factor.
void factor(benchmark::State& state) {
  const Eigen::MatrixXd rows = draw(kRows, state.range(0), 1.0, 4);
  for (auto _ : state) {
    TriangularFactor factor(rows.cols());
    factor.add(rows);
    benchmark::DoNotOptimize(factor.R().data());
  }
  perSample(state, kRows);
}

// The kernel behind it alone, in operations a second: 2 p^2 a row (X U^-1 and its Gram matrix).
void gramKernel(benchmark::State& state, const InstructionSet& set) {
  const Eigen::MatrixXd X = draw(15 * kGramRows, state.range(0), 1.0, 4);
  const Eigen::Index p = X.cols();
  const Eigen::MatrixXd U = Eigen::MatrixXd::Identity(p, p);
  Scratch room;
  double* Z = room.atLeast(p * kGramRows);
  std::vector<double> sums(set.lanes * p * (p + 1) / 2);
  std::vector<const double*> columns(p);
  for (auto _ : state) {
    for (Eigen::Index begin = 0; begin < X.rows(); begin += kGramRows) {
      for (Eigen::Index c = 0; c < p; ++c) columns[c] = X.col(c).data() + begin;
      set.gram({columns.data(), p, 0, U.data(), kGramRows, Z, sums.data()});
    }
    benchmark::DoNotOptimize(sums.data());
  }
  const double operations = 2.0 * static_cast<double>(p * p * X.rows());
  state.counters["operations_per_second"] = benchmark::Counter(
      operations * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  perSample(state, X.rows());
}

// What no matrix product exceeds.
void peak(benchmark::State& state) {
  double operations = 0.0;
  for (auto _ : state) operations += multiplyAdd(100000);
  state.counters["operations_per_second"] =
      benchmark::Counter(operations, benchmark::Counter::kIsRate);
}

void householder(benchmark::State& state) {
  const Eigen::MatrixXd rows = draw(kRows, state.range(0), 1.0, 4);
  for (auto _ : state) {
    Eigen::HouseholderQR<Eigen::MatrixXd> qr(rows);
    benchmark::DoNotOptimize(qr.matrixQR().data());
  }
  perSample(state, kRows);
}

// Seven channels, back and forth.
void zeroPhaseFilter(benchmark::State& state) {
  Eigen::MatrixXd columns = draw(16384, 7, 1.0, 5);
  const Lowpass lowpass = designLowpass(4, 5.0, 1000.0);
  FilterWorkspace workspace;
  for (auto _ : state) {
    filterZeroPhase(lowpass, columns, workspace);
    benchmark::DoNotOptimize(columns.data());
  }
  perSample(state, columns.rows());
}

}  // namespace

int main(int argc, char** argv) {
  const auto joints = [](benchmark::internal::Benchmark* b) {
    for (int n : {2, 6, 7, 30}) b->Arg(n);
    b->ArgName("joints");
  };
  for (const InstructionSet& set : availableInstructionSets()) {
    joints(
        benchmark::RegisterBenchmark(("regressor/" + set.name).c_str(), regressor, set.name, 0.0));
    joints(benchmark::RegisterBenchmark(
        ("regressor, right angles/" + set.name).c_str(), regressor, set.name, 1.0));
  }
  joints(benchmark::RegisterBenchmark("regressor by unit parameters", unitParameters));
#ifdef DYNID_KDL
  joints(benchmark::RegisterBenchmark("one inverse dynamics call of KDL", kdlInverseDynamics));
#endif
  for (const int columns : {30, 60}) {
    benchmark::RegisterBenchmark("statistics/one channel", factor)
        ->ArgName("columns")
        ->Arg(columns);
    benchmark::RegisterBenchmark("HouseholderQR/one channel", householder)
        ->ArgName("columns")
        ->Arg(columns);
  }
  for (const InstructionSet& set : availableInstructionSets())
    for (const int columns : {30, 60})
      benchmark::RegisterBenchmark(("gram kernel/" + set.name).c_str(), gramKernel, set)
          ->ArgName("columns")
          ->Arg(columns);
  benchmark::RegisterBenchmark("multiply-adds from registers", peak);
  benchmark::RegisterBenchmark("zero-phase filter/7 channels", zeroPhaseFilter);
  registerPipeline();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
