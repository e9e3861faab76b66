// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/texture.h"

#include <fmt/format.h>

#include "sim/gpu/execution_error.h"

namespace heddle::gpu {
namespace {

void require(bool holds, ErrorCode error, const std::string& message) {
  if (!holds) throw ExecutionError(error, message);
}

void check_modes(const Texture& texture) {
  const ErrorCode error = ErrorCode::NotSupported;
  require(texture.filter == FilterMode::Point, error, "texture with linear filtering; expected point sampling");
  require(!texture.normalized_coordinates, error, "texture with normalised coordinates");
  for (const AddressMode mode : texture.address_modes) {
    require(mode == AddressMode::Clamp || mode == AddressMode::Border, error,
            "texture with address mode wrap or mirror, which need normalised coordinates; expected clamp or border");
  }
  require(texture.read_mode == ReadMode::ElementType, error,
          "texture that is read as normalised floats; expected its element type");
}

void check_channels(const Texture& texture) {
  const unsigned bits = texture.channel_bits;
  require(texture.channels == 1 || texture.channels == 2 || texture.channels == 4, ErrorCode::InvalidChannelDescriptor,
          fmt::format("texture of {} channels; expected 1, 2 or 4", texture.channels));
  require(bits == 8 || bits == 16 || bits == 32, ErrorCode::InvalidChannelDescriptor,
          fmt::format("texture channels of {} bits; expected 8, 16 or 32", bits));
  require(texture.kind != ChannelKind::Float || bits == 32, ErrorCode::NotSupported,
          fmt::format("floating-point texture channels of {} bits; expected 32", bits));
}

void check_size(const Texture& texture, std::uint64_t texel_bytes) {
  const ErrorCode error = ErrorCode::InvalidValue;
  constexpr std::uint64_t MaxTexels = std::uint64_t{1} << 27;  // as CUDA says for linear memory
  for (const std::uint64_t size : {texture.width, texture.height}) {
    require(size >= 1 && size <= MaxTexels, error,
            fmt::format("texture of {} x {} texels; expected 1 to {} a dimension", texture.width, texture.height,
                        MaxTexels));
  }
  const unsigned bytes = texture.channel_bits / 8;
  require(texture.address % bytes == 0, error,
          fmt::format("texture at {:#x}; expected a multiple of {}", texture.address, bytes));
  if (texture.pitch == 0) return;
  require(texture.pitch >= texture.width * texel_bytes && texture.pitch <= ~0U && texture.pitch % bytes == 0, error,
          fmt::format("texture with a pitch of {} bytes; expected a multiple of {}, from {} to {}", texture.pitch,
                      bytes, texture.width * texel_bytes, ~0U));
}

}  // namespace

isa::TextureDescriptor descriptor_of(const Texture& texture) {
  check_modes(texture);
  check_channels(texture);
  const unsigned bytes = texture.channel_bits / 8, texel_bytes = bytes * texture.channels;
  check_size(texture, texel_bytes);
  const std::uint64_t pitch = texture.pitch == 0 ? texture.width * texel_bytes : texture.pitch;

  isa::TextureDescriptor descriptor;
  descriptor.address = texture.address;
  descriptor.word_address = bytes == 4 ? texture.address : 0;
  const std::array<std::uint64_t, 2> sizes = {texture.width, texture.height}, strides = {texel_bytes, pitch};
  for (unsigned index = 0; index < sizes.size(); ++index) {
    isa::TextureDescriptor::Dimension& dimension = descriptor.dimensions[index];
    dimension.last = static_cast<std::uint32_t>(sizes[index] - 1);
    dimension.stride = static_cast<std::uint32_t>(strides[index]);
    dimension.clamps = texture.address_modes[index] == AddressMode::Clamp ? 1 : 0;
  }
  for (unsigned channel = 0; channel < texture.channels; ++channel) descriptor.channel_bytes[channel] = bytes;
  return descriptor;
}

}  // namespace heddle::gpu
