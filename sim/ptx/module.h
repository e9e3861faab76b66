// PTX as a syntax tree: what the text says, with a place for every statement, and no meaning yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ptx/error.h"

namespace heddle::ptx {

struct Operand {
  enum class Kind : std::uint8_t {
    Name,       // register, label, variable or special register: `name`, `negated` for !%p1
    Immediate,  // `value`: the bits of an integer, 0f or 0d literal
    Address,    // [name + value]; without a name an absolute address
    Vector,     // {elements}
    Pair        // elements: p|q
  };
  Kind kind = Kind::Name;
  Location where;
  std::string name;
  bool negated = false;
  std::uint64_t value = 0;
  std::vector<Operand> elements;
};

struct Statement {
  Location where;
  std::string label;  // "name:"; then there is no instruction in this statement
  std::string guard;  // "%p1", or empty
  bool guard_negated = false;
  std::string opcode;  // with all its suffixes: "ld.global.u32"
  std::vector<Operand> operands;

  bool is_label() const { return !label.empty(); }
};

struct Register {
  Location where;
  std::string name;    // "%r"
  std::string type;    // "b32"
  unsigned count = 0;  // `%r<5>` declares %r0 to %r4; 0: the name itself is the register
};

struct Variable {
  Location where;
  std::string space;  // "shared", "local", "param", "global", "const"
  std::string type;   // "b8"
  std::string name;
  unsigned alignment = 0;      // 0: the type's own
  std::uint64_t elements = 1;  // of an array; 0: size given at launch
  bool is_array = false;
};

struct Entry {
  Location where;
  std::string name;
  std::vector<Variable> parameters;
  std::vector<Register> registers;
  std::vector<Variable> variables;
  std::vector<Statement> body;
};

struct Module {
  std::string file;
  std::vector<std::string> lines;  // of the text, for messages
  std::vector<Variable> variables;
  std::vector<Entry> entries;

  /// The entry of that name, or nullptr.
  const Entry* find(const std::string& name) const;
  /// An error at a place of this module.
  Error error(Location where, const std::string& message) const;
};

/// Bytes of a PTX type ("b32" -> 4, "pred" -> 1), 0 if there is no such type.
unsigned bytes_of_type(const std::string& type);

}  // namespace heddle::ptx
