// SPDX-License-Identifier: Apache-2.0
// --arg: a number becomes what the parameter's type and width say, or is refused by name.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/ptx_run.h"

namespace fs = std::filesystem;
namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

struct Folder {
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  fs::path path = fs::temp_directory_path() / ("heddle_arguments_" + std::to_string(::getpid()));
};

/// The bits that a kernel finds in its parameter of this type, as the device gets them.
std::uint64_t bits_of(const std::string& type, const std::string& argument) {
  const Folder folder;
  const std::string width = type.substr(1), ptx = folder.path / "k.ptx", dump = folder.path / "dump";
  std::ofstream(ptx) << ".visible .entry k(.param .u64 p, .param ." + type +
                            " n) {\n.reg .b64 %d<3>;\nld.param.u64 %d1, [p];\nld.param.b" + width +
                            " %d2, [n];\nst.global.b64 [%d1], %d2;\nret;\n}\n";
  gpu::PtxRun run;
  run.file = ptx;
  run.arguments = {"zeros:8", argument};
  run.dumps = {"0=" + dump};
  run.grid = run.block = {1, 1, 1};
  run.functional = true;
  gpu::OracleDevice device;
  gpu::ptx_program(run)(device);
  std::ifstream file(dump, std::ios::binary);
  std::uint64_t bits = 0;
  file.read(reinterpret_cast<char*>(&bits), sizeof bits);
  return bits;
}

std::string refusal(const std::string& type, const std::string& argument) {
  try {
    bits_of(type, argument);
  } catch (const std::invalid_argument& error) { return error.what(); }
  return "taken";
}

std::uint64_t bits(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}
std::uint64_t bits(double value) {
  std::uint64_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

}  // namespace

BOOST_AUTO_TEST_CASE(floats_in_every_spelling) {
  BOOST_TEST(bits_of("f32", "1e-9") == bits(1e-9F));
  BOOST_TEST(bits_of("f64", "1e-9") == bits(1e-9));
  BOOST_TEST(bits_of("f32", "3") == bits(3.0F));
  BOOST_TEST(bits_of("f32", "-3") == bits(-3.0F));
  BOOST_TEST(bits_of("f64", "16777217") == bits(16777217.0));
  BOOST_TEST(bits_of("f32", ".5") == bits(0.5F));
  BOOST_TEST(bits_of("f32", "-0") == bits(-0.0F));
  BOOST_TEST(bits_of("f32", "+2.5E+3") == bits(2500.0F));
  BOOST_TEST(bits_of("f32", "0x1.8p-3") == bits(0.1875F));
  BOOST_TEST(bits_of("f64", "-0x1p-1074") == bits(-0x1p-1074));
  BOOST_TEST(bits_of("f32", "inf") == bits(INFINITY));
  BOOST_TEST(bits_of("f64", "-infinity") == bits(-double{INFINITY}));
  BOOST_TEST(std::isnan(float(NAN)));
  BOOST_TEST((bits_of("f32", "nan") & 0x7fc00000U) == 0x7fc00000U);
  BOOST_TEST(bits_of("f32", "0f3f800000") == bits(1.0F));
  BOOST_TEST(bits_of("f64", "0d3ff8000000000000") == bits(1.5));
  BOOST_TEST(bits_of("f32", "1e-45") == 1U);
  // Rounded once: by way of a double it would be 1.
  BOOST_TEST(bits_of("f32", "1.00000005960464477540") == bits(std::nextafter(1.0F, 2.0F)));
}

BOOST_AUTO_TEST_CASE(integers_stay_integers) {
  BOOST_TEST(bits_of("u32", "768") == 768U);
  BOOST_TEST(bits_of("s32", "-1") == 0xffffffffU);
  BOOST_TEST(bits_of("u64", "0x7f0000000000") == 0x7f0000000000U);
  BOOST_TEST(bits_of("s64", "-9223372036854775808") == 1ULL << 63);
  BOOST_TEST(bits_of("u64", "18446744073709551615") == ~0ULL);
  BOOST_TEST(bits_of("u16", "65535") == 65535U);
  BOOST_TEST(bits_of("b32", "5") == 5U);  // without a type: whole numbers as they are, others as floats
  BOOST_TEST(bits_of("b32", "5.0") == bits(5.0F));
  BOOST_TEST(bits_of("b64", "1e3") == bits(1000.0));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_by_name) {
  BOOST_TEST(refusal("f32", "1e39") == "--arg 1e39: out of the range of an f32");
  BOOST_TEST(refusal("f32", "1e-60") == "--arg 1e-60: out of the range of an f32");
  BOOST_TEST(refusal("f64", "1e309") == "--arg 1e309: out of the range of an f64");
  BOOST_TEST(refusal("f32", "1e") == "--arg 1e: expected zeros:BYTES, file:PATH or a number");
  BOOST_TEST(refusal("f32", " 1") == "--arg  1: expected zeros:BYTES, file:PATH or a number");
  BOOST_TEST(refusal("u32", "1e-9") == "--arg: '1e-9' is not a whole number, which parameter n (.u32) needs");
  BOOST_TEST(refusal("u32", "4294967296") == "--arg 4294967296: parameter n has 4 bytes, the number does not fit");
  BOOST_TEST(refusal("s16", "-32769") == "--arg -32769: parameter n has 2 bytes, the number does not fit");
  BOOST_TEST(refusal("u64", "18446744073709551616") == "--arg: 18446744073709551616 does not fit in 64 bits");
  BOOST_TEST(refusal("f32", "zeros:4") == "--arg zeros:4: parameter n has 4 bytes, a buffer's address needs 8");
}

// Where two uploads of one call lie would be the compiler's choice: launch() does not take them.
static_assert(gpu::HasOneOrder<gpu::Uploaded, unsigned&, const std::uint64_t&>);
static_assert(gpu::HasOneOrder<gpu::Uploaded&, const gpu::Uploaded&, gpu::Uploaded>);  // what has a name has its place
static_assert(!gpu::HasOneOrder<gpu::Uploaded, unsigned, gpu::Uploaded>);
