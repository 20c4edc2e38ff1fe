#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace dynid {

class ExpressionGraph;

/// A number in a program that is being generated: a constant, or a node of an ExpressionGraph.
/// Arithmetic with 0 and 1 is simplified and equal nodes are shared, so that general formulas
/// become short code for one robot.
class Traced {
 public:
  Traced(double constant = 0.0) : constant_(constant) {}  // NOLINT: numbers mix with constants
  Traced(ExpressionGraph* graph, int node) : graph_(graph), node_(node) {}

  bool isConstant() const { return graph_ == nullptr; }
  double constant() const { return constant_; }
  int node() const { return node_; }
  ExpressionGraph* graph() const { return graph_; }

  Traced& operator+=(const Traced& b);
  Traced& operator-=(const Traced& b);
  Traced& operator*=(const Traced& b);
  friend Traced operator-(const Traced& a);
  friend Traced operator+(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a, const Traced& b);
  friend Traced operator*(const Traced& a, const Traced& b);
  friend Traced operator/(const Traced& a, const Traced& b);
  friend bool operator==(const Traced& a, const Traced& b);

 private:
  ExpressionGraph* graph_ = nullptr;
  int node_ = -1;
  double constant_ = 0.0;
};

/// A function of one number: "sin", "cos", "tanh", "exp", "sqrt", "fabs" of math.h, or "sign".
Traced apply(const char* function, const Traced& a);
/// a limited to [-1, 1].
Traced clamped(const Traced& a);

/// Records a computation from named inputs, evaluates it, and prints it as C statements.
class ExpressionGraph {
 public:
  /// Adds an input with its name in the program ("q[0]").
  Traced input(const std::string& name);

  /// Values for given inputs, in the order in which they were declared.
  std::vector<double> evaluate(const std::vector<double>& inputs,
                               const std::vector<Traced>& outputs) const;

  /// The computation as C statements: "  const double t3 = q[0] * t2;" ... and "  NAME = ...;" for
  /// each output. A node that is used once is written inside its user if the line stays short.
  std::string statements(const std::vector<Traced>& outputs,
                         const std::vector<std::string>& names) const;

  /// Number of operations that the outputs need.
  int countOperations(const std::vector<Traced>& outputs) const;

 private:
  friend class Traced;
  friend Traced operator-(const Traced& a);
  friend Traced operator+(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a, const Traced& b);
  friend Traced operator*(const Traced& a, const Traced& b);
  friend Traced operator/(const Traced& a, const Traced& b);
  friend Traced apply(const char* function, const Traced& a);

  /// One operand: a node, or a constant where node < 0.
  struct Operand {
    int node = -1;
    double constant = 0.0;
    auto key() const { return std::pair(node, constant); }
  };
  struct Node {
    std::string operation;  ///< "input", "+", "-", "*", "/", "neg", or the name of a function
    Operand a, b;
    std::string name;  ///< of an input
  };
  using Key = std::tuple<std::string, std::pair<int, double>, std::pair<int, double>>;

  static Operand operandOf(const Traced& value);
  Traced record(const std::string& operation, const Traced& a, const Traced& b);
  bool isNegation(const Traced& value) const;
  Traced negated(const Traced& value) const;  ///< the operand of a negation
  std::vector<int> useCounts(const std::vector<Traced>& outputs) const;

  std::vector<Node> nodes_;
  std::map<Key, int> known_;
};

}  // namespace dynid

namespace Eigen {

template <>
struct NumTraits<dynid::Traced> : NumTraits<double> {
  using Real = dynid::Traced;
  using NonInteger = dynid::Traced;
  using Nested = dynid::Traced;
  enum {  // NOLINTBEGIN(readability-identifier-naming): the names are Eigen's
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 4,
    MulCost = 4
  };  // NOLINTEND(readability-identifier-naming)
};

}  // namespace Eigen
