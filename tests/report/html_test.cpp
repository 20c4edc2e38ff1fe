#include "dynid/report/html.h"

#include "dynid/report/html_validation.h"
#include "dynid/report/interactive.h"
#include "dynid/report/markup.h"
#include "dynid/report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/synthetic_result.h"
#include <functional>
#include <limits>
#include <regex>
#include <string>
#include <tinyxml2.h>
#include <vector>

namespace dynid {
namespace {

using dynid::testing::someFindings;
using dynid::testing::syntheticModel;
using dynid::testing::syntheticResult;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Number of elements of a name; -1 if the text is not well-formed.
int countElements(const std::string& text, const std::string& name) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
    ADD_FAILURE() << document.ErrorStr();
    return -1;
  }
  int count = 0;
  const std::function<void(const tinyxml2::XMLElement*)> walk = [&](const tinyxml2::XMLElement* e) {
    for (; e != nullptr; e = e->NextSiblingElement()) {
      count += e->Name() == name ? 1 : 0;
      walk(e->FirstChildElement());
    }
  };
  walk(document.RootElement());
  return count;
}

TEST(Html, PlotsOverTimeCarryTheirNumbersForTheScript) {
  LinePlot plot;
  plot.x = Eigen::Vector3d(0.0, 0.5, 1.0);
  plot.lines = {{Eigen::Vector3d(1.0, std::numeric_limits<double>::quiet_NaN(), 3.0), "measured"}};
  plot.y_label = "a < b & c";
  const std::string markup = timePlot(plot, "log.h5");
  if (plotScript().empty()) GTEST_SKIP() << "built without dygraphs";
  EXPECT_EQ(countElements(markup, "svg"), 1);  // the static picture is kept
  EXPECT_THAT(markup, HasSubstr(R"("x":[0,0.5,1])"));
  EXPECT_THAT(markup, HasSubstr(R"("y":[[1,null,3]])"));
  EXPECT_THAT(markup, Not(HasSubstr("a < b &")));
}

TEST(Html, ThePolicyNamesTheHashOfTheScript) {
  // Of the empty text, from the examples of FIPS 180-4.
  EXPECT_EQ(sha256Base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  const Model model = syntheticModel();
  const std::string page = htmlReport(model, {syntheticResult(model)});
  if (plotScript().empty()) GTEST_SKIP() << "built without dygraphs";
  EXPECT_THAT(page, HasSubstr("script-src 'sha256-" + sha256Base64(plotScript()) + "'"));
  EXPECT_THAT(page, HasSubstr("<script>" + plotScript() + "</script>"));
}

TEST(Html, TheEquationsAreListedOnce) {
  Model model = syntheticModel();
  model.provenance.settings.emplace_back("equations", model.equations);
  const std::string page = htmlReport(model, {syntheticResult(model)});
  const size_t first = page.find("<dt>equations</dt>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("<dt>equations</dt>", first + 1), std::string::npos);
}

TEST(Html, ValidationReportIsWellFormedAndComplete) {
  const Model model = syntheticModel();
  const std::string page = htmlReport(model, {syntheticResult(model)});
  // Two curves and a histogram per joint, and one error bar per base parameter.
  EXPECT_EQ(countElements(page, "svg"), 3 * 3 + 2);
  for (const char* heading : {"Scores per joint",
                              "Checks",
                              "Compared with other models",
                              "Measured and predicted",
                              "Base parameters",
                              "Links",
                              "Friction and drives",
                              "Physically consistent fit",
                              "Fit to the training logs",
                              "Provenance"})
    EXPECT_THAT(page, HasSubstr(heading));
  for (const char* name :
       {"shoulder", "elbow", "wrist", "torque [N m]", "time [s]", "energy_balance", "plate"})
    EXPECT_THAT(page, HasSubstr(name));
}

TEST(Html, TheFirstScreenSaysWhetherHowGoodAndWhatNext) {
  const Model model = syntheticModel();
  ValidationResult result = syntheticResult(model);
  result.passed = true;
  const std::string page = htmlReport(model, {result});
  // in this order: verdict, figures, advice, the worst joint's plot, all else
  size_t at = 0;
  for (const std::string& next : {std::string("The model may be used"),
                                  std::string("relative error, all joints"),
                                  std::string("relative error of the worst joint in motion"),
                                  std::string("<b>Next:</b>"),
                                  std::string("dynid export model.json"),
                                  "<h3>" + result.per_joint[worstJoint(result)].joint,
                                  std::string("Scores per joint"),
                                  std::string("<summary>Parameters</summary>"),
                                  std::string("Base parameters")}) {
    const size_t found = page.find(next, at);
    ASSERT_NE(found, std::string::npos) << next;
    at = found;
  }
  result.passed = false;
  EXPECT_THAT(htmlReport(model, {result}), HasSubstr("Do not use the model yet"));
  const Identification identification{model, {someFindings()}, {"a.h5"}};
  EXPECT_THAT(htmlReport(identification), HasSubstr("<b>Next:</b> "));
}

/// A page without the script of its plots and without the numbers for this script.
std::string withoutPlotScript(std::string page) {
  const std::string script = "<script>" + plotScript() + "</script>";
  const size_t at = page.find(script);
  if (at != std::string::npos) page.erase(at, script.size());
  const std::string data = "<script type=\"application/json\">";
  for (size_t begin = page.find(data); begin != std::string::npos; begin = page.find(data))
    page.erase(begin, page.find("</script>", begin) + 9 - begin);
  const size_t style = page.find(plotStyle());
  if (!plotStyle().empty() && style != std::string::npos) page.erase(style, plotStyle().size());
  return page;
}

TEST(Html, FetchesNothingAndRunsNothingButItsPlots) {
  const Model model = syntheticModel();
  const std::string page = withoutPlotScript(htmlReport(model, {syntheticResult(model)}));
  for (const char* word : {"<script", "<link ", "<img", "@import", "url(", " src=", " href="})
    EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(Html, EscapesNamesFromOutside) {
  Model model = syntheticModel();
  model.status.reason = "<script>alert('x')</script>";
  model.base_parameters[0].expression = "a < b & \"c\"";
  const std::string page = withoutPlotScript(htmlReport(model, {syntheticResult(model)}));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<bold>")));
  EXPECT_THAT(page, HasSubstr("heldout &lt;7&gt; &amp; co.h5"));
  EXPECT_THAT(page, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_GT(countElements(page, "table"), 5);
}

TEST(Html, IdentificationReportShowsTheAudit) {
  const Identification identification{syntheticModel(), {someFindings()}, {"a.h5"}};
  const std::string page = htmlReport(identification);
  EXPECT_GT(countElements(page, "table"), 4);
  EXPECT_THAT(page,
              AllOf(HasSubstr("Audit of the logs"),
                    HasSubstr("velocity-lag"),
                    HasSubstr("a &lt;gap&gt; of 3 s")));
  EXPECT_THAT(htmlReport(identification, {syntheticResult(identification.model)}),
              HasSubstr("This is a training log of the model"));
}

TEST(Html, OfAModelWithAlmostNothingInIt) {
  Model model;
  model.robot = dynid::testing::threeLink();
  model.layout = inertialLayout(*model.robot);
  model.parameters = Eigen::VectorXd::Zero(model.layout.size());
  EXPECT_GT(countElements(htmlReport(model, {}), "table"), 0);
}

TEST(Html, LongLogsDoNotMakeLongPages) {
  const Model model = syntheticModel();
  EXPECT_LT(htmlReport(model, {syntheticResult(model, 100000)}).size(), size_t{600000});
}

TEST(Markup, EscapesEveryDangerousCharacter) {
  EXPECT_EQ(escaped("a<b>&\"'\tc\n"), "a&lt;b&gt;&amp;&quot;&#39;\tc\n");
  EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)), "ab");
  EXPECT_EQ(escaped("m\xC2\xB2 \xE2\x80\x93"), "m\xC2\xB2 \xE2\x80\x93");
  EXPECT_EQ(escaped("\xFF\xC0\x80\xE2\x80"),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Plot, TicksAreRound) {
  EXPECT_THAT(niceTicks(0.0, 10.0, 5), ElementsAre(0.0, 2.0, 4.0, 6.0, 8.0, 10.0));
  EXPECT_THAT(niceTicks(-1.2, 1.2, 4), ElementsAre(-1.0, -0.5, 0.0, 0.5, 1.0));
  EXPECT_TRUE(niceTicks(1.0, 1.0, 4).empty());
  for (const double span : {1e-9, 0.37, 12.0, 8e7}) {
    const auto ticks = niceTicks(-span, 2.0 * span, 6);
    EXPECT_GE(ticks.size(), 3U) << span;
    EXPECT_LE(ticks.size(), 8U) << span;
  }
}

TEST(Plot, GapsAndHolesPartTheLine) {
  LinePlot plot;
  plot.x = Eigen::VectorXd::LinSpaced(100, 0.0, 99.0);
  plot.x.tail(50).array() += 1000.0;
  Eigen::VectorXd y = plot.x;
  y(20) = std::numeric_limits<double>::quiet_NaN();
  plot.lines = {{y, "measured"}};
  EXPECT_EQ(countElements(lineSvg(plot), "polyline"), 3);
}

TEST(Plot, ConstantAndEmptyDataStillDraw) {
  LinePlot plot;
  plot.x = Eigen::VectorXd::LinSpaced(10, 0.0, 1.0);
  plot.lines = {{Eigen::VectorXd::Constant(10, 5.0), "measured"}};
  EXPECT_EQ(countElements(lineSvg(plot), "polyline"), 1);
  EXPECT_THAT(lineSvg(plot), Not(HasSubstr("nan")));
  plot.x.resize(0);
  plot.lines = {{Eigen::VectorXd(), "measured"}};
  EXPECT_EQ(countElements(lineSvg(plot), "polyline"), 0);
  EXPECT_EQ(countElements(histogramSvg(Eigen::VectorXd(), "x", "d"), "rect"), 0);
}

TEST(Plot, HistogramCountsEveryValue) {
  const Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(3101, -1.0, 1.0);
  const std::string svg = histogramSvg(values, "x", "d");
  EXPECT_EQ(countElements(svg, "rect"), 31);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

// A range of 1e-12 of the other values: the place of the outlier in bars is beyond an int.
TEST(Plot, HistogramShowsAnOutlierOfConstantValuesOnItsSide) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(300);
  for (const double outlier : {1.0, -1.0, 1e308, -1e308}) {
    values(7) = outlier;
    std::vector<double> heights;
    const std::string svg = histogramSvg(values, "x", "d");
    const std::regex height("<rect class=\"bar\"[^>]* height=\"([^\"]*)\"");
    for (std::sregex_iterator bar(svg.begin(), svg.end(), height), end; bar != end; ++bar)
      heights.push_back(std::stod((*bar)[1]));
    ASSERT_EQ(heights.size(), 31);
    EXPECT_EQ(heights.front() > 0.0, outlier < 0.0) << outlier;
    EXPECT_EQ(heights.back() > 0.0, outlier > 0.0) << outlier;
  }
}

TEST(Plot, InfiniteIntervalsReachTheEdges) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::string svg = intervalSvg(1.0, -kInf, kInf, 1.0);
  EXPECT_THAT(svg, AllOf(HasSubstr("x1=\"4\""), HasSubstr("x2=\"146\"")));
}

}  // namespace
}  // namespace dynid
