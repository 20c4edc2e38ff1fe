// Reports on more logs than can be shown individually.
#include "dynid/report/many_logs.h"

#include "dynid/report/html.h"
#include "dynid/report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/synthetic_result.h"
#include <limits>

namespace dynid {
namespace {

using dynid::testing::someFindings;
using dynid::testing::syntheticModel;
using dynid::testing::syntheticResult;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string name(size_t log) { return "run" + std::to_string(log) + ".h5"; }

// Every second log has two findings, the tenth a third one; every log but one lost some rows.
Identification ofManyLogs(size_t logs) {
  Identification identification{syntheticModel(), {}};
  identification.model.provenance.logs.clear();
  for (size_t i = 0; i < logs; ++i) {
    LogRecord log;
    log.file = name(i);
    log.sha256 = "sha" + std::to_string(i);
    log.samples = 1000.0;
    log.used = 900.0;
    log.dropped = 100.0;
    if (i > 0) log.notes = {std::to_string(100 - i) + " rows dropped: NaN or Inf"};
    if (i == 4) log.notes.emplace_back("no units: SI is assumed");
    identification.model.provenance.logs.push_back(log);
    identification.audits.push_back(i % 2 == 0 ? someFindings() : std::vector<Finding>());
    identification.logs.emplace_back(name(i));
  }
  if (logs > 9)
    identification.audits[9] = {
        {Finding::Severity::kRefuse, "swapped-joints", 1, "elbow is not the elbow", 1.0, "swap"}};
  return identification;
}

std::vector<ValidationResult> manyResults(size_t logs) {
  std::vector<ValidationResult> results(logs, syntheticResult(syntheticModel()));
  for (size_t i = 0; i < logs; ++i) {
    results[i].log = name(i);
    results[i].passed = i != 2;
    results[i].relative_error = 0.01 * static_cast<double>(i);
  }
  return results;
}

TEST(ManyLogs, FewAreShownAsTheyAre) {
  const Identification few = ofManyLogs(kFewLogs);
  EXPECT_THAT(shownAudits(few), SizeIs(kFewLogs));
  EXPECT_EQ(shownAudits(few)[2].of, "run2.h5");
  EXPECT_THAT(shownLogs(few.model.provenance.logs), SizeIs(kFewLogs));
  EXPECT_THAT(shownResults(manyResults(3)), ElementsAre(0, 1, 2));
  EXPECT_THAT(summaryOf(few), HasSubstr("Audit of run7.h5"));
}

TEST(ManyLogs, ShareTheirFindings) {
  const std::vector<ShownAudit> audits = shownAudits(ofManyLogs(21));
  ASSERT_THAT(audits, SizeIs(1));
  EXPECT_EQ(audits[0].of, "21 logs");
  ASSERT_THAT(audits[0].findings, SizeIs(3));  // the most severe finding first
  EXPECT_EQ(audits[0].findings[0].message, "elbow is not the elbow (run9.h5)");
  EXPECT_EQ(audits[0].findings[1].message,
            "elbow: logged velocity lags by 5 ms (11 logs, first run0.h5)");
  EXPECT_EQ(audits[0].findings[1].remedy, "nothing, it is not used");
}

TEST(ManyLogs, ShareTheirNotes) {
  const std::vector<LogRecord> logs = shownLogs(ofManyLogs(21).model.provenance.logs);
  ASSERT_THAT(logs, SizeIs(1));
  EXPECT_EQ(logs[0].samples, 21000.0);
  EXPECT_EQ(logs[0].used, 18900.0);
  EXPECT_EQ(logs[0].dropped, 2100.0);
  EXPECT_THAT(logs[0].notes,
              ElementsAre("99 rows dropped: NaN or Inf (20 logs, first run1.h5)",
                          "no units: SI is assumed (run4.h5)"));
}

TEST(ManyLogs, TheWorstAreShown) {
  std::vector<ValidationResult> results = manyResults(20);
  results[11].relative_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(shownResults(results), ElementsAre(2, 11, 19, 18, 17, 16, 15, 14));
  const std::vector<std::vector<std::string>> rows = logRows(results);
  ASSERT_THAT(rows, SizeIs(21));
  EXPECT_THAT(rows[1], ElementsAre("run2.h5", "FAILED", "2 %", "4000", StartsWith("wrist ")));
  EXPECT_EQ(rows[20][0], "run0.h5");
  EXPECT_THAT(outcomeOf(results), StartsWith("19 of 20 logs passed, relative error 9 % (median)"));
  dropHiddenCurves(results);
  EXPECT_EQ(results[3].curves.time.size(), 0);
  EXPECT_GT(results[19].curves.time.size(), 0);
  const std::string text = summaryOf(results);
  EXPECT_THAT(text, AllOf(HasSubstr("run7.h5"), HasSubstr("The worst of them\nrun2.h5: FAILED")));
  EXPECT_THAT(text, Not(HasSubstr("run19.h5: PASSED")));
}

// A training log is a training log in a table of many as well.
TEST(ManyLogs, TrainingLogsAreMarked) {
  std::vector<ValidationResult> results = manyResults(20);
  EXPECT_THAT(summaryOf(results), Not(HasSubstr("TRAINING LOG")));
  results[2].training_log = "runs/a.h5";
  results[0].training_log = "runs/b.h5";
  const std::vector<std::vector<std::string>> rows = logRows(results);
  EXPECT_EQ(rows[1][1], "FAILED, TRAINING LOG");
  EXPECT_EQ(rows[2][1], "passed");
  EXPECT_EQ(rows[20][1], "passed, TRAINING LOG");
  EXPECT_THAT(outcomeOf(results),
              ::testing::EndsWith("; TRAINING LOGS, which say nothing about other motions: 2"));
}

TEST(ManyLogs, ReportsStayShort) {
  const Model model = syntheticModel();
  const std::string few = htmlReport(model, manyResults(kFewLogs));
  const std::string many = htmlReport(model, manyResults(100));
  EXPECT_LT(static_cast<double>(many.size()), 1.1 * static_cast<double>(few.size()));
  EXPECT_THAT(many, AllOf(HasSubstr("99 of 100 logs passed"), HasSubstr("run50.h5")));
  const Identification identification = ofManyLogs(100);
  const std::string page =
      htmlReport(identification, {syntheticResult(model), syntheticResult(model)});
  EXPECT_THAT(page,
              AllOf(HasSubstr("Of the 100 training logs 2 follow"),
                    HasSubstr("(50 logs, first run0.h5)"),
                    HasSubstr("in the model file")));
  EXPECT_THAT(page, Not(HasSubstr("run60.h5")));
}

TEST(ManyLogs, SomeAreSpreadEvenly) {
  EXPECT_THAT(someLogs(0), IsEmpty());
  EXPECT_THAT(someLogs(3), ElementsAre(0, 1, 2));
  EXPECT_THAT(someLogs(16), ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
}

}  // namespace
}  // namespace dynid
