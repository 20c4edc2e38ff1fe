#pragma once

#include <Eigen/Core>

#include <string>

namespace dynid {

/// With 17 digits, so that it reads back to the same bits.
std::string xmlNumber(double value);
/// Separated by blanks.
std::string xmlNumbers(const Eigen::Ref<const Eigen::VectorXd>& values);
/// For an attribute value or element content: & < > " are written as references.
std::string xmlEscaped(const std::string& text);

}  // namespace dynid
