#include "dynid/report/many_logs.h"

#include "dynid/math/quantile.h"
#include "dynid/report/numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace dynid {
namespace {

// An entry that several logs share.
template <class What>
struct Shared {
  What what;  // in the words of the first log
  std::string first_log;
  std::size_t logs = 0;
  std::string of(const std::string& text) const {
    return text + " (" + (logs == 1 ? "" : std::to_string(logs) + " logs, first ") + first_log +
           ")";
  }
};

// The entries in descending order of the number of logs.
template <class Key, class What>
std::vector<Shared<What>> mostFrequentFirst(std::map<Key, Shared<What>> found) {
  std::vector<Shared<What>> ordered;
  for (auto& [key, shared] : found) ordered.push_back(std::move(shared));
  std::stable_sort(
      ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.logs > b.logs; });
  return ordered;
}

std::vector<Finding> sharedFindings(const std::vector<ShownAudit>& audits) {
  std::map<std::tuple<Finding::Severity, std::string, int>, Shared<Finding>> found;
  for (const ShownAudit& audit : audits)
    for (const Finding& finding : audit.findings)
      ++found
            .try_emplace({finding.severity, finding.code, finding.joint},
                         Shared<Finding>{finding, audit.of})
            .first->second.logs;
  std::vector<Finding> findings;
  for (Shared<Finding>& shared : mostFrequentFirst(std::move(found))) {
    findings.push_back(std::move(shared.what));
    findings.back().message = shared.of(findings.back().message);
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity > b.severity;
  });
  return findings;
}

std::vector<std::string> sharedNotes(const std::vector<LogRecord>& logs) {
  std::map<std::string, Shared<std::string>> found;
  for (const LogRecord& log : logs)
    for (const std::string& note : log.notes) {
      std::string words = note;
      std::erase_if(words, [](unsigned char c) { return std::isdigit(c) != 0; });
      ++found.try_emplace(words, Shared<std::string>{note, log.file}).first->second.logs;
    }
  std::vector<std::string> notes;
  for (const Shared<std::string>& shared : mostFrequentFirst(std::move(found)))
    notes.push_back(shared.of(shared.what));
  return notes;
}

std::string verdictText(const ValidationResult& result) {
  return std::string(result.passed ? "passed" : "FAILED") +
         (result.training_log.empty() ? "" : ", TRAINING LOG");
}

std::string numberOf(std::size_t logs) { return std::to_string(logs) + " logs"; }

// The joint with the largest error while moving, and its error; "" if no joint moves.
std::string worstJointText(const ValidationResult& result) {
  const JointScore* worst = nullptr;
  for (const JointScore& score : result.per_joint)
    if (score.moving_samples > 0.0 &&
        (worst == nullptr || score.relative_error_moving > worst->relative_error_moving))
      worst = &score;
  return worst == nullptr ? "" : worst->joint + " " + shownPercent(worst->relative_error_moving);
}

std::vector<std::size_t> worstFirst(const std::vector<ValidationResult>& results) {
  const auto badness = [&](std::size_t i) {
    const double error = results[i].relative_error;
    return std::make_pair(!results[i].passed,
                          std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
  };
  std::vector<std::size_t> order(results.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return badness(a) > badness(b);
  });
  return order;
}

}  // namespace

std::vector<ShownAudit> shownAudits(const Identification& identification) {
  const std::vector<std::filesystem::path>& logs = identification.logs;
  std::vector<ShownAudit> audits;
  for (const std::vector<Finding>& findings : identification.audits) {
    const std::size_t i = audits.size();
    const std::string log = i < logs.size() ? logs[i].string() : "log " + std::to_string(i + 1);
    audits.push_back({log, findings});
  }
  if (audits.size() <= kFewLogs) return audits;
  return {{numberOf(audits.size()), sharedFindings(audits)}};
}

std::vector<LogRecord> shownLogs(const std::vector<LogRecord>& logs) {
  if (logs.size() <= kFewLogs) return logs;
  LogRecord all;
  all.file = numberOf(logs.size());
  for (const LogRecord& log : logs) {
    all.samples += log.samples;
    all.used += log.used;
    all.dropped += log.dropped;
  }
  all.notes = sharedNotes(logs);
  return {all};
}

std::vector<std::size_t> shownResults(const std::vector<ValidationResult>& results) {
  std::vector<std::size_t> shown(results.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (results.size() <= kFewLogs) return shown;
  shown = worstFirst(results);
  shown.resize(kFewLogs);
  return shown;
}

std::vector<std::vector<std::string>> logRows(const std::vector<ValidationResult>& results) {
  std::vector<std::vector<std::string>> rows = {
      {"log", "verdict", "relative error", "moving samples", "worst joint, moving"}};
  for (const std::size_t i : worstFirst(results))
    rows.push_back({results[i].log,
                    verdictText(results[i]),
                    shownPercent(results[i].relative_error),
                    shownCount(results[i].moving),
                    worstJointText(results[i])});
  return rows;
}

std::string outcomeOf(const std::vector<ValidationResult>& results) {
  std::vector<double> errors;
  std::size_t passed = 0, trained = 0;
  for (const ValidationResult& result : results) {
    passed += result.passed ? 1 : 0;
    trained += result.training_log.empty() ? 0 : 1;
    if (std::isfinite(result.relative_error)) errors.push_back(result.relative_error);
  }
  return fmt::format(
      "{} of {} passed{}{}",
      passed,
      numberOf(results.size()),
      (errors.empty() ? "" : ", relative error " + shownPercent(median(errors)) + " (median)"),
      (trained == 0
           ? ""
           : "; TRAINING LOGS, which say nothing about other motions: " + std::to_string(trained)));
}

void dropHiddenCurves(std::vector<ValidationResult>& results) {
  std::vector<Curves> curves(results.size());
  const std::vector<std::size_t> shown = shownResults(results);
  for (const std::size_t i : shown) std::swap(curves[i], results[i].curves);
  for (std::size_t i = 0; i < results.size(); ++i) results[i].curves = std::move(curves[i]);
}

std::vector<std::size_t> someLogs(std::size_t logs) {
  const std::size_t count = std::min(logs, kFewLogs);
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < count; ++k) some.push_back(k * logs / count);
  return some;
}

}  // namespace dynid
