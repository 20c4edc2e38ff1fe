#pragma once

#include <Eigen/Core>

#include <string>

namespace dynid {

/// A number with 17 digits, so that it reads back to the same bits.
std::string xmlNumber(double value);
/// Numbers as by xmlNumber, separated by blanks.
std::string xmlNumbers(const Eigen::Ref<const Eigen::VectorXd>& values);
/// A text for an attribute value or element content: & < > " are written as references.
std::string xmlEscaped(const std::string& text);

}  // namespace dynid
