#include "sim/ptx/parser.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unordered_set>

#include "sim/ptx/lexer.h"

namespace heddle::ptx {
namespace {

const std::unordered_set<std::string> StateSpaces = {"shared", "local", "global", "const"};
const std::unordered_set<std::string> LaunchBounds = {"maxntid", "reqntid", "minnctapersm", "maxnreg", "maxnctapersm"};
const std::unordered_set<std::string> Linkages = {"visible", "extern", "weak", "common"};

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) {
    module_.file = file;
    module_.lines = split_lines(text);
    tokens_ = tokenize(module_.lines, file);
  }

  Module run() {
    while (peek().kind != Token::Kind::End) parse_module_statement();
    return std::move(module_);
  }

 private:
  // ---- Module level ----

  void parse_module_statement() {
    const Token& directive = expect_directive("a module directive such as .entry");
    const std::string& word = directive.text;
    if (word == "version") {
      expect_number("a version");
    } else if (word == "target" || word == "file" || word == "loc") {
      skip_line(directive.where.line);
    } else if (word == "address_size") {
      const Token& size = expect_number("64");
      if (size.value != 64) fail(size, "expected .address_size 64");
    } else if (Linkages.count(word) != 0) {
      // Linkage has no meaning here: a module is never linked with another.
    } else if (word == "entry") {
      parse_entry();
    } else if (word == "func") {
      skip_function();
    } else if (word == "section") {
      skip_section();
    } else if (StateSpaces.count(word) != 0) {
      module_.variables.push_back(parse_variable(word));
      expect_symbol(";");
    } else {
      fail(directive, fmt::format("directive .{} is not supported", word));
    }
  }

  void parse_entry() {
    Entry entry;
    const Token& name = expect_word("the entry's name");
    entry.where = name.where;
    entry.name = name.text;
    if (accept_symbol("(")) {
      while (!accept_symbol(")")) {
        const Token& directive = expect_directive(".param");
        if (directive.text != "param") fail(directive, "expected .param");
        entry.parameters.push_back(parse_variable("param"));
        if (!is_symbol(")")) expect_symbol(",");
      }
    }
    while (peek().kind == Token::Kind::Directive) {
      const Token& directive = take();
      if (LaunchBounds.count(directive.text) == 0)
        fail(directive, fmt::format("directive .{} is not supported here", directive.text));
      do expect_number("a number");
      while (accept_symbol(","));
    }
    expect_symbol("{");
    parse_body(entry);
    module_.entries.push_back(std::move(entry));
  }

  /// Functions are read over: only an entry that calls one is an error, and the compiler says so.
  void skip_function() {
    while (!is_symbol("{") && !is_symbol(";")) take_inside("the function's body");
    if (accept_symbol(";")) return;
    skip_braces();
  }

  void skip_section() {
    while (!is_symbol("{")) take_inside("the section's '{'");
    skip_braces();
  }

  void skip_braces() {
    unsigned depth = 0;
    do {
      const Token& token = take_inside("'}'");
      if (token.kind != Token::Kind::Symbol) continue;
      if (token.text == "{") ++depth;
      if (token.text == "}") --depth;
    } while (depth > 0);
  }

  // ---- Body of an entry ----

  void parse_body(Entry& entry) {
    unsigned depth = 1;  // inner braces scope names; names are unique in what compilers emit, so they do not matter
    while (depth > 0) {
      if (accept_symbol("{")) {
        ++depth;
      } else if (accept_symbol("}")) {
        --depth;
      } else if (peek().kind == Token::Kind::Directive) {
        parse_body_directive(entry);
      } else {
        entry.body.push_back(parse_statement());
      }
    }
  }

  void parse_body_directive(Entry& entry) {
    const Token& directive = take();
    if (directive.text == "reg") {
      parse_registers(entry);
    } else if (directive.text == "loc") {
      skip_line(directive.where.line);
      return;
    } else if (directive.text == "pragma") {
      take();
    } else if (directive.text == "shared" || directive.text == "local") {
      entry.variables.push_back(parse_variable(directive.text));
    } else {
      fail(directive, fmt::format("directive .{} is not supported here", directive.text));
    }
    expect_symbol(";");
  }

  void parse_registers(Entry& entry) {
    const Token& type = expect_type();
    do {
      const Token& name = expect_word("a register name");
      Register registers{name.where, name.text, type.text, 0};
      if (accept_symbol("<")) {
        registers.count = static_cast<unsigned>(expect_number("how many registers").value);
        expect_symbol(">");
      }
      entry.registers.push_back(std::move(registers));
    } while (accept_symbol(","));
  }

  Variable parse_variable(const std::string& space) {
    Variable variable;
    variable.space = space;
    while (peek().kind == Token::Kind::Directive) {
      const Token& directive = take();
      if (directive.text == "align") {
        variable.alignment = static_cast<unsigned>(expect_number("an alignment").value);
      } else if (bytes_of_type(directive.text) != 0) {
        variable.type = directive.text;
      } else if (directive.text != "ptr" && StateSpaces.count(directive.text) == 0) {
        fail(directive, fmt::format("expected a type, found '.{}'", directive.text));
      }
    }
    const Token& name = expect_word("a variable name");
    if (variable.type.empty()) fail(name, "expected a type before the variable's name");
    variable.where = name.where;
    variable.name = name.text;
    if (accept_symbol("[")) {
      variable.is_array = true;
      variable.elements = is_symbol("]") ? 0 : expect_number("how many elements").value;
      expect_symbol("]");
    }
    if (is_symbol("=")) fail(peek(), "initial values of variables are not supported");
    return variable;
  }

  Statement parse_statement() {
    Statement statement;
    statement.where = peek().where;
    if (accept_symbol("@")) {
      statement.guard_negated = accept_symbol("!");
      statement.guard = expect_word("a predicate").text;
    }
    const Token& word = expect_word("an instruction or a label");
    if (statement.guard.empty() && accept_symbol(":")) {
      statement.label = word.text;
      return statement;
    }
    statement.where = word.where;
    statement.opcode = word.text;
    while (!accept_symbol(";")) {
      statement.operands.push_back(parse_operand());
      if (!is_symbol(";")) expect_symbol(",", "',' or ';'");
    }
    return statement;
  }

  Operand parse_operand() {
    Operand operand = parse_simple_operand();
    if (!is_symbol("|")) return operand;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.where = operand.where;
    pair.elements.push_back(std::move(operand));
    take();
    pair.elements.push_back(parse_simple_operand());
    return pair;
  }

  Operand parse_simple_operand() {
    Operand operand;
    operand.where = peek().where;
    if (accept_symbol("[")) {
      operand.kind = Operand::Kind::Address;
      if (peek().kind == Token::Kind::Word) operand.name = take().text;
      if (accept_symbol("+") || operand.name.empty()) operand.value = parse_integer();
      expect_symbol("]");
    } else if (accept_symbol("{")) {
      operand.kind = Operand::Kind::Vector;
      do operand.elements.push_back(parse_simple_operand());
      while (accept_symbol(","));
      expect_symbol("}");
    } else if (peek().kind == Token::Kind::Number || is_symbol("-")) {
      operand.kind = Operand::Kind::Immediate;
      operand.value = parse_integer();
    } else {
      operand.negated = accept_symbol("!");
      operand.name = expect_word("an operand").text;
    }
    return operand;
  }

  std::uint64_t parse_integer() {
    const bool negative = accept_symbol("-");
    const std::uint64_t value = expect_number("a number").value;
    return negative ? 0 - value : value;
  }

  // ---- Tokens ----

  const Token& peek() const { return tokens_[next_]; }
  const Token& take() { return tokens_[peek().kind == Token::Kind::End ? next_ : next_++]; }

  const Token& take_inside(const char* what) {
    if (peek().kind == Token::Kind::End) fail(peek(), fmt::format("expected {}, found end of file", what));
    return take();
  }

  bool is_symbol(const char* text) const { return peek().kind == Token::Kind::Symbol && peek().text == text; }

  bool accept_symbol(const char* text) {
    if (!is_symbol(text)) return false;
    take();
    return true;
  }

  void expect_symbol(const char* text) { expect_symbol(text, fmt::format("'{}'", text)); }
  void expect_symbol(const char* text, const std::string& what) {
    if (!accept_symbol(text)) fail_expected(what);
  }

  const Token& expect_word(const char* what) { return expect(Token::Kind::Word, what); }
  const Token& expect_number(const char* what) { return expect(Token::Kind::Number, what); }
  const Token& expect_directive(const char* what) { return expect(Token::Kind::Directive, what); }

  const Token& expect_type() {
    const Token& type = expect_directive("a type");
    if (bytes_of_type(type.text) == 0) fail(type, fmt::format("expected a type, found '.{}'", type.text));
    return type;
  }

  const Token& expect(Token::Kind kind, const char* what) {
    if (peek().kind != kind) fail_expected(what);
    return take();
  }

  void skip_line(unsigned line) {
    while (peek().kind != Token::Kind::End && peek().where.line == line) take();
  }

  [[noreturn]] void fail_expected(const std::string& what) const {
    const Token& token = peek();
    const char* dot = token.kind == Token::Kind::Directive ? "." : "";
    fail(token, token.kind == Token::Kind::End ? fmt::format("expected {}, found end of file", what)
                                               : fmt::format("expected {}, found '{}{}'", what, dot, token.text));
  }

  [[noreturn]] void fail(const Token& token, const std::string& message) const {
    throw module_.error(token.where, message);
  }

  Module module_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace

Module parse(const std::string& text, const std::string& file) {
  return Parser(text, file).run();
}

Module parse_file(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", path));
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad() || stream.fail() || text.str().empty()) {
    throw std::runtime_error(fmt::format("cannot read {}, or it is empty", path));
  }
  return parse(text.str(), path);
}

}  // namespace heddle::ptx
