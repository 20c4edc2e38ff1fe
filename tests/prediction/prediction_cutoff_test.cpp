#include "dynid/prediction/predict.h"
#include "dynid/signals/plan.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

// Noise of a log asked for 76 Hz in place of 3.8, and its efforts were predicted with 4700 % error.
TEST(PredictionCutoff, OnlyAFasterMotionRaisesIt) {
  SignalSettings signals;
  signals.cutoff_hz = 4.0;
  SignalPlan plan;
  plan.dt = 0.005;
  plan.chosen_cutoff_hz = 20.0;
  plan.least_cutoff_hz = 1.5;
  EXPECT_EQ(predictionCutoff(signals, plan), 4.0) << "what lies above may be noise";
  plan.least_cutoff_hz = 3.0;
  EXPECT_EQ(predictionCutoff(signals, plan), 9.0) << "three times what the speed asks for";
  plan.least_cutoff_hz = 8.0;
  EXPECT_EQ(predictionCutoff(signals, plan), 20.0) << "as chosen from its positions";
  plan.chosen_cutoff_hz = 5.0;
  EXPECT_EQ(predictionCutoff(signals, plan), 4.0) << "hardly faster";
  plan.dt = 0.1;
  EXPECT_EQ(predictionCutoff(signals, plan), 2.0) << "a fifth of the rate";
}

}  // namespace
}  // namespace dynid
