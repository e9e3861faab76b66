// SPDX-License-Identifier: Apache-2.0
// Textures on the oracle: what fetches read, what they cost in instructions, how references are bound, and the errors.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/ptx/parser.h"
#include "tests/kit/texture_cases.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
using gpu::Texture;
using heddle::tests::fetch_program;

namespace {

using Words = std::vector<std::uint32_t>;

/// A texture of such words, one channel.
Texture texture_of(gpu::Device& device, const Words& texels) {
  Texture texture;
  texture.address = gpu::upload(device, texels);
  texture.width = texels.size();
  texture.kind = gpu::ChannelKind::Unsigned;
  return texture;
}

/// What thread t stores at %to, for x = t and y = 0.
Words run(gpu::Device& device, const isa::Program& program, std::uint64_t handle, unsigned threads = 4) {
  Words coordinates;
  for (unsigned thread = 0; thread < threads; ++thread) coordinates.insert(coordinates.end(), {thread, 0});
  const std::uint64_t from = gpu::upload(device, coordinates), to = device.allocate(16 * threads);
  gpu::launch(device, program, {1}, {threads}, handle, from, to);
  const Words all = gpu::download<std::uint32_t>(device, to, 4 * threads);
  Words first;
  for (unsigned thread = 0; thread < threads; ++thread) first.push_back(all[4 * thread]);
  return first;
}

std::ptrdiff_t loads_of(const isa::Program& program) {
  return std::count_if(program.code.begin(), program.code.end(),
                       [](const isa::Instruction& instruction) { return instruction.kind == isa::Kind::Load; });
}

template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const gpu::ExecutionError& error) { return error.what(); }
  return "no error";
}

const std::string Fetch = "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [t, {%x}]; st.global.u32 [%to], %r0;";
const std::string FetchByHandle = "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%h, {%x}]; st.global.u32 [%to], %r0;";

}  // namespace

BOOST_AUTO_TEST_CASE(fetches_read_what_the_host_computes) {
  gpu::OracleDevice device;
  const gpu::Outcome fetches = heddle::tests::run_fetch_cases(device);
  BOOST_TEST(fetches.ok, fetches.message);
  BOOST_TEST(device.launches() == 252U);
  const gpu::Outcome walk = heddle::tests::run_list_walk(device);
  BOOST_TEST(walk.ok, walk.message);
}

BOOST_AUTO_TEST_CASE(a_reference_is_bound_again_and_memory_is_read_as_it_is) {
  gpu::OracleDevice device;
  const isa::Program program = fetch_program(Fetch);
  const Texture first = texture_of(device, {10, 20, 30, 40}), second = texture_of(device, {5, 6});
  device.bind_texture(program, "t", first);
  BOOST_TEST(run(device, program, 0) == (Words{10, 20, 30, 40}), boost::test_tools::per_element());
  const std::uint32_t changed = 77;
  device.write(first.address + 4, &changed, sizeof changed);
  BOOST_TEST(run(device, program, 0) == (Words{10, 77, 30, 40}), boost::test_tools::per_element());
  device.bind_texture(program, "t", second);
  BOOST_TEST(run(device, program, 0) == (Words{5, 6, 6, 6}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_address_of_a_reference_is_a_handle) {
  gpu::OracleDevice device;
  const isa::Program program = fetch_program("mov.u64 %h, t;\n" + FetchByHandle);
  device.bind_texture(program, "t", texture_of(device, {1, 2, 3, 4}));
  BOOST_TEST(run(device, program, 0) == (Words{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(operands_in_all_their_shapes) {
  // Results over coordinates, four coordinates, one without braces, a sink, a number.
  const std::vector<std::string> shapes = {
      "tex.2d.v4.u32.s32 {%x, %y, %r1, %r2}, [t, {%x, %y}]; st.global.u32 [%to], %x;",
      "tex.2d.v4.u32.s32 {%r0, %r1, %y, %x}, [t, {%x, %y, %x, %y}]; st.global.v4.u32 [%to], {%r0, %r1, %y, %x};",
      "tex.1d.v4.u32.s32 {%r0, _, _, _}, [t, {%x, %x, %x, %x}]; st.global.u32 [%to], %r0;",
      "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [t, %x]; st.global.u32 [%to], %r0;",
      "tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [t, {%x, -9}]; st.global.u32 [%to], %r0;",
      "cvt.rn.f32.u32 %f0, %x; tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [t, {%f0, 0f3F000000}]; st.global.u32 [%to], "
      "%r0;"};
  for (const std::string& shape : shapes) {
    gpu::OracleDevice device;
    const isa::Program program = fetch_program(shape);
    device.bind_texture(program, "t", texture_of(device, {11, 12, 13, 14}));
    BOOST_TEST_INFO(shape);
    BOOST_TEST(run(device, program, 0) == (Words{11, 12, 13, 14}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(under_a_guard_only_its_lanes_fetch) {
  for (const bool negated : {false, true}) {
    gpu::OracleDevice device;
    // The other lanes have no handle, and keep their registers.
    const isa::Program program =
        fetch_program(fmt::format("setp.{0}.u32 %p0, %x, 2; mov.u32 %r0, 99; mov.u32 %r3, 98; @{1}%p0 mov.u64 %from, "
                                  "%h; @{2}%p0 mov.u64 %from, 1;\n"
                                  "@{1}%p0 tex.1d.v4.u32.s32 {{%r0, %r1, %r2, %r3}}, [%from, {{%x}}]; add.u32 %r0, "
                                  "%r0, %r3; st.global.u32 [%to], %r0;",
                                  negated ? "ge" : "lt", negated ? "!" : "", negated ? "" : "!"));
    const std::uint64_t handle = device.make_texture(texture_of(device, {10, 20, 30, 40}));
    BOOST_TEST(run(device, program, handle) == (Words{11, 21, 197, 197}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(guarded_fetches_hold_no_registers_before_they_begin) {
  std::string body;
  for (unsigned fetch = 0; fetch < 40; ++fetch) body += "@%p0 " + Fetch + '\n';
  const unsigned one = fetch_program("setp.eq.u32 %p0, %x, 0; @%p0 " + Fetch).registers;
  BOOST_TEST(fetch_program("setp.eq.u32 %p0, %x, 0;\n" + body).registers <= one + 2);
}

// Five fields of the descriptor and the texel; each channel more is a field and a load, or one a width.
BOOST_AUTO_TEST_CASE(only_channels_that_are_read_are_loaded) {
  const std::ptrdiff_t others = loads_of(fetch_program(""));
  const auto loads = [&](const std::string& opcode, const std::string& coordinates, const std::string& result) {
    return loads_of(fetch_program(
               fmt::format("{} {{%r0, %r1, %r2, %r3}}, [t, {{{}}}]; st.global{};", opcode, coordinates, result))) -
           others;
  };
  BOOST_TEST(loads("tex.1d.v4.f32.s32", "%x", ".u32 [%to], %r0") == 6);
  BOOST_TEST(loads("tex.1d.v4.f32.s32", "%x", ".v4.u32 [%to], {%r0, %r1, %r2, %r3}") == 12);
  BOOST_TEST(loads("tex.2d.v4.f32.f32", "%x, %y", ".u32 [%to], %r2") == 9);
  BOOST_TEST(loads("tex.1d.v4.u32.s32", "%x", ".u32 [%to], %r0") == 8);
  BOOST_TEST(loads("tex.1d.v4.f32.s32", "%x", ".u32 [%to], %x") == 4);
}

// ---- Errors ----

BOOST_AUTO_TEST_CASE(a_reference_that_is_not_bound) {
  gpu::OracleDevice device;
  const isa::Program program = fetch_program(Fetch);
  const std::string expected =
      "cudaErrorInvalidTextureBinding: kernel k of file.ptx reads texture t, which is not bound";
  BOOST_TEST(error_of([&] { run(device, program, 0); }) == expected);
  gpu::OracleDevice another;
  device.bind_texture(program, "t", texture_of(device, {1}));
  BOOST_TEST(error_of([&] { run(device, program, 0); }) == "no error");
  BOOST_TEST(error_of([&] { run(another, program, 0); }) == expected);
  // A kernel that does not name it needs none.
  BOOST_TEST(error_of([&] { run(another, fetch_program(""), 0); }) == "no error");
}

BOOST_AUTO_TEST_CASE(no_such_reference) {
  gpu::OracleDevice device;
  const isa::Program program = heddle::compiler::compile(
      heddle::ptx::parse(".global .texref t; .global .u32 n; .entry k() { ret; }", "file.ptx"), "k");
  const Texture texture = texture_of(device, {1});
  BOOST_TEST(error_of([&] { device.bind_texture(program, "u", texture); }) ==
             "cudaErrorInvalidTexture: file.ptx has no texture reference u");
  BOOST_TEST(error_of([&] { device.bind_texture(program, "n", texture); }) ==
             "cudaErrorInvalidTexture: file.ptx has no texture reference n");
  BOOST_TEST(error_of([&] { device.bind_texture(program, "t", texture); }) == "no error");
}

BOOST_AUTO_TEST_CASE(textures_that_are_refused) {
  gpu::OracleDevice device;
  const Texture good = texture_of(device, {1, 2, 3, 4});
  const auto error = [&](auto change) {
    Texture bad = good;
    change(bad);
    return error_of([&] { device.make_texture(bad); });
  };
  const auto expect = [&](const std::string& found, const std::string& expected) { BOOST_TEST(found == expected); };
  expect(error([](Texture&) {}), "no error");
  expect(error([](Texture& bad) { bad.filter = gpu::FilterMode::Linear; }),
         "cudaErrorNotSupported: texture with linear filtering; expected point sampling");
  expect(error([](Texture& bad) { bad.normalized_coordinates = true; }),
         "cudaErrorNotSupported: texture with normalised coordinates");
  for (const gpu::AddressMode mode : {gpu::AddressMode::Wrap, gpu::AddressMode::Mirror}) {
    expect(error([&](Texture& bad) { bad.address_modes[1] = mode; }),
           "cudaErrorNotSupported: texture with address mode wrap or mirror, which need normalised coordinates; "
           "expected clamp or border");
  }
  expect(error([](Texture& bad) { bad.read_mode = gpu::ReadMode::NormalizedFloat; }),
         "cudaErrorNotSupported: texture that is read as normalised floats; expected its element type");
  expect(error([](Texture& bad) { bad.channels = 3; }),
         "cudaErrorInvalidChannelDescriptor: texture of 3 channels; expected 1, 2 or 4");
  expect(error([](Texture& bad) { bad.channel_bits = 64; }),
         "cudaErrorInvalidChannelDescriptor: texture channels of 64 bits; expected 8, 16 or 32");
  expect(error([](Texture& bad) { bad.kind = gpu::ChannelKind::Float, bad.channel_bits = 16; }),
         "cudaErrorNotSupported: floating-point texture channels of 16 bits; expected 32");
  expect(error([](Texture& bad) { bad.width = 0; }),
         "cudaErrorInvalidValue: texture of 0 x 1 texels; expected 1 to 134217728 a dimension");
  expect(error([](Texture& bad) { bad.height = 134217729; }),
         "cudaErrorInvalidValue: texture of 4 x 134217729 texels; expected 1 to 134217728 a dimension");
  expect(error([](Texture& bad) { bad.address = 0x7f0000000002; }),
         "cudaErrorInvalidValue: texture at 0x7f0000000002; expected a multiple of 4");
  for (const std::uint64_t pitch : {12U, 18U}) {
    expect(error([&](Texture& bad) { bad.pitch = pitch; }),
           fmt::format("cudaErrorInvalidValue: texture with a pitch of {} bytes; expected a multiple of 4, from 16 to "
                       "4294967295",
                       pitch));
  }
  const isa::Program program = fetch_program(Fetch);
  Texture bad = good;
  bad.filter = gpu::FilterMode::Linear;
  BOOST_TEST(error_of([&] { device.bind_texture(program, "t", bad); }).find("cudaErrorNotSupported") == 0U);
}

BOOST_AUTO_TEST_CASE(accesses_out_of_bounds_name_the_fetch) {
  gpu::OracleDevice device;
  const auto expect = [&](const isa::Program& program, std::uint64_t handle, const std::string& text) {
    const std::string found = error_of([&] { run(device, program, handle); });
    BOOST_TEST(found.find(text) != std::string::npos, found);
  };
  const isa::Program by_handle = fetch_program(FetchByHandle);
  expect(by_handle, 0x100,
         "out-of-bounds load of 8 bytes at 0x100 (global): kernel k, file.ptx:7, block (0,0,0) thread (0,0,0); ");
  Texture longer = texture_of(device, {1, 2});
  longer.width = 100;
  const std::uint64_t handle = device.make_texture(longer);
  expect(by_handle, handle, "out-of-bounds load of 4 bytes");
  // A fetch of .f32 from narrow channels has no meaning.
  Texture narrow = texture_of(device, {1, 2});
  narrow.channel_bits = 8;
  const std::uint64_t bytes = device.make_texture(narrow);
  const isa::Program floats =
      fetch_program("tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%h, {%x}]; st.global.u32 [%to], %r0;");
  expect(floats, bytes, "out-of-bounds load of 4 bytes at 0x0 (global)");
}
