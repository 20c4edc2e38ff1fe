/// The study of run.sh: how often 95 % intervals hold the truth.

#include "coverage.h"
#include <cstdio>
#include <cstdlib>

namespace {

using namespace dynid;
using coverage::kSettings;

/// Shares over all runs, one column a setting.
struct Shares {
  Eigen::MatrixXd unconstrained, consistent, second_stage;
};

Shares runAll(const coverage::Arm& arm, Eigen::Index parameters, int runs) {
  const auto settings = static_cast<Eigen::Index>(kSettings.size());
  Shares shares;
  shares.unconstrained.setZero(parameters, settings);
  shares.consistent.setZero(parameters, settings);
  shares.second_stage.setZero(parameters, settings);
  for (Eigen::Index s = 0; s < settings; ++s)
    for (int run = 0; run < runs; ++run) {
      const coverage::Hits hits =
          coverage::runOnce(arm, kSettings[s], 1000 + static_cast<std::uint64_t>(run), true);
      shares.unconstrained.col(s) += hits.unconstrained / runs;
      shares.consistent.col(s) += hits.consistent / runs;
      shares.second_stage.col(s) += hits.second_stage / runs;
    }
  return shares;
}

void printRow(const char* name, const Eigen::RowVectorXd& values) {
  std::printf("| %-26s |", name);
  for (double value : values) std::printf(" %22.1f |", 100.0 * value);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 1000;
  const coverage::Arm arm = coverage::makeArm();
  const BaseParameters base = structuralBase(arm.robot, arm.truth.layout, {std::nullopt});
  const Shares shares = runAll(arm, base.rank, runs);

  std::printf("95 %% intervals that hold the truth, %%, %d logs of 24 s each\n\n", runs);
  std::printf("| %-26s |", "base parameter");
  for (const coverage::Setting& setting : kSettings) std::printf(" %22s |", setting.name.c_str());
  std::printf("\n|---|---:|---:|---:|---:|---:|\n");
  for (Eigen::Index k = 0; k < base.rank; ++k)
    printRow(arm.truth.layout[base.independent[k]].name.c_str(), shares.unconstrained.row(k));
  printRow("least", shares.unconstrained.colwise().minCoeff());
  printRow("most", shares.unconstrained.colwise().maxCoeff());
  printRow("pooled", shares.unconstrained.colwise().mean());
  printRow("consistent fit, pooled", shares.consistent.colwise().mean());
  printRow("with second stage, pooled", shares.second_stage.colwise().mean());
  // In the last setting the truth is not in the model: shown, not judged.
  const auto judged = [](const Eigen::MatrixXd& all) -> Eigen::MatrixXd {
    return all.leftCols(all.cols() - 1);
  };
  const Eigen::MatrixXd each = judged(shares.unconstrained);
  const Eigen::VectorXd pooled = judged(shares.consistent).colwise().mean();
  const bool good = each.minCoeff() >= 0.93 && each.maxCoeff() <= 0.97 &&
                    pooled.minCoeff() >= 0.93 && pooled.maxCoeff() <= 0.97;
  std::printf("\n%s\n", good ? "all within 93 to 97 %" : "NOT all within 93 to 97 %");
  return good ? 0 : 1;
}
