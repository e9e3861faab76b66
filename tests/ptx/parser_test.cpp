// SPDX-License-Identifier: Apache-2.0
// The parser: what it reads, and that every error names file, line, column, the line's text and what was expected.
#include "sim/ptx/parser.h"

#include <boost/test/unit_test.hpp>

namespace ptx = heddle::ptx;

namespace {

std::string in_entry(const std::string& body) {
  return ".version 7.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + body + "\n}\n";
}

void expect_error(const std::string& text, unsigned line, unsigned column, const std::string& message,
                  const std::string& line_text) {
  try {
    ptx::parse(text, "file.ptx");
    BOOST_ERROR("no error for: " << text);
  } catch (const ptx::Error& error) {
    const std::string what = error.what();
    const std::string place = "file.ptx:" + std::to_string(line) + ":" + std::to_string(column) + ": ";
    BOOST_TEST(what.substr(0, place.size()) == place, what);
    BOOST_TEST(what.find(message) != std::string::npos, what);
    BOOST_TEST(what.find("\n" + line_text + "\n") != std::string::npos, what);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_an_entry) {
  const ptx::Module module = ptx::parse(in_entry(R"(	.reg .pred %p<3>;
	.reg .b32 %r<4>, %single;
	.shared .align 16 .b8 tile[64];
	ld.param.u64 %rd1, [p];
LOOP:
	.pragma "nounroll";
	@!%p1 bra LOOP; // a comment
	st.global.v2.u32 [%rd1+-8], {%r1, 0f3F800000};
	setp.lt.and.s32 %p1|%p2, %r1, -5, !%p2; /* another
	over two lines */ ret;)"),
                                        "file.ptx");
  BOOST_REQUIRE(module.find("k") != nullptr);
  const ptx::Function& entry = *module.find("k");
  BOOST_TEST(entry.parameters.size() == 1U);
  BOOST_TEST(entry.registers.size() == 3U);
  BOOST_TEST(entry.registers[1].count == 4U);
  BOOST_TEST(entry.registers[2].count == 0U);
  BOOST_REQUIRE(entry.variables.size() == 1U);
  BOOST_TEST(entry.variables[0].alignment == 16U);
  BOOST_TEST(entry.variables[0].elements == 64U);
  BOOST_REQUIRE(entry.body.size() == 6U);
  BOOST_TEST(entry.body[1].label == "LOOP");
  BOOST_TEST(entry.body[2].guard == "%p1");
  BOOST_TEST(entry.body[2].guard_negated);
  const ptx::Statement& store = entry.body[3];
  BOOST_TEST(store.opcode == "st.global.v2.u32");
  BOOST_TEST(store.where.line == 13U);
  BOOST_TEST(store.where.column == 2U);
  BOOST_TEST(static_cast<std::int64_t>(store.operands[0].value) == -8);
  BOOST_TEST(store.operands[1].elements[1].value == 0x3f800000U);
  const ptx::Statement& compare = entry.body[4];
  BOOST_TEST((compare.operands[0].kind == ptx::Operand::Kind::Pair));
  BOOST_TEST(static_cast<std::int64_t>(compare.operands[2].value) == -5);
  BOOST_TEST(compare.operands[3].negated);
}

BOOST_AUTO_TEST_CASE(reads_numbers) {
  const ptx::Module module =
      ptx::parse(in_entry("\tx 0x1F, 0b101, 017, 42U, 0d3FF0000000000000, -1, 0xffffffffffffffff;"), "file.ptx");
  const std::uint64_t expected[] = {31, 5, 15, 42, 0x3ff0000000000000U, ~0ULL, ~0ULL};
  const std::vector<ptx::Operand>& operands = module.entries[0].body[0].operands;
  BOOST_REQUIRE(operands.size() == std::size(expected));
  for (std::size_t index = 0; index < operands.size(); ++index) BOOST_TEST(operands[index].value == expected[index]);
}

BOOST_AUTO_TEST_CASE(reads_functions_and_skips_debug_sections) {
  const ptx::Module module = ptx::parse(
      ".func (.param .b32 r) f(.param .b32 a);\n.func (.param .b32 r) f(.param .b32 a)\n{ { ret; } }\n"
      ".visible .func g();\n.section .debug { .b8 1,2 }\n" +
          in_entry("call (%r1), f, (%r2, 7);\nts: .branchtargets A, B;\n"
                   "p: .callprototype (.param .b32 _) _ (.param .b64 _);"),
      "file.ptx");
  BOOST_REQUIRE(module.entries.size() == 1U);
  BOOST_REQUIRE(module.functions.size() == 2U);
  const ptx::Function& f = *module.find_function("f");
  BOOST_TEST(f.has_body);
  BOOST_TEST(f.results.size() == 1U);
  BOOST_TEST(!module.find_function("g")->has_body);
  const ptx::Function& entry = module.entries[0];
  const ptx::Statement& call = entry.body[0];
  BOOST_REQUIRE(call.operands.size() == 3U);
  BOOST_TEST((call.operands[0].kind == ptx::Operand::Kind::List));
  BOOST_TEST(call.operands[2].elements[1].value == 7U);
  BOOST_REQUIRE(entry.tables.size() == 2U);
  BOOST_TEST(entry.tables[0].targets.size() == 2U);
  BOOST_TEST(entry.tables[1].parameters.size() == 1U);
}

BOOST_AUTO_TEST_CASE(names_of_inner_scopes_are_their_own) {
  const ptx::Module module = ptx::parse(in_entry(R"(	.reg .b32 %t, %r<4>;
	{ .reg .b32 %t; .reg .b32 %r<2>; L: mov.u32 %t, %r1; mov.u32 %r1, %r3; { .reg .b32 %u; mov.u32 %u, %t; } bra L; }
	{ .reg .b32 %t; L: mov.u32 %t, 2; bra L; }
	mov.u32 %t, %r1;)"),
                                        "file.ptx");
  const std::vector<ptx::Statement>& body = module.entries[0].body;
  BOOST_REQUIRE(body.size() == 9U);
  const std::string inner = body[1].operands[0].name;
  BOOST_TEST(inner != "%t");
  BOOST_TEST(body[1].operands[1].name != "%r1");
  BOOST_TEST(body[2].operands[1].name == "%r3");  // beyond the two of the inner scope
  BOOST_TEST(body[3].operands[1].name == inner);
  BOOST_TEST(body[4].operands[0].name == body[0].label);
  BOOST_TEST(body[5].label != body[0].label);
  BOOST_TEST(body[7].operands[0].name == body[5].label);
  BOOST_TEST(body[6].operands[0].name != inner);
  BOOST_TEST(body[8].operands[0].name == "%t");
  BOOST_TEST(body[8].operands[1].name == "%r1");
}

BOOST_AUTO_TEST_CASE(reads_variables_with_initial_values) {
  const ptx::Module module = ptx::parse(
      ".global .align 8 .b8 text[4] = {72, 105};\n.const .u32 grid[2][3] = {{1}, {2, -3}};\n"
      ".global .u64 p[] = {generic(text)+8, grid, 0};\n.global .f32 one = 0f3F800000;\n.shared .v4 .f32 v;\n" +
          in_entry("ret;"),
      "file.ptx");
  BOOST_REQUIRE(module.variables.size() == 5U);
  BOOST_TEST(module.variables[0].initial.size() == 2U);
  const std::vector<ptx::Initial>& grid = module.variables[1].initial;
  BOOST_REQUIRE(grid.size() == 6U);
  BOOST_TEST(module.variables[1].elements == 6U);
  BOOST_TEST(grid[1].value == 0U);
  BOOST_TEST(grid[3].value == 2U);
  BOOST_TEST(static_cast<std::int64_t>(grid[4].value) == -3);
  const ptx::Variable& pointers = module.variables[2];
  BOOST_TEST(pointers.elements == 3U);
  BOOST_TEST(pointers.initial[0].symbol == "text");
  BOOST_TEST(pointers.initial[0].is_generic);
  BOOST_TEST(pointers.initial[0].value == 8U);
  BOOST_TEST(module.variables[3].initial[0].value == 0x3f800000U);
  BOOST_TEST(module.variables[4].elements == 4U);
  BOOST_TEST(module.variables[4].alignment == 16U);
}

BOOST_AUTO_TEST_CASE(reads_managed_variables_and_the_size_of_a_warp) {
  const ptx::Module module = ptx::parse(
      ".visible .global .attribute(.managed) .align 4 .u32 m = WARP_SZ;\n" + in_entry("mov.u32 %r1, -WARP_SZ;"),
      "file.ptx");
  BOOST_REQUIRE(module.variables.size() == 1U);
  BOOST_TEST(module.variables[0].name == "m");
  BOOST_TEST(module.variables[0].space == "global");
  BOOST_TEST(module.variables[0].initial.at(0).value == 32U);
  BOOST_TEST(module.entries[0].body.back().operands[1].value == std::uint64_t{0} - 32);
  BOOST_CHECK_EXCEPTION(
      ptx::parse(".global .attribute(.unified(1, 2)) .u32 m;", "file.ptx"), ptx::Error, [](const ptx::Error& error) {
        return std::string(error.what()).find("attribute .unified is not supported") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(reads_textures_and_their_coordinates) {
  const ptx::Module module = ptx::parse(
      ".global .texref image, other;\n" +
          in_entry(
              "tex.2d.v4.f32.s32 {%f1, _, _, _}, [image+8, {%r1, -2}]; tex.1d.v4.f32.f32 {%f1, _, _, _}, [%rd1, %f2];"),
      "file.ptx");
  BOOST_REQUIRE(module.variables.size() == 2U);
  BOOST_TEST(module.variables[1].name == "other");
  BOOST_TEST(module.variables[1].type == "texref");
  const ptx::Operand& texture = module.entries[0].body[0].operands[1];
  BOOST_TEST((texture.kind == ptx::Operand::Kind::Indexed));
  BOOST_REQUIRE(texture.elements.size() == 3U);
  BOOST_TEST((texture.elements[0].kind == ptx::Operand::Kind::Address));
  BOOST_TEST(texture.elements[0].name == "image");
  BOOST_TEST(texture.elements[0].value == 8U);
  BOOST_TEST(texture.elements[1].name == "%r1");
  BOOST_TEST(static_cast<std::int64_t>(texture.elements[2].value) == -2);
  const ptx::Operand& handle = module.entries[0].body[1].operands[1];
  BOOST_REQUIRE(handle.elements.size() == 2U);
  BOOST_TEST(handle.elements[0].name == "%rd1");
  BOOST_TEST(handle.elements[1].name == "%f2");
}

BOOST_AUTO_TEST_CASE(keeps_where_statements_come_from) {
  const ptx::Module module =
      ptx::parse(".file 1 \"dir\" \"k.cu\", 123, 45\n" +
                     in_entry("\t.loc 1 12 3, function_name f+7, inlined_at 1 5 6 bar.sync 0;\n.loc 1 13 0\n\tret;"),
                 "file.ptx");
  BOOST_TEST(module.sources.at(1) == "dir/k.cu");
  BOOST_REQUIRE(module.entries[0].body.size() == 2U);  // also the one on the line of its .loc
  BOOST_TEST(module.entries[0].body[0].source.line == 12U);
  BOOST_TEST(module.entries[0].body[1].source.line == 13U);
}

BOOST_AUTO_TEST_CASE(a_mark_is_a_statement_and_other_comments_are_none) {
  const ptx::Module module = ptx::parse(in_entry("// heddle.predict a threshold=31\n"
                                                 "\t//heddle.reconverge\ta\n"
                                                 "// heddle.predict_function $f threshold=0\n"
                                                 "// heddle, the program\n// // heddle.predict b\n"
                                                 "/* heddle.predict c\n// heddle.predict d */ ret;\n"
                                                 "{ L: // heddle.reconverge L\n}"),
                                        "file.ptx");
  const auto& body = module.entries[0].body;
  BOOST_REQUIRE(body.size() == 6U);
  using Kind = ptx::Mark::Kind;
  const std::vector<Kind> kinds{Kind::Predict, Kind::Reconverge, Kind::PredictFunction,
                                Kind::None,    Kind::None,       Kind::Reconverge};
  for (std::size_t index = 0; index < body.size(); ++index) BOOST_TEST((body[index].mark.kind == kinds[index]));
  BOOST_TEST(body[0].mark.name == "a");
  BOOST_TEST(body[0].mark.threshold.value() == 31U);
  BOOST_TEST(!body[1].mark.threshold);
  BOOST_TEST(body[1].where.line == 7U);
  BOOST_TEST(body[1].where.column == 4U);
  BOOST_TEST(body[2].mark.name == "$f");
  BOOST_TEST(body[2].mark.threshold.value() == 0U);
  BOOST_TEST(body[5].mark.name == "L");  // a name of the prediction, so no scope renames it
}

BOOST_AUTO_TEST_CASE(a_mark_that_is_none_says_what_was_expected) {
  const auto expect = [](const std::string& mark, unsigned column, const std::string& message) {
    expect_error(in_entry("// heddle." + mark), 6, column, message, "// heddle." + mark);
  };
  expect("forecast a", 4, "expected heddle.predict, heddle.predict_function or heddle.reconverge, found 'heddle.forec");
  expect("predict", 18, "heddle.predict: expected the name of a prediction, found the end of the line");
  expect("predict_function 7", 28, "heddle.predict_function: expected the name of a function, found '7'");
  expect("reconverge a-b", 22, "heddle.reconverge: expected the name of a prediction, found 'a-b'");
  expect("predict a b", 21, "heddle.predict a: expected threshold=N or the end of the line, found 'b'");
  expect("predict a threshold=3 4", 33, "heddle.predict a: expected the end of the line, found '4'");
  expect("reconverge a threshold=3", 24, "heddle.reconverge a: expected the end of the line, found 'threshold=3'");
  for (const char* wrong : {"", "x", "-1", "32", "99999999999"})
    expect(std::string("predict a threshold=") + wrong, 21,
           std::string("expected threshold=N, N at most 31, found 'threshold=") + wrong + "'");
  expect_error("// heddle.predict a", 1, 4, "expected '// heddle.predict a' in the body of a function",
               "// heddle.predict a");
  expect_error(in_entry("add.s32 %r1,\n// heddle.predict a\n%r2, 1;"), 7, 4, "expected an operand, found 'heddle.pred",
               "// heddle.predict a");
}

BOOST_AUTO_TEST_CASE(errors_name_their_place) {
  expect_error(in_entry("\tadd.s32 %r1, %r2 %r3;"), 6, 19, "expected ',' or ';', found '%r3'",
               "\tadd.s32 %r1, %r2 %r3;");
  expect_error(in_entry("\tld.global.u32 %r1, [%rd1;"), 6, 26, "expected ']', found ';'",
               "\tld.global.u32 %r1, [%rd1;");
  expect_error(in_entry("\tld.global.u32 %r1, [];"), 6, 22, "expected a number, found ']'", "\tld.global.u32 %r1, [];");
  expect_error(in_entry("\ttex {%r1}, [t, {%r2];"), 6, 21, "expected '}', found ']'", "\ttex {%r1}, [t, {%r2];");
  expect_error(in_entry("\ttex {%r1}, [t, {[t]}];"), 6, 18, "expected an operand, found '['",
               "\ttex {%r1}, [t, {[t]}];");
  expect_error(in_entry("\tmov.f32 %f1, 0f12;"), 6, 15, "expected a number, found '0f12'", "\tmov.f32 %f1, 0f12;");
  expect_error(in_entry("\tmov.u32 %r1, 99999999999999999999;"), 6, 15, "expected a number",
               "\tmov.u32 %r1, 99999999999999999999;");
  expect_error(in_entry("\tadd ?;"), 6, 6, "expected a PTX token, found '?'", "\tadd ?;");
  expect_error(in_entry("\t.reg .b33 %r<2>;"), 6, 7, "expected a type, found '.b33'", "\t.reg .b33 %r<2>;");
  expect_error(in_entry("\t.callprototype;"), 6, 2, "directive .callprototype is not supported here",
               "\t.callprototype;");
  expect_error(".texref t;", 1, 1, "directive .texref is not supported", ".texref t;");
  expect_error(".address_size 32", 1, 15, "expected .address_size 64", ".address_size 32");
  expect_error("hello", 1, 1, "expected a module directive such as .entry, found 'hello'", "hello");
  expect_error(".entry k() { ret; ", 2, 1, "expected an instruction or a label, found end of file", "");
  expect_error("/* open", 2, 1, "expected '*/'", "");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there) {
  BOOST_CHECK_THROW(ptx::parse_file("/nowhere/k.ptx"), std::runtime_error);
}
