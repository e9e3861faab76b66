// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/texture_lowering.h"

#include <cstddef>
#include <fmt/format.h>

#include "sim/isa/texture.h"

namespace heddle::compiler {
namespace {

using isa::TextureDescriptor;
using ptx::Operand;

constexpr unsigned Channels = TextureDescriptor::Channels;

bool is_result_of_fetch(const ptx::Statement& statement, std::size_t operand, std::size_t) {
  return operand == 0 && statement.opcode.compare(0, 4, "tex.") == 0;
}

class Fetch {
 public:
  /// The table has tex.{1d,2d}.v4.{f32,s32,u32}.{s32,f32}.
  Fetch(Emitter& emitter, const Opcode& opcode)
      : emitter_(emitter),
        opcode_(opcode),
        dimensions_(opcode.spelling.compare(0, 7, "tex.2d.") == 0 ? 2 : 1),
        type_(opcode.spelling.substr(10, 3)),
        has_float_coordinates_(opcode.spelling.compare(14, 3, "f32") == 0) {}

  void lower() {
    check_operands();
    load_fields();
    place_texel();
    // Nothing of ours is read behind the first result, which may overwrite a coordinate.
    for (unsigned channel = 0; channel < Channels; ++channel)
      if (is_wanted_[channel]) load_channel(channel);
  }

 private:
  const Operand& result(unsigned channel) const { return emitter_.statement().operands[0].elements[channel]; }
  /// [texture, {coordinates}]
  const Operand& texel() const { return emitter_.statement().operands[1]; }
  const Operand& texture() const { return texel().elements[0]; }
  const Operand& coordinate(unsigned dimension) const { return texel().elements[1 + dimension]; }
  bool is_float() const { return type_ == "f32"; }

  void check_operands() {
    const std::vector<Operand>& operands = emitter_.statement().operands;
    if (operands.size() != 2) {
      emitter_.fail(emitter_.statement().where,
                    fmt::format("{}: expected 2 operands, found {}", opcode_.spelling, operands.size()));
    }
    if (operands[0].kind != Operand::Kind::Vector || operands[0].elements.size() != Channels)
      emitter_.fail(operands[0].where, fmt::format("expected a vector of {} elements", Channels));
    if (texel().kind != Operand::Kind::Indexed || texture().name.empty())
      emitter_.fail(texel().where, "expected [texture, {coordinates}]");
    // Old PTX fills up to four.
    const std::size_t found = texel().elements.size() - 1;
    if (found != dimensions_ && found != 4)
      emitter_.fail(texel().where, fmt::format("expected {} or 4 coordinates, found {}", dimensions_, found));
    for (unsigned channel = 0; channel < Channels; ++channel) {
      const Operand& into = result(channel);
      if (into.name == "_") continue;
      VirtualInstruction unused;  // also a register that nobody reads must be one
      emitter_.set_destination(unused, into, Class::Narrow);
      is_wanted_[channel] = emitter_.is_read(into.name, is_result_of_fetch);
    }
  }

  // ---- The descriptor ----

  void load_fields() {
    address_ = load_field(is_float() ? offsetof(TextureDescriptor, word_address) : offsetof(TextureDescriptor, address),
                          Class::Wide);
    using Dimension = TextureDescriptor::Dimension;
    for (unsigned index = 0; index < dimensions_; ++index) {
      const std::size_t begin = offsetof(TextureDescriptor, dimensions) + index * sizeof(Dimension);
      limits_[index].last = load_field(begin + offsetof(Dimension, last), Class::Narrow);
      limits_[index].stride = load_field(begin + offsetof(Dimension, stride), Class::Narrow);
      limits_[index].clamps = load_field(begin + offsetof(Dimension, clamps), Class::Narrow);
    }
    for (unsigned channel = 0; channel < Channels; ++channel)
      if (is_wanted_[channel])
        bytes_[channel] =
            load_field(offsetof(TextureDescriptor, channel_bytes) + channel * sizeof(std::uint32_t), Class::Narrow);
  }

  Operand load_field(std::size_t offset, Class width) {
    Operand address = texture();
    address.value += offset;
    // Under a guard the register needs a value before, or it would be live from the function's begin.
    const bool is_wide = width == Class::Wide, is_guarded = !emitter_.statement().guard.empty();
    Operand field = is_guarded ? emitter_.compute(is_wide ? "mov.b64" : "mov.b32", {Emitter::number(0)})
                               : emitter_.new_register(width, address.where);
    VirtualInstruction& instruction = emitter_.add_access(form_of(is_wide ? 8 : 4), address, 0);
    if (instruction.sources[0] != NoVirtual && !instruction.body.sources[0].wide)
      emitter_.fail(address.where, fmt::format("expected a texture or a 64-bit register, found {}", address.name));
    emitter_.set_destination(instruction, field, width);
    return field;
  }

  static MemoryForm form_of(unsigned bytes) {
    MemoryForm form;
    form.space = isa::Space::Global;
    form.bytes = bytes;
    return form;
  }

  // ---- Coordinates ----

  /// The address of the texel, or of the nearest one, and whether it counts.
  void place_texel() {
    for (unsigned index = 0; index < dimensions_; ++index) {
      const Operand& given = coordinate(index);
      const Limits& limits = limits_[index];
      const Operand wanted = has_float_coordinates_ ? emitter_.compute("cvt.rmi.s32.f32", {given}) : given;
      const Operand from_zero = emitter_.compute("max.s32", {wanted, Emitter::number(0)});
      const Operand nearest = emitter_.compute("min.s32", {from_zero, limits.last});
      const Operand clamps = emitter_.compute("setp.ne.u32", {limits.clamps, Emitter::number(0)});
      const Operand counts = emitter_.compute("setp.eq.or.s32", {nearest, wanted, clamps});
      counts_ = index == 0 ? counts : emitter_.compute("and.pred", {counts_, counts});
      address_ = emitter_.compute("mad.wide.u32", {nearest, limits.stride, address_});
    }
  }

  // ---- Channels ----

  void load_channel(unsigned channel) {
    set_default(channel);
    // A load has one width, so there is one for each that the channel may have. Those of .f32 have 32 bits.
    if (is_float()) return load_if("setp.ne.and.u32", 0, channel, 4);
    for (const unsigned bytes : {1U, 2U, 4U}) load_if("setp.eq.and.u32", bytes, channel, bytes);
  }

  /// Zero, also for a texel that does not count; of a fourth channel that is missing, one.
  void set_default(unsigned channel) {
    if (channel + 1 < Channels) return emitter_.add_row("mov.b32", result(channel), {Emitter::number(0)});
    constexpr std::uint32_t FloatOne = 0x3f800000;
    const Operand is_missing = emitter_.compute("setp.eq.u32", {bytes_[channel], Emitter::number(0)});
    emitter_.add_row("selp.b32", result(channel),
                     {Emitter::number(is_float() ? FloatOne : 1), Emitter::number(0), is_missing});
  }

  /// A load of that width where the channel's compares with `bytes` and the texel counts.
  void load_if(const char* comparison, unsigned bytes, unsigned channel, unsigned width) {
    Operand loads = emitter_.compute(comparison, {bytes_[channel], Emitter::number(bytes), counts_});
    const ptx::Statement& statement = emitter_.statement();
    if (!statement.guard.empty()) loads = emitter_.compute("and.pred", {loads, statement.guard_operand()});
    Operand address = address_;
    address.kind = Operand::Kind::Address;
    VirtualInstruction& instruction = emitter_.add_access(form_of(width), address, channel);
    instruction.body.sign_extend = type_[0] == 's';
    emitter_.set_destination(instruction, result(channel), Class::Narrow);
    emitter_.set_guard(instruction, loads);
  }

  struct Limits {
    Operand last, stride, clamps;
  };

  Emitter& emitter_;
  const Opcode& opcode_;
  const unsigned dimensions_;
  const std::string type_;  // of the results
  const bool has_float_coordinates_;
  std::array<bool, Channels> is_wanted_{};
  Operand address_, counts_;
  std::array<Limits, TextureDescriptor::MaxDimensions> limits_;
  std::array<Operand, Channels> bytes_;
};

}  // namespace

void lower_texture(Emitter& emitter, const Opcode& opcode) {
  Fetch(emitter, opcode).lower();
}

}  // namespace heddle::compiler
