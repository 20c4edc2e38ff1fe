#include "dynid/model/expression_graph.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

constexpr size_t kLongExpression = 60;  // characters; longer expressions are stored in a variable

bool isBinary(const std::string& operation) { return operation.size() == 1; }

double applied(const std::string& function, double a) {
  if (function == "neg") return -a;
  if (function == "sin") return std::sin(a);
  if (function == "cos") return std::cos(a);
  if (function == "tanh") return std::tanh(a);
  if (function == "exp") return std::exp(a);
  if (function == "sqrt") return std::sqrt(a);
  if (function == "fabs") return std::abs(a);
  if (function == "sign") return static_cast<double>((a > 0.0) - (a < 0.0));
  if (function == "clamp") return std::clamp(a, -1.0, 1.0);
  throw std::invalid_argument("expression graph: \"" + function + "\" is not a function");
}

double combined(char operation, double a, double b) {
  switch (operation) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      return a / b;
  }
}

bool is(const Traced& value, double constant) {
  return value.isConstant() && value.constant() == constant;
}

std::string literal(double value) {
  std::string text = toText(value == 0.0 ? 0.0 : value, 17);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return value < 0.0 ? "(" + text + ")" : text;
}

}  // namespace

ExpressionGraph::Operand ExpressionGraph::operandOf(const Traced& value) {
  return value.isConstant() ? Operand{-1, value.constant()} : Operand{value.node(), 0.0};
}

Traced ExpressionGraph::record(const std::string& operation, const Traced& a, const Traced& b) {
  const Operand first = operandOf(a), second = operandOf(b);
  const Key key{operation, first.key(), second.key()};
  const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back({operation, first, second, ""});
  return {this, place->second};
}

Traced ExpressionGraph::input(const std::string& name) {
  nodes_.push_back({"input", {}, {}, name});
  return {this, static_cast<int>(nodes_.size()) - 1};
}

bool ExpressionGraph::isNegation(const Traced& value) const {
  return !value.isConstant() && nodes_[value.node()].operation == "neg";
}

Traced ExpressionGraph::negated(const Traced& value) const {
  return {value.graph(), nodes_[value.node()].a.node};
}

Traced operator-(const Traced& a) {
  if (a.isConstant()) return -a.constant();
  if (a.graph()->isNegation(a)) return a.graph()->negated(a);
  return a.graph()->record("neg", a, 0.0);
}

Traced operator+(const Traced& a, const Traced& b) {
  if (a.isConstant() && b.isConstant()) return a.constant() + b.constant();
  if (is(a, 0.0)) return b;
  if (is(b, 0.0)) return a;
  ExpressionGraph* graph = a.isConstant() ? b.graph() : a.graph();
  if (graph->isNegation(b)) return a - graph->negated(b);
  if (graph->isNegation(a)) return b - graph->negated(a);
  return graph->record("+", a, b);
}

Traced operator-(const Traced& a, const Traced& b) {
  if (a.isConstant() && b.isConstant()) return a.constant() - b.constant();
  if (is(b, 0.0)) return a;
  if (is(a, 0.0)) return -b;
  if (a == b) return 0.0;
  ExpressionGraph* graph = a.isConstant() ? b.graph() : a.graph();
  if (graph->isNegation(b)) return a + graph->negated(b);
  return graph->record("-", a, b);
}

Traced operator*(const Traced& a, const Traced& b) {
  if (a.isConstant() && b.isConstant()) return a.constant() * b.constant();
  if (a.isConstant()) return b * a;
  if (is(b, 0.0)) return 0.0;
  if (is(b, 1.0)) return a;
  if (is(b, -1.0)) return -a;
  ExpressionGraph* graph = a.graph();
  if (graph->isNegation(a)) return -(graph->negated(a) * b);
  if (graph->isNegation(b)) return -(a * graph->negated(b));
  if (!b.isConstant() && b.node() < a.node()) return graph->record("*", b, a);
  return graph->record("*", a, b);
}

Traced operator/(const Traced& a, const Traced& b) {
  if (b.isConstant()) return a * (1.0 / b.constant());
  if (is(a, 0.0)) return 0.0;
  return b.graph()->record("/", a, b);
}

bool operator==(const Traced& a, const Traced& b) {
  if (a.isConstant() || b.isConstant())
    return a.isConstant() && b.isConstant() && a.constant() == b.constant();
  return a.node() == b.node();
}

Traced& Traced::operator+=(const Traced& b) { return *this = *this + b; }
Traced& Traced::operator-=(const Traced& b) { return *this = *this - b; }
Traced& Traced::operator*=(const Traced& b) { return *this = *this * b; }

Traced apply(const char* function, const Traced& a) {
  if (a.isConstant()) return applied(function, a.constant());
  return a.graph()->record(function, a, 0.0);
}

Traced clamped(const Traced& a) { return apply("clamp", a); }

std::vector<double> ExpressionGraph::evaluate(const std::vector<double>& inputs,
                                              const std::vector<Traced>& outputs) const {
  std::vector<double> values(nodes_.size());
  const auto value_of = [&](const Operand& operand) {
    return operand.node < 0 ? operand.constant : values[operand.node];
  };
  size_t next_input = 0;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.operation == "input")
      values[i] = inputs.at(next_input++);
    else if (isBinary(node.operation))
      values[i] = combined(node.operation.front(), value_of(node.a), value_of(node.b));
    else
      values[i] = applied(node.operation, value_of(node.a));
  }
  std::vector<double> results;
  for (const Traced& output : outputs) results.push_back(value_of(operandOf(output)));
  return results;
}

std::vector<int> ExpressionGraph::useCounts(const std::vector<Traced>& outputs) const {
  std::vector<int> uses(nodes_.size(), 0);
  for (const Traced& output : outputs)
    if (!output.isConstant()) ++uses[output.node()];
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (uses[i] == 0) continue;
    for (const Operand& operand : {nodes_[i].a, nodes_[i].b})
      if (operand.node >= 0) ++uses[operand.node];
  }
  return uses;
}

int ExpressionGraph::countOperations(const std::vector<Traced>& outputs) const {
  const std::vector<int> uses = useCounts(outputs);
  int count = 0;
  for (size_t i = 0; i < nodes_.size(); ++i)
    if (uses[i] > 0 && nodes_[i].operation != "input") ++count;
  return count;
}

std::string ExpressionGraph::statements(const std::vector<Traced>& outputs,
                                        const std::vector<std::string>& names) const {
  const std::vector<int> uses = useCounts(outputs);
  std::vector<std::string> text(nodes_.size());
  std::string code;
  int variables = 0;
  const auto text_of = [&](const Operand& operand) {
    return operand.node < 0 ? literal(operand.constant) : text[operand.node];
  };
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (uses[i] == 0) continue;
    if (node.operation == "input") {
      text[i] = node.name;
      continue;
    }
    std::string expression;
    if (isBinary(node.operation))
      expression = text_of(node.a) + " " + node.operation + " " + text_of(node.b);
    else if (node.operation == "neg")
      expression = "-" + text_of(node.a);
    else
      expression = node.operation + "(" + text_of(node.a) + ")";
    if (uses[i] == 1 && expression.size() < kLongExpression) {
      text[i] =
          isBinary(node.operation) || node.operation == "neg" ? "(" + expression + ")" : expression;
      continue;
    }
    text[i] = "t" + std::to_string(variables++);
    code += "  const double " + text[i] + " = " + expression + ";\n";
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    code += "  " + names[i] + " = " + text_of(operandOf(outputs[i])) + ";\n";
  return code;
}

}  // namespace dynid
