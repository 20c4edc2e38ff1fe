#include "dynid/report/interactive.h"

#include "dynid/report/markup.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>

namespace dynid {

/// The files of dygraphs, compiled in (see lib/CMakeLists.txt); empty where they are missing.
extern const char* const kDygraphsScript;
extern const char* const kDygraphsStyle;

namespace {

// Replaces each picture by a graph of the same size. Graphs of one group share zoom and cursor.
// Drag: zoom, Shift and drag: pan, double click: show all.
constexpr const char* kLinkedPlots = R"js(
(function () {
  var colors = {measured: '#9aa3ac', predicted: '#0072B2', residual: '#D55E00'};
  var groups = {};
  window.dynidPlots = [];
  document.querySelectorAll('.time-plot').forEach(function (box) {
    var data = JSON.parse(box.querySelector('script').textContent);
    var picture = box.querySelector('svg');
    var place = document.createElement('div');
    place.className = 'graph';
    place.style.width = '100%';
    place.style.height = data.height + 'px';
    var rows = data.x.map(function (x, i) {
      return [x].concat(data.y.map(function (y) { return y[i]; }));
    });
    box.insertBefore(place, picture);
    var group = groups[data.group] = groups[data.group] || {plots: [], busy: false};
    function others(self, work) {
      if (group.busy) return;
      group.busy = true;
      group.plots.forEach(function (plot) { if (plot !== self) work(plot); });
      group.busy = false;
    }
    var plot = new Dygraph(place, rows, {
      labels: ['time'].concat(data.names),
      colors: data.names.map(function (name) { return colors[name] || '#0072B2'; }),
      ylabel: data.y_label, xlabel: data.x_label, legend: 'follow', strokeWidth: 1.3,
      axisLabelFontSize: 11, xLabelHeight: 16, yLabelWidth: 16, digitsAfterDecimal: 4,
      axes: {y: {axisLabelWidth: 46}, x: {drawAxis: data.x_label !== ''}},
      drawCallback: function (self, initial) {
        if (initial) return;
        var range = self.xAxisRange();
        others(self, function (plot) { plot.updateOptions({dateWindow: range}); });
      },
      highlightCallback: function (event, x, points, row) {
        others(plot, function (other) { other.setSelection(row); });
      },
      unhighlightCallback: function () {
        others(plot, function (other) { other.clearSelection(); });
      }
    });
    picture.style.display = 'none';
    group.plots.push(plot);
    window.dynidPlots.push(plot);
  });
})();
)js";

/// A number as JSON, six digits; null where it is not finite.
nlohmann::json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return nlohmann::json::parse(fmt::format("{:.6g}", value));
}

nlohmann::json rounded(const Eigen::VectorXd& values) {
  nlohmann::json array = nlohmann::json::array();
  for (const double value : values) array.push_back(rounded(value));
  return array;
}

/// JSON escaped for a script element of HTML and XML.
std::string insideScript(const nlohmann::json& json) {
  std::string text;
  for (const char c : json.dump()) {
    if (c == '<' || c == '>' || c == '&')
      text += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      text += c;
  }
  return text;
}

}  // namespace

std::string timePlot(const LinePlot& plot, const std::string& group) {
  std::string picture = lineSvg(plot);
  if (plotScript().empty()) return picture;
  nlohmann::json names = nlohmann::json::array(), lines = nlohmann::json::array();
  for (const PlotLine& line : plot.lines) {
    names.push_back(line.kind);
    lines.push_back(rounded(line.y));
  }
  const nlohmann::json data = {{"group", group},
                               {"height", plot.height},
                               {"x_label", plot.show_x_axis ? plot.x_label : ""},
                               {"y_label", plot.y_label},
                               {"names", names},
                               {"x", rounded(plot.x)},
                               {"y", lines}};
  return "<div class=\"time-plot\">" + picture + "<script type=\"application/json\">" +
         insideScript(data) + "</script></div>\n";
}

const std::string& plotScript() {
  // Also well-formed as XML: the content of CDATA is not parsed.
  static const std::string script =
      *kDygraphsScript == '\0'
          ? std::string()
          : "//<![CDATA[\n" + std::string(kDygraphsScript) + kLinkedPlots + "//]]>\n";
  return script;
}

std::string sha256Base64(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();  // it fails for no other reason
  std::array<unsigned char, 4 * ((EVP_MAX_MD_SIZE + 2) / 3) + 1> encoded{};
  const int length = EVP_EncodeBlock(encoded.data(), digest.data(), static_cast<int>(size));
  return {encoded.begin(), encoded.begin() + length};
}

const std::string& plotStyle() {
  static const std::string style =
      *kDygraphsStyle == '\0' ? std::string()
                              : std::string(kDygraphsStyle) +
                                    "\n.time-plot .graph { font-size: 12px; }\n"
                                    ".dygraph-legend { background: #ffffffd0; font-size: 12px; }\n"
                                    "@media print { .time-plot .graph { display: none; } "
                                    ".time-plot svg { display: block !important; } }\n";
  return style;
}

}  // namespace dynid
