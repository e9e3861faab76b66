// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/call_graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>
#include <set>

namespace heddle::compiler {
namespace {

using ptx::Operand;

struct Edges {
  std::set<std::string> called, addressed;
  bool is_indirect = false;
};

const ptx::Function& definition(const ptx::Module& module, const std::string& name, ptx::Location where) {
  const ptx::Function* function = module.find_function(name);
  if (!function->has_body)
    throw module.error(where, fmt::format("function {} has no body in this file, and there is no linker", name));
  return *function;
}

Edges edges_of(const ptx::Module& module, const ptx::Function& function) {
  Edges edges;
  for (const ptx::Statement& statement : function.body) {
    const Operand* callee = nullptr;
    if (is_call(statement)) {
      callee = call_operands(module, statement).callee;
      const ptx::Function* known = module.find_function(callee->name);
      if (known == nullptr)
        edges.is_indirect = true;
      else if (!is_host_function(*known))
        edges.called.insert(definition(module, callee->name, callee->where).name);
    }
    for (const Operand& operand : statement.operands)
      if (&operand != callee && operand.kind == Operand::Kind::Name && module.find_function(operand.name) != nullptr)
        edges.addressed.insert(definition(module, operand.name, operand.where).name);
  }
  return edges;
}

/// Functions whose address stands in a variable.
std::set<std::string> functions_in_variables(const ptx::Module& module) {
  std::set<std::string> names;
  for (const ptx::Variable& variable : module.variables)
    for (const ptx::Initial& initial : variable.initial)
      if (module.find_function(initial.symbol) != nullptr)
        names.insert(definition(module, initial.symbol, initial.where).name);
  return names;
}

/// Marks functions that lie on a cycle. An indirect call cannot tell a function that does from one that does not: one
/// such among those that it may call makes all of them so.
void mark_recursive(CallGraph& graph, const std::vector<Edges>& edges, const std::set<std::string>& addressed) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> calls(graph.functions.size());
  std::vector<bool> calls_itself(graph.functions.size(), false);
  const auto add = [&](std::size_t from, const std::string& name) {
    const auto to = static_cast<std::size_t>(graph.find(name));
    boost::add_edge(from, to, calls);
    if (from == to) calls_itself[from] = true;
  };
  for (std::size_t index = 0; index < edges.size(); ++index) {
    for (const std::string& name : edges[index].called) add(index, name);
    if (!edges[index].is_indirect) continue;
    for (const std::string& name : addressed) add(index, name);
  }
  std::vector<int> component(graph.functions.size());
  const int components = boost::strong_components(
      calls, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, calls)));
  std::vector<unsigned> members(static_cast<std::size_t>(components), 0);
  for (const int c : component) ++members[static_cast<std::size_t>(c)];
  for (std::size_t index = 0; index < graph.functions.size(); ++index)
    graph.functions[index].is_recursive =
        calls_itself[index] || members[static_cast<std::size_t>(component[index])] > 1;
  const auto is_addressed = [&](const ReachedFunction& reached) {
    return addressed.count(reached.function->name) != 0;
  };
  const bool mixed = std::any_of(graph.functions.begin(), graph.functions.end(), [&](const ReachedFunction& reached) {
    return reached.is_recursive && is_addressed(reached);
  });
  for (ReachedFunction& reached : graph.functions)
    reached.is_recursive = reached.is_recursive || (mixed && is_addressed(reached));
}

}  // namespace

int CallGraph::find(const std::string& name) const {
  for (std::size_t index = 0; index < functions.size(); ++index)
    if (functions[index].function->name == name) return static_cast<int>(index);
  return -1;
}

bool is_call(const ptx::Statement& statement) {
  return statement.opcode == "call" || statement.opcode == "call.uni";
}

CallOperands call_operands(const ptx::Module& module, const ptx::Statement& statement) {
  CallOperands call;
  const std::vector<Operand>& operands = statement.operands;
  std::size_t next = 0;
  const auto accept = [&](Operand::Kind kind) {
    return next < operands.size() && operands[next].kind == kind ? &operands[next++] : nullptr;
  };
  call.results = accept(Operand::Kind::List);
  call.callee = accept(Operand::Kind::Name);
  if (call.callee == nullptr) throw module.error(statement.where, "call: expected a function or a register");
  call.arguments = accept(Operand::Kind::List);
  call.table = accept(Operand::Kind::Name);
  if (next != operands.size())
    throw module.error(operands[next].where, "call: expected (results), function, (arguments), prototype");
  return call;
}

bool is_host_function(const ptx::Function& function) {
  return !function.has_body && (function.name == "vprintf" || function.name == "__assertfail");
}

unsigned function_handle(const ptx::Module& module, const std::string& name) {
  const ptx::Function* function = module.find_function(name);
  return function == nullptr ? 0 : static_cast<unsigned>(function - module.functions.data()) + 1;
}

CallGraph call_graph(const ptx::Module& module, const ptx::Function& entry) {
  CallGraph graph;
  graph.functions.push_back({&entry, false, false});
  std::vector<Edges> edges;
  std::set<std::string> addressed;
  bool knows_variables = false;
  const auto reach = [&](const std::string& name) {
    if (graph.find(name) < 0) graph.functions.push_back({module.find_function(name), false, false});
  };
  while (edges.size() < graph.functions.size()) {
    edges.push_back(edges_of(module, *graph.functions[edges.size()].function));
    addressed.insert(edges.back().addressed.begin(), edges.back().addressed.end());
    graph.has_indirect_calls = graph.has_indirect_calls || edges.back().is_indirect;
    for (const std::string& name : edges.back().called) reach(name);
    if (!graph.has_indirect_calls) continue;
    if (!knows_variables) addressed.merge(functions_in_variables(module));
    knows_variables = true;
    for (const std::string& name : addressed) reach(name);
  }
  for (const std::string& name : addressed)
    if (const int index = graph.find(name); index >= 0)
      graph.functions[static_cast<std::size_t>(index)].has_address_taken = graph.has_indirect_calls;
  std::set<std::string> targets;
  for (const ReachedFunction& reached : graph.functions)
    if (reached.has_address_taken) targets.insert(reached.function->name);
  mark_recursive(graph, edges, targets);
  return graph;
}

}  // namespace heddle::compiler
