#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Round numbers between `low` and `high`, about `count` of them, with a step of 1, 2 or 5 times a
/// power of ten.
std::vector<double> niceTicks(double low, double high, int count);

/// A line in a plot. It is interrupted at values that are not finite and at steps in x of more than
/// five times the usual step. Lines are drawn in the given order.
struct PlotLine {
  Eigen::VectorXd y;
  std::string kind;  ///< CSS class, which sets the colour
};

/// The content of a plot of lines over a common x.
struct LinePlot {
  int width = 640, height = 170;
  Eigen::VectorXd x;
  std::vector<PlotLine> lines;
  std::string x_label, y_label;  ///< with units
  std::string description;       ///< text alternative for screen readers
  bool show_x_axis = true;       ///< numbers and label of the x axis; the grid is always drawn
};

/// The plot as a self-contained `<svg>` element, styled by the page's classes.
std::string lineSvg(const LinePlot& plot);

/// The distribution of `values` in about 30 bars, with zero marked, as an `<svg>` element.
std::string histogramSvg(const Eigen::VectorXd& values,
                         const std::string& x_label,
                         const std::string& description,
                         int width = 220,
                         int height = 170);

/// An interval [lower, upper] and its value as a line with a dot on an axis from -limit to limit,
/// as a small `<svg>` for a table cell. Infinite intervals extend to the edges.
std::string intervalSvg(double value, double lower, double upper, double limit);

}  // namespace dynid
