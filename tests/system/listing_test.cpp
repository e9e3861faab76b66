// SPDX-License-Identifier: Apache-2.0
// heddle compile: listing, graph and JSON of a small kernel, and how many of its blocks an SM holds.
#include "sim/report/listing.h"

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/ptx/parser.h"
#include "sim/report/affine_report.h"
#include "sim/report/barrier_report.h"

namespace report = heddle::report;
const heddle::DesignPoint& Values = heddle::point::hpca13::Values;

extern "C" int sc_main(int, char**) {
  return 0;
}

namespace {

report::ListedKernel kernel(unsigned threads = 128) {
  const heddle::ptx::Module module = heddle::ptx::parse(R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 tile[8192];
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	setp.lt.u32 %p1, %r1, 7;
	@%p1 bra THEN;
	add.u32 %r1, %r1, -5;
THEN:
	st.global.u32 [%rd2], %r1;
	st.shared.u32 [tile], %r1;
	ret;
}
)",
                                                        "folder/file.ptx");
  report::ListedKernel kernel{heddle::compiler::analyse(module, "k"), &Values, threads, {}};
  kernel.occupancy = heddle::occupancy(kernel.analysis.program, threads, Values);
  return kernel;
}

void expect(const std::string& text, const std::vector<const char*>& parts) {
  for (const char* part : parts) BOOST_TEST(text.find(part) != std::string::npos, "no '" << part << "' in:\n" << text);
}

std::string said(const std::string& arguments, bool is_refused = false) {
  FILE* pipe = ::popen((HEDDLE_PROGRAM " " + arguments).c_str(), "r");
  std::string text;
  for (int one = std::fgetc(pipe); one != EOF; one = std::fgetc(pipe)) text += static_cast<char>(one);
  BOOST_TEST((::pclose(pipe) != 0) == is_refused, arguments);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(as_listing) {
  expect(report::listing(kernel()),
         {"  pc  line  live  lanes      address    instruction\n", "entry:  to THEN or after_4; lanes meet at THEN\n",
          "   1    11     2  affine x              mov.u32 r",
          "   4    14     3  divergent             @p0 bra -> 6 (rpc 6)\n", "after_4:  to THEN\n", ", -5\n",
          "THEN:  ends\n", "   6    17     3             affine 4x  st.global.u32 [d"});
}

BOOST_AUTO_TEST_CASE(as_summary) {
  expect(report::summary(kernel()),
         {"kernel k of file.ptx\n", "9 instructions in 3 blocks", "1 may diverge, 0 are uniform, 0 are unconditional",
          "3 live at most", "8192 bytes shared a block",
          "6 blocks of 128 threads, 24 of 48 warps of hpca13, limited by shared memory"});
}

BOOST_AUTO_TEST_CASE(as_graph) {
  const std::string text = report::dot(kernel());
  expect(text, {"digraph \"k\" {", "b0 -> b2 [label=taken];", "b0 -> b1;", "b1 -> b2;", "b0 -> b2 [style=dashed"});
  FILE* pipe = ::popen("dot -Tplain > /dev/null 2>&1; test $? -eq 0 -o $? -eq 127", "w");
  std::fputs(text.c_str(), pipe);
  BOOST_TEST(::pclose(pipe) == 0);
}

BOOST_AUTO_TEST_CASE(passes_are_listed_in_their_order) {
  std::istringstream lines(said("compile --passes"));
  std::string names;
  for (std::string line; std::getline(lines, line);) names += line.substr(0, line.find(' ')) + ' ';
  BOOST_TEST(names ==
             "lower recursion unread_results move_coalescing automatic_predictions convergence_barriers software_stack "
             "needless_jumps registers ");
}

BOOST_AUTO_TEST_CASE(as_json) {
  const nlohmann::json json = report::to_json(kernel());
  BOOST_TEST(json.at("file") == "file.ptx");
  BOOST_TEST(json.at("blocks").at(0).at("rpc") == 6);
  BOOST_TEST(json.at("blocks").at(2).at("rpc").is_null());
  BOOST_TEST(json.at("blocks").at(0).at("instructions").at(4).at("lanes") == "divergent");
  BOOST_TEST(json.at("blocks").at(2).at("instructions").at(0).at("address") == "affine 4x");
  BOOST_TEST(json.at("occupancy").at("limit") == "shared memory");
}

BOOST_AUTO_TEST_CASE(every_limit_of_the_occupancy) {
  heddle::isa::Program program;
  const auto fits = [&](unsigned registers, unsigned shared, unsigned threads) {
    program.registers = registers;
    program.shared_bytes = shared;
    const heddle::Occupancy found = heddle::occupancy(program, threads, Values);
    return std::to_string(found.ctas) + " " + found.limit;
  };
  BOOST_TEST(fits(0, 0, 1) == "8 blocks");
  BOOST_TEST(fits(10, 100, 32) == "8 blocks");
  BOOST_TEST(fits(10, 100, 1024) == "1 warps");
  BOOST_TEST(fits(10, 100, 256) == "6 warps");
  BOOST_TEST(fits(63, 100, 256) == "2 registers");
  BOOST_TEST(fits(63, 30000, 256) == "1 shared memory");
  BOOST_TEST(fits(63, 60000, 256) == "0 shared memory");
  BOOST_TEST(fits(200, 0, 1024) == "0 registers");
}

BOOST_AUTO_TEST_CASE(the_program_lists_kernels_of_ours) {
  FILE* pipe = ::popen(HEDDLE_PROGRAM " compile reduce --summary 2>&1", "r");
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  BOOST_TEST(::pclose(pipe) == 0);
  expect(text, {"kernel reduce of reduce.ptx\n", "limited by"});
}

/// Twelve of forty values, each stored once and loaded once (system_spills_test).
BOOST_AUTO_TEST_CASE(a_point_limits_registers_and_says_what_spills) {
  const std::string compile = "compile " HEDDLE_PTX_SOURCES "/forty_values.ptx --point ";
  expect(said(compile + "micro07 --summary"), {"32 a thread, 32 live at most; 24 instructions spill\n"});
  const auto spills = [&](const std::string& how) {
    const std::string json = said(compile + how + " --json -");
    return nlohmann::json::parse(json).at(0).at("spill_instructions").get<unsigned>();
  };
  BOOST_TEST(spills("micro07") == 24U);
  BOOST_TEST(spills("micro07 --max-registers 64") == 0U);
  BOOST_TEST(spills("hpca13") == 0U);
  BOOST_TEST(spills("hpca13 --max-registers 32") == 24U);
  BOOST_TEST(said(compile + "hpca13 --summary").find("spill") == std::string::npos);
}

namespace {

/// SR Listing 1.
heddle::compiler::BarrierExplanation explanation() {
  const heddle::ptx::Module module = heddle::ptx::parse(R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry k(.param .u32 n)
{
	.reg .pred %p, %q;
	.reg .b32 %t, %i, %n;
	mov.u32 %t, %tid.x;
	ld.param.u32 %n, [n];
	// heddle.predict L1
LOOP:
	setp.gt.u32 %p, %t, %i;
	@%p bra NEXT;
	// heddle.reconverge L1
	mul.lo.u32 %t, %t, 3;
NEXT:
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra LOOP;
	ret;
}
)",
                                                        "folder/file.ptx");
  heddle::compiler::CompileOptions options;
  options.machine.convergence_barriers = 16;
  options.reconverge = heddle::compiler::Reconverge::Predicted;
  options.soft_threshold = 4;
  return heddle::compiler::explain_barriers(module, "k", options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(barriers_are_explained_by_line_and_block) {
  const auto told = explanation();
  const std::string text = report::barrier_text(told);
  expect(text,
         {"convergence barriers of k: 3",
          "b0  predicted at L1 (line 10); soft: lanes go on when more than 4 are there: B0, B1 (who is in the region), "
          "B2 (who has arrived)",
          "lanes are in it in entry, LOOP, after_4, NEXT", "the prediction begins", "the predicted point",
          "lanes that have waited may come again", "no way leads to the predicted point any more",
          "b1  default at line 17: B3", "lanes may part at this branch", "break if not enough",
          "lanes wait for each other at L1 instead", "b2  default at line 20: B4",
          "lanes may leave the loop that begins here in different turns"});
  const nlohmann::json json = report::barrier_json(told);
  BOOST_REQUIRE(json.size() == 3U);
  BOOST_TEST(json[0]["role"] == "predicted");
  BOOST_TEST(json[0]["threshold"] == 4);
  BOOST_TEST(json[0]["register_of_arrived"] == 2);
  BOOST_TEST(json[0]["may_be_in"] == nlohmann::json::array({"b2"}));
  BOOST_TEST(json[1]["is_placed"] == true);
  const auto blocks = report::barriers_by_block(told);
  BOOST_TEST(blocks.at("NEXT") == "in b0, b2");
  BOOST_TEST(blocks.at("LOOP") == "in b0, b1, b2");
}

BOOST_AUTO_TEST_CASE(what_is_affine_is_told_of_each_instruction_and_why_not) {
  const auto told = heddle::compiler::explain_affine(heddle::ptx::parse(R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %t, %x;
	.reg .b64 %p, %a;
	ld.param.u64 %p, [p];
	mov.u32 %t, %tid.x;
	mad.wide.u32 %a, %t, 4, %p;
	ld.global.u32 %x, [%a];
	xor.b32 %x, %x, %t;
	st.global.u32 [%a], %x;
	ret;
}
)",
                                                                        "folder/file.ptx"),
                                                     "k", {});
  expect(report::affine_text(told),
         {"affine instructions of k: 5 of 7 are potentially affine (DAC Fig. 6); decoupled are 1 of 1 loads, 1 of 1 "
          "stores "
          "and 0 of 0 branches",
          "10  affine  tuple          mad.wide.u32 %a <- %t, 4, %p", "11  affine  enq.data       ld.global.u32",
          "computed from what is no tuple", "13  affine  enq.addr"});
  const nlohmann::json json = report::affine_json(told);
  BOOST_TEST(json["why_not_split"] == "");
  BOOST_TEST(json["instructions"][3]["affine_stream"] == "enq.data");
  BOOST_TEST(json["instructions"][4]["why_not"] == "computed from what is no tuple");
  const auto of_program = nlohmann::json::parse(said("compile histogram --affine --json -"));
  BOOST_TEST(of_program[0]["affine"]["instructions"].size() > 10U);
  BOOST_TEST(of_program[0]["affine"]["why_not_split"].get<std::string>() != "");
}

BOOST_AUTO_TEST_CASE(the_graph_has_the_barriers_that_lanes_are_in) {
  const std::string graph = said("compile mcb --barriers --reconverge predicted --dot -");
  expect(graph, {"digraph", "LBB0_3:\\lin b0, b1"});
  const auto json = nlohmann::json::parse(said("compile mcb --barriers --reconverge predicted --json -"));
  BOOST_TEST(json[0]["barriers"].size() > 3U);
  BOOST_TEST(json[0]["barriers"][0]["prediction"] == "event");
  BOOST_TEST(json[0]["barriers"][0]["operations"][0]["source_line"].get<unsigned>() > 0U);
  BOOST_TEST(!nlohmann::json::parse(said("compile mcb --json -"))[0].contains("barriers"));
}

BOOST_AUTO_TEST_CASE(candidates_of_automatic_detection_are_explained_by_guess_and_by_profile) {
  const std::string guessed = said("compile multipole_lookup --barriers --reconverge automatic --summary");
  expect(guessed, {"where the compiler looked for predictions of its own", "loop merge", "iteration delay", "  yes  "});
  const std::string profile = "listing_profile.json";
  said("run multipole_lookup --divergence barrier --warps 1 --profile --json " + profile);
  const std::string counted =
      said("compile multipole_lookup --barriers --reconverge automatic --summary --profile-from " + profile);
  expect(said("compile diverge --barriers --reconverge automatic --profile-from " + profile + " 2>&1", true),
         {"it has no counts of diverge, but of multipole_lookup"});
  std::remove(profile.c_str());
  expect(counted, {"iteration delay", "  yes  "});
  BOOST_TEST(counted != guessed);
}
