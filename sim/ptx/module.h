// SPDX-License-Identifier: Apache-2.0
// PTX as a syntax tree: what the text says, with a place for every statement, and no meaning yet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/ptx/error.h"
#include "sim/ptx/mark.h"

namespace heddle::ptx {

struct Operand {
  enum class Kind : std::uint8_t {
    Name,       // register, label, special register or variable + value: `name`, `negated` for !%p1
    Immediate,  // `value`: the bits of an integer, 0f or 0d literal
    Address,    // [name + value]; without a name an absolute address
    Indexed,    // [a, {b, c}], a texture and coordinates: elements `[a]`, an Address, b, c; without braces [a, b]
    Vector,     // {elements}
    List,       // (elements): what a call passes or gets back
    Pair        // elements: p|q
  };
  Kind kind = Kind::Name;
  Location where;
  std::string name;
  bool negated = false;
  std::uint64_t value = 0;
  std::vector<Operand> elements;
};

/// A line of the program that PTX was made from (.loc); line 0: not known.
struct SourceLine {
  unsigned file = 0, line = 0;  // file: key of Module::sources
};

struct Statement {
  Location where;
  SourceLine source;
  std::string label;  // "name:"; then there is no instruction in this statement
  Mark mark;          // a comment that is one; then neither
  std::string guard;  // "%p1", or empty
  bool guard_negated = false;
  std::string opcode;  // with all its suffixes: "ld.global.u32"
  std::vector<Operand> operands;

  bool is_label() const { return !label.empty(); }
  bool is_mark() const { return mark.kind != Mark::Kind::None; }
  /// The guard as an operand.
  Operand guard_operand() const {
    Operand operand;
    operand.where = where;
    operand.name = guard;
    operand.negated = guard_negated;
    return operand;
  }
};

struct Register {
  Location where;
  std::string name;    // "%r"
  std::string type;    // "b32"
  unsigned count = 0;  // `%r<5>` declares %r0 to %r4; 0: the name itself is the register
};

/// One element of an initialiser: a number, or the address of a variable or function plus a number.
struct Initial {
  Location where;
  std::uint64_t value = 0;
  std::string symbol;       // empty: `value` alone
  bool is_generic = false;  // generic(symbol): its generic address
};

struct Variable {
  Location where;
  std::string space;  // "shared", "local", "param", "global", "const"; of a function's parameter also "reg"
  std::string type;   // "b8"; of a texture reference "texref"
  std::string name;
  unsigned alignment = 0;      // 0: the type's own
  std::uint64_t elements = 1;  // of an array; 0: size given at launch
  bool is_array = false, is_extern = false;
  std::vector<Initial> initial;  // in the order of elements; those that are missing are zero
};

/// "name: .branchtargets L1, L2;", .calltargets, or .callprototype.
struct Table {
  Location where;
  std::string kind;  // "branchtargets"
  std::string name;
  std::vector<std::string> targets;           // labels or functions
  std::vector<Variable> results, parameters;  // of a prototype
  bool is_noreturn = false;                   // of a prototype: as of a function
};

/// An .entry or a .func. Names that an inner scope declares have an '@' in them, so that all names are unique.
struct Function {
  Location where;
  std::string name;
  bool is_entry = false, has_body = false;
  bool is_noreturn = false;         // .noreturn: whoever calls it does not go on
  unsigned max_threads = 0;         // a block: .maxntid; 0: not said
  std::array<unsigned, 3> block{};  // x, y and z: .reqntid; 0: not said
  unsigned max_registers = 0;       // a thread: .maxnreg; 0: not said
  std::vector<Variable> results, parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;
  std::vector<Table> tables;
  std::vector<Statement> body;
};

struct Module {
  std::string file;
  std::vector<std::string> lines;  // of the text, for messages
  std::vector<Variable> variables;
  std::vector<Function> entries;
  std::vector<Function> functions;          // a name once, with its body if it has one
  std::map<unsigned, std::string> sources;  // .file: number and path

  /// The entry of that name, or nullptr.
  const Function* find(const std::string& name) const;
  /// The function of that name, or nullptr.
  const Function* find_function(const std::string& name) const;
  /// An error at a place of this module.
  Error error(Location where, const std::string& message) const;
};

/// Bytes of a PTX type ("b32" -> 4, "pred" -> 1), 0 if there is no such type.
unsigned bytes_of_type(const std::string& type);

}  // namespace heddle::ptx
