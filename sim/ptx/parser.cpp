// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/parser.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unordered_set>

#include "sim/ptx/scope.h"
#include "sim/ptx/token_stream.h"

namespace heddle::ptx {
namespace {

const std::unordered_set<std::string> StateSpaces = {"shared", "local", "global", "const"};
const std::unordered_set<std::string> Linkages = {"visible", "extern", "weak", "common"};
/// Directives between a function's parameters and its body; those of a block's size have a meaning.
const std::unordered_set<std::string> BlockSizes = {"maxntid", "reqntid"};
const std::unordered_set<std::string> Hints = {"minnctapersm", "maxnreg", "maxnctapersm"};
const std::unordered_set<std::string> TableKinds = {"branchtargets", "calltargets", "callprototype"};

/// Types of variables that only instructions of their own read.
const std::unordered_set<std::string> OpaqueTypes = {"texref", "samplerref", "surfref"};

constexpr std::uint64_t MaxElements = std::uint64_t{1} << 32;  // of an array: more than any memory here
constexpr std::uint64_t MaxInitialElements = 1U << 22;         // of an array with initial values
constexpr unsigned MaxRegisters = 1U << 20;                    // that one directive declares
constexpr unsigned MaxScopes = 256;                            // inside one another

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : tokens_(read(text, file)) {}

  Module run() {
    while (!tokens_.at_end()) parse_module_statement();
    return std::move(module_);
  }

 private:
  TokenStream read(const std::string& text, const std::string& file) {
    module_.file = file;
    module_.lines = split_lines(text);
    return TokenStream(module_, tokenize(module_.lines, file));
  }

  // ---- Module level ----

  void parse_module_statement() {
    if (tokens_.peek().kind == Token::Kind::Mark)
      tokens_.fail(tokens_.peek(), fmt::format("expected '// {}' in the body of a function", tokens_.peek().text));
    const Token& directive = tokens_.expect_directive("a module directive such as .entry");
    const std::string& word = directive.text;
    if (Linkages.count(word) != 0) {
      is_extern_ = word == "extern";  // otherwise no meaning here: a module is never linked with another
      return;
    }
    if (word == "version") {
      tokens_.expect_number("a version");
    } else if (word == "target") {
      do tokens_.expect_word("a target such as sm_60");
      while (tokens_.accept_symbol(","));
    } else if (word == "file") {
      parse_file_directive();
    } else if (word == "loc") {
      parse_line_directive();
    } else if (word == "address_size") {
      const Token& size = tokens_.expect_number("64");
      if (size.value != 64) tokens_.fail(size, "expected .address_size 64");
    } else if (word == "entry" || word == "func") {
      parse_function(word == "entry");
    } else if (word == "section") {
      while (!tokens_.is_symbol("{")) tokens_.expect_inside("the section's '{'");
      tokens_.skip_braces();
    } else if (StateSpaces.count(word) != 0) {
      parse_variables(word, module_.variables);
    } else {
      tokens_.fail(directive, fmt::format("directive .{} is not supported", word));
    }
    is_extern_ = false;
  }

  /// .file 1 "directory" "name", time, size
  void parse_file_directive() {
    const auto number = static_cast<unsigned>(tokens_.expect_number_up_to(~0U, "a file's number"));
    std::string path = tokens_.expect(Token::Kind::String, "a file's name").text;
    while (tokens_.peek().kind == Token::Kind::String) path += '/' + tokens_.take().text;
    module_.sources[number] = path;
    while (tokens_.accept_symbol(",")) tokens_.expect_number("a time or a size");
  }

  /// .loc file line column, function_name label + offset, inlined_at file line column: the statements that follow come
  /// from that line.
  void parse_line_directive() {
    source_.file = static_cast<unsigned>(tokens_.expect_number_up_to(~0U, "a file's number"));
    source_.line = static_cast<unsigned>(tokens_.expect_number_up_to(~0U, "a line"));
    if (tokens_.peek().kind == Token::Kind::Number) tokens_.take();
    while (tokens_.accept_symbol(",")) {
      const Token& word = tokens_.expect_word("function_name or inlined_at");
      if (word.text == "function_name") {
        tokens_.expect_word("a label");
        if (tokens_.accept_symbol("+")) tokens_.expect_number("an offset");
      } else if (word.text == "inlined_at") {
        for (unsigned i = 0; i < 3; ++i) tokens_.expect_number("a file, a line and a column");
      } else {
        tokens_.fail(word, "expected function_name or inlined_at");
      }
    }
  }

  void parse_function(bool is_entry) {
    Function function;
    function.is_entry = is_entry;
    if (!is_entry && tokens_.is_symbol("(")) function.results = parse_parameters();
    const Token& name = tokens_.expect_word(is_entry ? "the entry's name" : "the function's name");
    function.where = name.where;
    function.name = name.text;
    if (tokens_.is_symbol("(")) function.parameters = parse_parameters();
    parse_function_directives(function);
    if (is_entry || !tokens_.accept_symbol(";")) {
      function.has_body = true;
      tokens_.expect_symbol("{");
      parse_body(function);
    }
    add_function(std::move(function));
  }

  /// A function may be declared before it is defined.
  void add_function(Function function) {
    std::vector<Function>& all = function.is_entry ? module_.entries : module_.functions;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Function& other) { return other.name == function.name; });
    if (same == all.end()) {
      all.push_back(std::move(function));
      return;
    }
    same->is_noreturn = function.is_noreturn = same->is_noreturn || function.is_noreturn;
    if (!function.has_body) return;
    if (same->has_body) throw module_.error(function.where, fmt::format("{} is defined twice", function.name));
    *same = std::move(function);
  }

  std::vector<Variable> parse_parameters() {
    std::vector<Variable> parameters;
    tokens_.expect_symbol("(");
    while (!tokens_.accept_symbol(")")) {
      const Token& directive = tokens_.expect_directive(".param");
      if (directive.text != "param" && directive.text != "reg") tokens_.fail(directive, "expected .param");
      parameters.push_back(parse_variable(directive.text));
      if (!tokens_.is_symbol(")")) tokens_.expect_symbol(",");
    }
    return parameters;
  }

  void parse_function_directives(Function& function) {
    while (tokens_.is_directive()) {
      const Token& directive = tokens_.take();
      const bool is_block_size = BlockSizes.count(directive.text) != 0;
      if (directive.text == "noreturn") {
        function.is_noreturn = true;
        continue;
      }
      if (directive.text == "pragma") {
        tokens_.expect(Token::Kind::String, "a string");
        tokens_.expect_symbol(";");
        continue;
      }
      if (!is_block_size && Hints.count(directive.text) == 0)
        tokens_.fail(directive, fmt::format("directive .{} is not supported here", directive.text));
      std::vector<unsigned> numbers;
      do numbers.push_back(static_cast<unsigned>(tokens_.expect_number_up_to(1U << 20, "a number")));
      while (tokens_.accept_symbol(","));
      if (directive.text == "maxnreg") function.max_registers = numbers.front();
      if (is_block_size) read_block_size(directive, numbers, function);
    }
  }

  /// .maxntid bounds the product of its numbers, .reqntid says each size; what it leaves out is 1.
  void read_block_size(const Token& directive, std::vector<unsigned> sizes, Function& function) const {
    if (sizes.size() > 3)
      tokens_.fail(directive, fmt::format("directive .{}: expected at most 3 numbers", directive.text));
    sizes.resize(3, 1);
    if (directive.text == "reqntid") {
      std::copy(sizes.begin(), sizes.end(), function.block.begin());
      return;
    }
    const std::uint64_t product = std::uint64_t{sizes[0]} * sizes[1] * sizes[2];
    function.max_threads = static_cast<unsigned>(std::min<std::uint64_t>(product, ~0U));
  }

  // ---- Variables ----

  void parse_variables(const std::string& space, std::vector<Variable>& variables) {
    const bool is_opaque = tokens_.is_directive() && OpaqueTypes.count(tokens_.peek().text) != 0;
    if (is_opaque) return parse_texture_reference(space, variables);
    variables.push_back(parse_variable(space));
    while (tokens_.accept_symbol(",")) {  // of the same type
      Variable next = variables.back();
      next.initial.clear();
      parse_declarator(next);
      variables.push_back(std::move(next));
    }
    tokens_.expect_symbol(";");
  }

  /// .global .texref name;
  void parse_texture_reference(const std::string& space, std::vector<Variable>& variables) {
    const Token& type = tokens_.take();
    if (type.text != "texref" || space != "global" || &variables != &module_.variables)
      tokens_.fail(type,
                   fmt::format("variables of type .{} are not supported{}", type.text,
                               type.text == "texref" ? " here: only in .global memory outside of functions" : ""));
    Variable texture;
    texture.space = space;
    texture.type = type.text;
    texture.is_extern = is_extern_;
    do {
      const Token& name = tokens_.expect_word("a texture's name");
      texture.where = name.where;
      texture.name = name.text;
      variables.push_back(texture);
    } while (tokens_.accept_symbol(","));
    tokens_.expect_symbol(";", "',' or ';': arrays and initial values of textures are not supported");
  }

  Variable parse_variable(const std::string& space) {
    Variable variable;
    variable.space = space;
    variable.is_extern = is_extern_;
    std::uint64_t vector = 1;
    while (tokens_.is_directive()) {
      const Token& directive = tokens_.take();
      if (directive.text == "align") {
        const Token& alignment = tokens_.expect_number("an alignment");
        const std::uint64_t value = alignment.value;
        if (value == 0 || (value & (value - 1)) != 0 || value > 4096)
          tokens_.fail(alignment, "expected an alignment that is a power of two, at most 4096");
        // The alignment in "u64 .ptr .global .align 4" is that of what the pointer points to.
        if (variable.type.empty()) variable.alignment = static_cast<unsigned>(value);
      } else if (bytes_of_type(directive.text) != 0) {
        variable.type = directive.text;
      } else if (directive.text == "v2" || directive.text == "v4") {
        vector = directive.text == "v2" ? 2 : 4;
      } else if (directive.text == "attribute") {
        parse_attribute();
      } else if (directive.text != "ptr" && StateSpaces.count(directive.text) == 0) {
        tokens_.fail(directive, fmt::format("expected a type, found '.{}'", directive.text));
      }
    }
    if (variable.type.empty()) tokens_.fail(tokens_.peek(), "expected a type before the variable's name");
    if (vector != 1) {
      variable.elements = vector;
      variable.alignment = std::max(variable.alignment, static_cast<unsigned>(vector) * bytes_of_type(variable.type));
    }
    parse_declarator(variable);
    return variable;
  }

  /// .attribute(.managed): the host sees the variable too, as it sees all of them here.
  void parse_attribute() {
    tokens_.expect_symbol("(");
    const Token& attribute = tokens_.expect_directive(".managed");
    if (attribute.text != "managed")
      tokens_.fail(attribute, fmt::format("attribute .{} is not supported", attribute.text));
    tokens_.expect_symbol(")");
  }

  /// name, its dimensions, its initial value
  void parse_declarator(Variable& variable) {
    const std::uint64_t vector = variable.elements == 0 ? 1 : variable.elements;
    const Token& name = tokens_.expect_word("a variable name");
    variable.where = name.where;
    variable.name = name.text;
    std::vector<std::uint64_t> sizes;
    while (tokens_.accept_symbol("[")) {
      const bool open = sizes.empty() && tokens_.is_symbol("]");
      sizes.push_back(open ? 0 : tokens_.expect_number_up_to(MaxElements, "how many elements"));
      tokens_.expect_symbol("]");
    }
    variable.is_array = !sizes.empty();
    variable.elements = vector;
    for (const std::uint64_t size : sizes) {
      if (size != 0 && variable.elements > MaxElements / size)
        throw module_.error(name.where, "expected an array of at most 2^32 elements");
      variable.elements *= size;
    }
    if (!tokens_.accept_symbol("=")) return;
    if (variable.elements > MaxInitialElements) {
      throw module_.error(
          name.where, fmt::format("expected at most {} elements in an array with initial values", MaxInitialElements));
    }
    const bool counts = variable.is_array && variable.elements == 0;  // a[] = {...}: as many as there are
    std::vector<std::uint64_t> strides;                               // elements of a nested brace, by depth
    strides.reserve(sizes.size());
    std::uint64_t stride = variable.elements;
    for (const std::uint64_t size : sizes) strides.push_back(size == 0 ? stride : stride /= size);
    parse_initial(variable, strides, 0);
    if (counts) variable.elements = variable.initial.size();
    if (variable.initial.size() > variable.elements) {
      throw module_.error(variable.where, fmt::format("{} has {} elements and {} initial values", variable.name,
                                                      variable.elements, variable.initial.size()));
    }
  }

  void parse_initial(Variable& variable, const std::vector<std::uint64_t>& strides, std::size_t depth) {
    if (!tokens_.accept_symbol("{")) {
      variable.initial.push_back(parse_initial_element());
      return;
    }
    if (depth > strides.size()) tokens_.fail_expected("a number: there are no more dimensions");
    const std::size_t begin = variable.initial.size();
    while (!tokens_.accept_symbol("}")) {
      parse_initial(variable, strides, depth + 1);
      if (!tokens_.is_symbol("}")) tokens_.expect_symbol(",", "',' or '}'");
    }
    // A nested brace may leave out the last elements of its row.
    if (depth == 0) return;
    const std::size_t filled = variable.initial.size() - begin;
    if (filled > strides[depth - 1]) tokens_.fail(tokens_.peek(), "expected fewer values in this brace");
    variable.initial.resize(begin + strides[depth - 1]);
  }

  Initial parse_initial_element() {
    Initial initial;
    initial.where = tokens_.peek().where;
    if (tokens_.peek().kind != Token::Kind::Word) {
      initial.value = tokens_.expect_integer();
      return initial;
    }
    initial.symbol = tokens_.take().text;
    if (initial.symbol == "generic") {
      initial.is_generic = true;
      tokens_.expect_symbol("(");
      initial.symbol = tokens_.expect_word("a variable").text;
      tokens_.expect_symbol(")");
    }
    const bool is_sum = tokens_.accept_symbol("+");
    if (is_sum || tokens_.is_symbol("-")) initial.value = tokens_.expect_integer();
    return initial;
  }

  // ---- Body of a function ----

  void parse_body(Function& function) {
    std::vector<Scope> scopes{Scope(function)};
    unsigned closed = 0;
    source_ = SourceLine();
    while (!scopes.empty()) {
      if (tokens_.is_symbol("{")) {
        if (scopes.size() == MaxScopes)
          tokens_.fail_expected(fmt::format("at most {} scopes in one another", MaxScopes));
        tokens_.take();
        scopes.emplace_back(function);
      } else if (tokens_.accept_symbol("}")) {
        if (scopes.size() > 1) close_scope(function, scopes.back(), ++closed);
        scopes.pop_back();
      } else if (tokens_.is_directive()) {
        parse_body_directive(function);
      } else if (tokens_.peek().kind == Token::Kind::Mark) {
        parse_mark_statement(function);
      } else {
        parse_statement(function);
      }
    }
  }

  void parse_body_directive(Function& function) {
    const Token& directive = tokens_.take();
    if (directive.text == "reg") {
      parse_registers(function);
      tokens_.expect_symbol(";");
    } else if (directive.text == "loc") {
      parse_line_directive();
    } else if (directive.text == "pragma") {
      tokens_.expect(Token::Kind::String, "a string");
      tokens_.expect_symbol(";");
    } else if (directive.text == "param" || StateSpaces.count(directive.text) != 0) {
      parse_variables(directive.text, function.variables);
    } else {
      tokens_.fail(directive, fmt::format("directive .{} is not supported here", directive.text));
    }
  }

  void parse_registers(Function& function) {
    const Token& type = tokens_.expect_directive("a type");
    if (bytes_of_type(type.text) == 0) tokens_.fail(type, fmt::format("expected a type, found '.{}'", type.text));
    do {
      const Token& name = tokens_.expect_word("a register name");
      Register registers{name.where, name.text, type.text, 0};
      if (tokens_.accept_symbol("<")) {
        registers.count = static_cast<unsigned>(tokens_.expect_number_up_to(MaxRegisters, "how many registers"));
        tokens_.expect_symbol(">");
        if (registers.count == 0) continue;  // %r<0> declares nothing
      }
      function.registers.push_back(std::move(registers));
    } while (tokens_.accept_symbol(","));
  }

  void parse_mark_statement(Function& function) {
    Token token = tokens_.take();
    Statement statement;
    statement.where = token.where;
    statement.source = source_;
    try {
      statement.mark = parse_mark(token.text);
    } catch (const MarkError& error) {
      token.where.column += static_cast<unsigned>(error.offset);
      tokens_.fail(token, error.message);
    }
    function.body.push_back(std::move(statement));
  }

  void parse_statement(Function& function) {
    Statement statement;
    statement.where = tokens_.peek().where;
    if (tokens_.accept_symbol("@")) {
      statement.guard_negated = tokens_.accept_symbol("!");
      statement.guard = tokens_.expect_word("a predicate").text;
    }
    const Token& word = tokens_.expect_word("an instruction or a label");
    if (statement.guard.empty() && tokens_.accept_symbol(":")) {
      if (tokens_.is_directive() && TableKinds.count(tokens_.peek().text) != 0) {
        function.tables.push_back(parse_table(word));
        return;
      }
      statement.label = word.text;
    } else {
      statement.where = word.where;
      statement.source = source_;
      statement.opcode = word.text;
      while (!tokens_.accept_symbol(";")) {
        statement.operands.push_back(parse_operand());
        if (!tokens_.is_symbol(";")) tokens_.expect_symbol(",", "',' or ';'");
      }
    }
    function.body.push_back(std::move(statement));
  }

  Table parse_table(const Token& name) {
    Table table;
    table.where = name.where;
    table.name = name.text;
    table.kind = tokens_.take().text;
    if (table.kind == "callprototype") {
      if (tokens_.is_symbol("(")) table.results = parse_parameters();
      tokens_.expect_word("_");
      if (tokens_.is_symbol("(")) table.parameters = parse_parameters();
      if (tokens_.is_directive()) {
        const Token& directive = tokens_.take();
        if (directive.text != "noreturn") tokens_.fail(directive, "expected .noreturn or ';'");
        table.is_noreturn = true;
      }
    } else {
      do table.targets.push_back(tokens_.expect_word("a label or a function").text);
      while (tokens_.accept_symbol(","));
    }
    tokens_.expect_symbol(";");
    return table;
  }

  // ---- Operands ----

  Operand parse_operand() {
    if (tokens_.is_symbol("{")) return parse_elements(Operand::Kind::Vector, "}");
    if (tokens_.is_symbol("(")) return parse_elements(Operand::Kind::List, ")");
    Operand operand = parse_simple_operand();
    if (!tokens_.is_symbol("|")) return operand;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.where = operand.where;
    pair.elements.push_back(std::move(operand));
    tokens_.take();
    pair.elements.push_back(parse_simple_operand());
    return pair;
  }

  Operand parse_elements(Operand::Kind kind, const char* close) {
    Operand operand;
    operand.kind = kind;
    operand.where = tokens_.take().where;
    if (kind == Operand::Kind::List && tokens_.accept_symbol(close)) return operand;
    do operand.elements.push_back(parse_simple_operand());
    while (tokens_.accept_symbol(","));
    tokens_.expect_symbol(close);
    return operand;
  }

  Operand parse_simple_operand() { return tokens_.is_symbol("[") ? parse_address() : parse_value(); }

  /// [name + number] or [name + number, {coordinates}]
  Operand parse_address() {
    Operand operand;
    operand.kind = Operand::Kind::Address;
    operand.where = tokens_.take().where;
    if (tokens_.peek().kind == Token::Kind::Word) operand.name = tokens_.take().text;
    if (tokens_.accept_symbol("+") || operand.name.empty()) operand.value = tokens_.expect_integer();
    if (tokens_.accept_symbol(",")) operand = parse_coordinates(operand);
    tokens_.expect_symbol("]");
    return operand;
  }

  Operand parse_coordinates(const Operand& base) {
    Operand operand;
    operand.kind = Operand::Kind::Indexed;
    operand.where = base.where;
    operand.elements.push_back(base);
    const bool has_braces = tokens_.accept_symbol("{");
    do operand.elements.push_back(parse_value());
    while (has_braces && tokens_.accept_symbol(","));
    if (has_braces) tokens_.expect_symbol("}");
    return operand;
  }

  /// A register, a label, a variable or a number.
  Operand parse_value() {
    Operand operand;
    operand.where = tokens_.peek().where;
    if (tokens_.peek().kind == Token::Kind::Number || tokens_.is_symbol("-")) {
      operand.kind = Operand::Kind::Immediate;
      operand.value = tokens_.expect_integer();
    } else {
      operand.negated = tokens_.accept_symbol("!");
      operand.name = tokens_.expect_word("an operand").text;
      if (tokens_.accept_symbol("+")) operand.value = tokens_.expect_integer();
    }
    return operand;
  }

  Module module_;
  TokenStream tokens_;
  SourceLine source_;  // of the last .loc
  bool is_extern_ = false;
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
