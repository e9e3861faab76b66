// SPDX-License-Identifier: Apache-2.0
// A texture as a host program describes it: linear or pitched memory, as cudaResourceDesc and cudaTextureDesc do.
#pragma once

#include <array>
#include <cstdint>

#include "sim/isa/texture.h"

namespace heddle::gpu {

enum class ChannelKind : std::uint8_t { Float, Signed, Unsigned };
enum class AddressMode : std::uint8_t { Wrap, Clamp, Mirror, Border };
enum class FilterMode : std::uint8_t { Point, Linear };
enum class ReadMode : std::uint8_t { ElementType, NormalizedFloat };

struct Texture {
  std::uint64_t address = 0;   ///< of device memory
  std::uint64_t width = 0;     ///< texels
  std::uint64_t height = 1;    ///< rows; 1: of one dimension
  std::uint64_t pitch = 0;     ///< bytes from a row to the next; 0: rows follow each other
  unsigned channels = 1;       ///< of a texel: 1, 2 or 4
  unsigned channel_bits = 32;  ///< 8, 16 or 32; of Float 32
  ChannelKind kind = ChannelKind::Float;
  std::array<AddressMode, 2> address_modes = {AddressMode::Clamp, AddressMode::Clamp};  ///< x, y: out of range
  FilterMode filter = FilterMode::Point;
  ReadMode read_mode = ReadMode::ElementType;
  bool normalized_coordinates = false;
};

/// What a fetch reads. \throws ExecutionError, with CUDA's name, for what is not supported (linear filtering,
/// normalised coordinates and therefore wrap and mirror, reads as normalised floats, f16) and for sizes that cannot be.
isa::TextureDescriptor descriptor_of(const Texture& texture);

}  // namespace heddle::gpu
