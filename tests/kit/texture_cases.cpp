// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/texture_cases.h"

#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace heddle::tests {
namespace {

using gpu::AddressMode;
using gpu::ChannelKind;
using gpu::Texture;
using Words = std::vector<std::uint32_t>;

struct FetchCase {
  unsigned dimensions = 1;
  std::string type, coordinates;  // PTX types
  Texture texture;
  bool uses_handle = false;

  std::string opcode() const { return fmt::format("tex.{}d.v4.{}.{}", dimensions, type, coordinates); }
};

std::vector<FetchCase> all_cases() {
  constexpr AddressMode C = AddressMode::Clamp, B = AddressMode::Border;
  std::vector<FetchCase> cases;
  for (const unsigned dimensions : {1U, 2U})
    for (const char* const type : {"f32", "s32", "u32"})
      for (const char* const coordinates : {"s32", "f32"})
        for (const unsigned channels : {1U, 2U, 4U})
          for (const unsigned bits : {8U, 16U, 32U})
            for (const std::array<AddressMode, 2>& modes : {std::array{C, C}, std::array{B, B}, std::array{B, C}}) {
              const bool is_float = type[0] == 'f';
              if (is_float && bits != 32) continue;
              FetchCase one;
              one.dimensions = dimensions;
              one.type = type;
              one.coordinates = coordinates;
              one.texture.width = 13;
              one.texture.height = dimensions == 2 ? 7 : 1;
              one.texture.channels = channels;
              one.texture.channel_bits = bits;
              one.texture.kind = is_float         ? ChannelKind::Float
                                 : type[0] == 's' ? ChannelKind::Signed
                                                  : ChannelKind::Unsigned;
              one.texture.address_modes = modes;
              if (dimensions == 2 && cases.size() % 4 < 2) one.texture.pitch = 256;
              one.uses_handle = cases.size() % 2 != 0;
              cases.push_back(one);
            }
  return cases;
}

std::uint64_t pitch_of(const Texture& texture) {
  return texture.pitch != 0 ? texture.pitch : texture.width * texture.channels * texture.channel_bits / 8;
}

// ---- What a fetch should read ----

std::int64_t coordinate_of(std::uint32_t word, const std::string& type) {
  if (type == "s32") return static_cast<std::int32_t>(word);
  float value = 0;
  std::memcpy(&value, &word, sizeof value);
  if (std::isnan(value)) return 0;
  if (std::abs(value) > 1e9F) return value < 0 ? -1'000'000'000 : 1'000'000'000;
  return static_cast<std::int64_t>(std::floor(value));
}

/// False if the texel reads as zeros.
bool resolve(std::int64_t& coordinate, std::uint64_t size, AddressMode mode) {
  const auto end = static_cast<std::int64_t>(size);
  if (coordinate >= 0 && coordinate < end) return true;
  coordinate = coordinate < 0 ? 0 : end - 1;
  return mode == AddressMode::Clamp;
}

std::uint32_t channel_at(const std::vector<std::uint8_t>& bytes, std::uint64_t at, const Texture& texture) {
  std::uint32_t value = 0;
  for (unsigned byte = 0; byte < texture.channel_bits / 8; ++byte)
    value |= std::uint32_t{bytes.at(at + byte)} << (8 * byte);
  if (texture.kind != ChannelKind::Signed) return value;
  if (texture.channel_bits == 8) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  return texture.channel_bits == 16 ? static_cast<std::uint32_t>(static_cast<std::int16_t>(value)) : value;
}

std::array<std::uint32_t, 4> expected(const FetchCase& one, const std::vector<std::uint8_t>& bytes,
                                      std::uint32_t x_word, std::uint32_t y_word) {
  const Texture& texture = one.texture;
  std::int64_t x = coordinate_of(x_word, one.coordinates);
  std::int64_t y = one.dimensions == 2 ? coordinate_of(y_word, one.coordinates) : 0;
  const bool in_row = resolve(x, texture.width, texture.address_modes[0]);
  const bool in_column = resolve(y, texture.height, texture.address_modes[1]);
  std::array<std::uint32_t, 4> texel = {0, 0, 0, one.type == "f32" ? 0x3f800000U : 1U};
  for (unsigned channel = 0; channel < texture.channels; ++channel) {
    const std::uint64_t at = static_cast<std::uint64_t>(y) * pitch_of(texture) +
                             (static_cast<std::uint64_t>(x) * texture.channels + channel) * texture.channel_bits / 8;
    texel[channel] = in_row && in_column ? channel_at(bytes, at, texture) : 0;
  }
  return texel;
}

// ---- Coordinates ----

Words interesting_coordinates(const std::string& type) {
  Words words;
  if (type == "s32") {
    for (int value = -2; value <= 15; ++value) words.push_back(static_cast<std::uint32_t>(value));
    for (const std::uint32_t value : {0x7fffffffU, 0x80000000U, 0xffff0000U, 65536U}) words.push_back(value);
    return words;
  }
  constexpr float Infinity = std::numeric_limits<float>::infinity();
  for (const float value :
       {-1.5F, -1.0F, -0.5F,  -0.0F, 0.0F,  0.5F,  0.99F,    1.0F,      2.75F, 5.999F, 6.5F,
        7.0F,  11.0F, 12.99F, 12.0F, 13.0F, 14.5F, Infinity, -Infinity, 1e30F, -1e30F, std::nanf("")}) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    words.push_back(word);
  }
  return words;
}

/// Two words a thread.
Words coordinates_of(const std::string& type, std::mt19937& random) {
  const Words interesting = interesting_coordinates(type);
  Words words;
  for (const std::uint32_t x : interesting) {
    words.push_back(x);
    words.push_back(interesting[random() % interesting.size()]);
  }
  return words;
}

std::string run_case(gpu::Device& device, const FetchCase& one, std::mt19937& random) {
  Texture texture = one.texture;
  const std::uint64_t row_bytes = texture.width * texture.channels * texture.channel_bits / 8;
  std::vector<std::uint8_t> bytes((texture.height - 1) * pitch_of(texture) + row_bytes);  // not a byte more
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  texture.address = gpu::upload(device, bytes);

  const isa::Program program =
      fetch_program(fmt::format("{} {{%r0, %r1, %r2, %r3}}, [{}, {{{}}}]; "
                                "st.global.v4.u32 [%to], {{%r0, %r1, %r2, %r3}};",
                                one.opcode(), one.uses_handle ? "%h" : "t", one.dimensions == 2 ? "%x, %y" : "%x"));
  std::uint64_t handle = 0;
  if (one.uses_handle)
    handle = device.make_texture(texture);
  else
    device.bind_texture(program, "t", texture);
  const Words coordinates = coordinates_of(one.coordinates, random);
  const auto threads = static_cast<unsigned>(coordinates.size() / 2);
  const std::uint64_t from = gpu::upload(device, coordinates), to = device.allocate(16 * threads);
  gpu::launch(device, program, {1}, {threads}, handle, from, to);
  const Words found = gpu::download<std::uint32_t>(device, to, 4 * threads);
  for (unsigned thread = 0; thread < threads; ++thread) {
    const std::uint32_t x = coordinates[2 * thread], y = coordinates[2 * thread + 1];
    const std::array<std::uint32_t, 4> texel = expected(one, bytes, x, y);
    for (unsigned channel = 0; channel < 4; ++channel) {
      if (found[4 * thread + channel] != texel[channel]) {
        return fmt::format("{} of {} channels of {} bits, handle {}: at {:#x}, {:#x} channel {}: {:#x}, expected {:#x}",
                           one.opcode(), texture.channels, texture.channel_bits, one.uses_handle, x, y, channel,
                           found[4 * thread + channel], texel[channel]);
      }
    }
  }
  return "";
}

}  // namespace

isa::Program fetch_program(const std::string& body) {
  return compiler::compile(ptx::parse(R"(.global .texref t;
.visible .entry k(.param .u64 h, .param .u64 from, .param .u64 to) {
.reg .b64 %h, %from, %to, %offset; .reg .b32 %x, %y, %t, %r<8>; .reg .f32 %f<4>; .reg .pred %p<4>;
ld.param.u64 %h, [h]; ld.param.u64 %from, [from]; ld.param.u64 %to, [to]; mov.u32 %t, %tid.x;
mul.wide.u32 %offset, %t, 8; add.u64 %from, %from, %offset; ld.global.v2.u32 {%x, %y}, [%from];
mul.wide.u32 %offset, %t, 16; add.u64 %to, %to, %offset;
)" + body + "\nret; }\n",
                                      "file.ptx"),
                           "k");
}

gpu::Outcome run_fetch_cases(gpu::Device& device) {
  std::mt19937 random(20);
  for (const FetchCase& one : all_cases()) {
    const std::string wrong = run_case(device, one, random);
    if (!wrong.empty()) return {false, wrong};
  }
  return {true, "as expected"};
}

gpu::Outcome run_list_walk(gpu::Device& device) {
  constexpr unsigned Threads = 64;
  const isa::Program program = fetch_program(R"(
    mov.u32 %r4, 0;
STEP: setp.eq.u32 %p0, %x, 0; @%p0 bra DONE;
    add.u32 %r4, %r4, %x; tex.1d.v4.u32.s32 {%x, %r1, %r2, %r3}, [t, {%x}]; bra STEP;
DONE: st.global.v4.u32 [%to], {%r4, %x, %x, %x};)");
  Words next(Threads);  // from each number to one that is lower: 0 ends the list
  for (unsigned x = 1; x < Threads; ++x) next[x] = x % 3 == 0 ? x / 3 : x - 1;
  Texture texture;
  texture.address = gpu::upload(device, next);
  texture.width = Threads;
  texture.kind = ChannelKind::Unsigned;
  device.bind_texture(program, "t", texture);
  Words starts;
  for (unsigned thread = 0; thread < Threads; ++thread) {
    starts.push_back(thread * 37 % Threads);
    starts.push_back(0);
  }
  const std::uint64_t from = gpu::upload(device, starts), to = device.allocate(16 * Threads);
  gpu::launch(device, program, {1}, {Threads}, std::uint64_t{0}, from, to);
  const Words found = gpu::download<std::uint32_t>(device, to, 4 * Threads);
  for (unsigned thread = 0; thread < Threads; ++thread) {
    std::uint32_t sum = 0;
    for (std::uint32_t x = starts[2 * thread]; x != 0; x = next[x]) sum += x;
    if (found[4 * thread] != sum)
      return {false, fmt::format("list of thread {}: {}, expected {}", thread, found[4 * thread], sum)};
  }
  return {true, "as expected"};
}

}  // namespace heddle::tests
