/// The study of run.sh: success and cost of the physically consistent fit on random problems, and
/// the oracle.

#include "dynid/consistency/certificate.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/QR>

#include "consistency/oracle_problem.h"
#include "consistency/random_problems.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace dynid;
using random_problems::Family;
using random_problems::kFirstSeed;
using random_problems::kSizes;

struct Solve {
  double gap = 0.0;
  double first_milliseconds =
      0.0;                         // optimum and certificate (margin 0), from the triangular factor
  double full_milliseconds = 0.0;  // as users run it: margin and second stage
  int iterations = 0;
  int fallbacks = 0;
};

/// The triangular factor that the toolkit would hold instead of the samples.
PhysicalFitProblem compressed(PhysicalFitProblem problem) {
  const Eigen::Index columns = problem.R.cols() + 1;
  if (problem.R.rows() <= columns) return problem;
  Eigen::MatrixXd stacked(problem.R.rows(), columns);
  stacked << problem.R, problem.z;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stacked);
  const Eigen::MatrixXd factor = qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
  problem.R = factor.leftCols(columns - 1);
  problem.z = factor.rightCols<1>();
  return problem;
}

Solve solve(const Family& family, std::size_t size, std::uint32_t seed) {
  const PhysicalFitProblem problem = compressed(random_problems::randomProblem(family, size, seed));
  PhysicalFitOptions options;
  options.margin = 0.0;
  options.second_stage = false;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  const PhysicalFitResult full = solvePhysicalFit(problem);
  const double gap = fit.feasible ? checkCertificate(fit.certificate).relative_gap : 1e300;
  const double full_gap = full.feasible ? full.relative_duality_gap : 1e300;
  return {std::max(gap, full_gap),
          1e3 * fit.seconds,
          1e3 * full.seconds,
          fit.iterations,
          fit.fallback_steps};
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::vector<double> column(const std::vector<Solve>& solves, double Solve::*field) {
  std::vector<double> values;
  for (const Solve& solve : solves) values.push_back(solve.*field);
  return values;
}

std::size_t countBelow(const std::vector<Solve>& solves, double gap) {
  return static_cast<std::size_t>(
      std::count_if(solves.begin(), solves.end(), [gap](const Solve& s) { return s.gap <= gap; }));
}

void printRow(const std::string& name, int bodies, const std::vector<Solve>& solves) {
  double iterations = 0.0;
  double fallbacks = 0.0;
  for (const Solve& s : solves) {
    iterations += s.iterations;
    fallbacks += s.fallbacks;
  }
  const auto count = static_cast<double>(solves.size());
  std::printf("%-11s %3d %6zu %6zu %6zu  %5.1f %5.1f  %8.2f %8.2f  %8.2f %8.2f  %8.1e\n",
              name.c_str(),
              bodies,
              solves.size(),
              countBelow(solves, 1e-6),
              countBelow(solves, 1e-8),
              iterations / count,
              fallbacks / count,
              quantile(column(solves, &Solve::first_milliseconds), 0.5),
              quantile(column(solves, &Solve::first_milliseconds), 1.0),
              quantile(column(solves, &Solve::full_milliseconds), 0.5),
              quantile(column(solves, &Solve::full_milliseconds), 1.0),
              quantile(column(solves, &Solve::gap), 1.0));
  std::fflush(stdout);
}

void randomStudy(int count) {
  std::printf(
      "CPU time [ms] of one thread; first: optimum with certificate (margin 0); full: margin and "
      "second stage\n");
  std::printf("%-11s %3s %6s %6s %6s  %5s %5s  %8s %8s  %8s %8s  %8s\n",
              "family",
              "n",
              "solved",
              "1e-6",
              "1e-8",
              "steps",
              "QR",
              "first",
              "max",
              "full",
              "max",
              "gap max");
  std::vector<Solve> all;
  std::vector<Solve> seven;
  for (std::size_t size = 0; size < kSizes.size(); ++size)
    for (const Family& family : random_problems::families()) {
      const int repeats = kSizes.at(size) == 30 ? std::max(1, count / 10) : count;
      std::vector<Solve> solves;
      for (int i = 0; i < repeats; ++i)
        solves.push_back(solve(family, size, kFirstSeed + static_cast<std::uint32_t>(i)));
      printRow(family.name, kSizes.at(size), solves);
      all.insert(all.end(), solves.begin(), solves.end());
      if (kSizes.at(size) == 7) seven.insert(seven.end(), solves.begin(), solves.end());
    }
  printRow("all of 7", 7, seven);
  const double total = 0.01 * static_cast<double>(all.size());
  std::printf(
      "%zu problems: gap 1e-6 in %.2f %% (expected 100), 1e-8 in %.2f %% (expected 99.9 or more)\n",
      all.size(),
      static_cast<double>(countBelow(all, 1e-6)) / total,
      static_cast<double>(countBelow(all, 1e-8)) / total);
}

void oracleStudy(const std::string& directory) {
  for (const bool variant : {false, true}) {
    PhysicalFitOptions options;
    options.margin = 0.0;
    options.second_stage = false;
    const PhysicalFitResult fit =
        solvePhysicalFit(oracle::ur10eProblem(directory, variant), options);
    const double expected = variant ? oracle::kVariantOptimum : oracle::kOptimum;
    const double value = std::sqrt(2.0 * fit.objective_optimal);
    std::printf(
        "real six-joint arm%s: %.10f, reference %.10f, relative difference %.1e, gap %.1e, %d "
        "steps, %.2f ms\n",
        variant ? ", masses 0.7 to 1.3" : "",
        value,
        expected,
        value / expected - 1.0,
        fit.relative_duality_gap,
        fit.iterations,
        1e3 * fit.seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 50;
  if (count < 1) {
    std::fprintf(stderr, "usage: physical_fit_study [problems per family and size, at least 1]\n");
    return 2;
  }
  const std::string directory = DYNID_ORACLE_DIR;
  if (!directory.empty()) oracleStudy(directory);
  randomStudy(count);
  return 0;
}
