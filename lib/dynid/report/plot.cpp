#include "dynid/report/plot.h"

#include "dynid/core/text.h"
#include "dynid/report/markup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dynid {
namespace {

constexpr double kLeft = 62.0, kRight = 8.0, kTop = 8.0, kBottom = 36.0, kBottomPlain = 8.0;

/// A coordinate with a resolution of a tenth of a pixel.
std::string pixel(double value) {
  const double tenths = std::round(10.0 * value) / 10.0;
  return toText(tenths == 0.0 ? 0.0 : tenths, 6);
}

struct Axes {
  double x_low, x_high, y_low, y_high;
  double left, right, top, bottom;  // of the frame, pixels
  double px(double x) const { return left + (x - x_low) / (x_high - x_low) * (right - left); }
  double py(double y) const { return bottom - (y - y_low) / (y_high - y_low) * (bottom - top); }
};

/// Widens the interval, so that a constant has a non-zero range.
void widen(double& low, double& high, double share) {
  if (!(low <= high)) low = high = 0.0;
  const double room = high > low ? share * (high - low) : std::max(1e-3, 0.1 * std::abs(low));
  low -= room;
  high += room;
}

std::string segment(double x1, double y1, double x2, double y2, const char* kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) +
         "\" x2=\"" + pixel(x2) + "\" y2=\"" + pixel(y2) + "\"/>";
}

std::string label(double x, double y, const std::string& text, const Attributes& extra) {
  Attributes attributes = {{"x", pixel(x)}, {"y", pixel(y)}};
  attributes.insert(attributes.end(), extra.begin(), extra.end());
  return textElement("text", attributes, text);
}

std::string tickText(double value) { return toText(std::abs(value) < 1e-12 ? 0.0 : value, 6); }

std::string yAxis(const Axes& axes, const std::string& y_label) {
  std::string svg;
  const int count = std::max(2, static_cast<int>((axes.bottom - axes.top) / 32.0));
  for (const double y : niceTicks(axes.y_low, axes.y_high, count)) {
    svg += segment(axes.left, axes.py(y), axes.right, axes.py(y), y == 0.0 ? "zero" : "grid");
    svg += label(axes.left - 6.0, axes.py(y) + 3.5, tickText(y), {{"text-anchor", "end"}});
  }
  const double middle = 0.5 * (axes.top + axes.bottom);
  return svg + label(0.0,
                     0.0,
                     y_label,
                     {{"text-anchor", "middle"},
                      {"class", "axis"},
                      {"transform", "translate(11 " + pixel(middle) + ") rotate(-90)"}});
}

std::string xAxis(const Axes& axes, const std::string& x_label, bool numbers) {
  std::string svg;
  const int count = std::max(3, static_cast<int>((axes.right - axes.left) / 70.0));
  for (const double x : niceTicks(axes.x_low, axes.x_high, count)) {
    svg += segment(axes.px(x), axes.top, axes.px(x), axes.bottom, "grid");
    if (numbers)
      svg += label(axes.px(x), axes.bottom + 14.0, tickText(x), {{"text-anchor", "middle"}});
  }
  if (numbers)
    svg += label(0.5 * (axes.left + axes.right),
                 axes.bottom + 29.0,
                 x_label,
                 {{"text-anchor", "middle"}, {"class", "axis"}});
  return svg;
}

std::string polylines(const Axes& axes, const Eigen::VectorXd& x, const PlotLine& line) {
  const Eigen::Index n = x.size();
  const double usual = n > 1 ? (x(n - 1) - x(0)) / static_cast<double>(n - 1) : 0.0;
  std::string svg, points;
  const auto flush = [&] {
    if (!points.empty()) svg += "<polyline class=\"" + line.kind + "\" points=\"" + points + "\"/>";
    points.clear();
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i > 0 && std::abs(x(i) - x(i - 1)) > 5.0 * usual) flush();
    if (!std::isfinite(x(i)) || !std::isfinite(line.y(i))) {
      flush();
      continue;
    }
    points += (points.empty() ? "" : " ") + pixel(axes.px(x(i))) + "," + pixel(axes.py(line.y(i)));
  }
  flush();
  return svg;
}

std::string svgElement(int width,
                       int height,
                       const std::string& description,
                       const std::string& content) {
  const std::string size = fmt::format("{} {}", width, height);
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"viewBox", "0 0 " + size},
                  {"width", std::to_string(width)},
                  {"height", std::to_string(height)},
                  {"role", "img"},
                  {"aria-label", description}},
                 content) +
         "\n";
}

Axes frame(int width, int height, bool x_axis) {
  Axes axes{};
  axes.left = kLeft;
  axes.right = width - kRight;
  axes.top = kTop;
  axes.bottom = height - (x_axis ? kBottom : kBottomPlain);
  return axes;
}

}  // namespace

std::vector<double> niceTicks(double low, double high, int count) {
  std::vector<double> ticks;
  if (!(high > low) || !std::isfinite(high - low) || count < 1) return ticks;
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / count)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if ((high - low) / (factor * power) <= count + 1.5) step = factor * power;
  for (double k = std::ceil(low / step); k * step <= high; k += 1.0) ticks.push_back(k * step);
  return ticks;
}

std::string lineSvg(const LinePlot& plot) {
  Axes axes = frame(plot.width, plot.height, plot.show_x_axis);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  axes.x_low = axes.y_low = kInf;
  axes.x_high = axes.y_high = -kInf;
  for (const double x : plot.x) {
    if (!std::isfinite(x)) continue;
    axes.x_low = std::min(axes.x_low, x);
    axes.x_high = std::max(axes.x_high, x);
  }
  for (const PlotLine& line : plot.lines)
    for (const double y : line.y) {
      if (!std::isfinite(y)) continue;
      axes.y_low = std::min(axes.y_low, y);
      axes.y_high = std::max(axes.y_high, y);
    }
  widen(axes.x_low, axes.x_high, 0.0);
  widen(axes.y_low, axes.y_high, 0.06);
  std::string svg = xAxis(axes, plot.x_label, plot.show_x_axis) + yAxis(axes, plot.y_label);
  for (const PlotLine& line : plot.lines) svg += polylines(axes, plot.x, line);
  return svgElement(plot.width, plot.height, plot.description, svg);
}

std::string histogramSvg(const Eigen::VectorXd& values,
                         const std::string& x_label,
                         const std::string& description,
                         int width,
                         int height) {
  std::vector<double> finite;
  for (const double v : values)
    if (std::isfinite(v)) finite.push_back(v);
  std::sort(finite.begin(), finite.end());
  if (finite.empty()) return svgElement(width, height, description, "");
  // The central 99 %, so that a few outliers do not compress all other bars. The outermost bars
  // contain the outliers.
  const auto quantile = [&](double share) {
    return finite[static_cast<size_t>(share * static_cast<double>(finite.size() - 1))];
  };
  const double reach = std::max({std::abs(quantile(0.005)), std::abs(quantile(0.995)), 1e-12});
  constexpr int kBars = 31;  // odd, so that zero is in the middle of a bar
  std::array<double, kBars> counts{};
  for (const double v : finite) {
    // Limited before the conversion: the place of an outlier may be beyond an int.
    const double bar = std::clamp((v / reach + 1.0) / 2.0 * kBars, 0.0, kBars - 1.0);
    counts[bar] += 1.0;
  }
  Axes axes = frame(width, height, true);
  axes.left = 10.0;
  axes.x_low = -reach;
  axes.x_high = reach;
  axes.y_low = 0.0;
  axes.y_high = *std::max_element(counts.begin(), counts.end());
  std::string svg = xAxis(axes, x_label, true);
  for (size_t k = 0; k < kBars; ++k) {
    const double x = -reach + 2.0 * reach * static_cast<double>(k) / kBars;
    const double left = axes.px(x), right = axes.px(x + 2.0 * reach / kBars),
                 y = axes.py(counts[k]);
    svg += "<rect class=\"bar\" x=\"" + pixel(left + 0.5) + "\" y=\"" + pixel(y) + "\" width=\"" +
           pixel(right - left - 1.0) + "\" height=\"" + pixel(axes.bottom - y) + "\"/>";
  }
  svg += segment(axes.px(0.0), axes.top, axes.px(0.0), axes.bottom, "zero");
  return svgElement(width, height, description, svg);
}

std::string intervalSvg(double value, double lower, double upper, double limit) {
  constexpr double kWidth = 150.0, kHeight = 16.0, kMiddle = 8.0;
  const auto px = [&](double v) {
    const double share = limit > 0.0 ? std::clamp(v / limit, -1.0, 1.0) : 0.0;
    return 0.5 * kWidth + share * (0.5 * kWidth - 4.0);
  };
  std::string svg = segment(0.5 * kWidth, 1.0, 0.5 * kWidth, kHeight - 1.0, "zero");
  if (!std::isnan(lower) && !std::isnan(upper))
    svg += segment(px(lower), kMiddle, px(upper), kMiddle, "whisker");
  if (std::isfinite(value))
    svg += "<circle class=\"dot\" cx=\"" + pixel(px(value)) + "\" cy=\"8\" r=\"3\"/>";
  return svgElement(static_cast<int>(kWidth), static_cast<int>(kHeight), "95 % interval", svg);
}

}  // namespace dynid
