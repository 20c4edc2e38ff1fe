#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Round numbers between `low` and `high`, about `count` of them, a step of 1, 2 or 5 times a power
/// of ten.
std::vector<double> niceTicks(double low, double high, int count);

/// A line in a plot, drawn in the order given. Values that are not finite, and steps in x of more
/// than five usual ones, part it.
struct PlotLine {
  Eigen::VectorXd y;
  std::string kind;  ///< CSS class, which gives the colour
};

/// What a plot of lines over a common x shows.
struct LinePlot {
  int width = 640, height = 170;
  Eigen::VectorXd x;
  std::vector<PlotLine> lines;
  std::string x_label, y_label;  ///< with units
  std::string description;       ///< for those who cannot see it
  bool show_x_axis = true;       ///< numbers and label below; the grid is always there
};

/// The plot as a self-contained `<svg>` element, styled by the page's classes.
std::string lineSvg(const LinePlot& plot);

/// The distribution of `values` in about 30 bars, with zero marked, as an `<svg>` element.
std::string histogramSvg(const Eigen::VectorXd& values,
                         const std::string& x_label,
                         const std::string& description,
                         int width = 220,
                         int height = 170);

/// An interval [lower, upper] with its value as a dot on a line from -limit to limit around zero,
/// as a small `<svg>` for a table's cell. Infinite intervals reach the edges.
std::string intervalSvg(double value, double lower, double upper, double limit);

}  // namespace dynid
