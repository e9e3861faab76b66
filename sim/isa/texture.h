// SPDX-License-Identifier: Apache-2.0
// A texture as code sees it: a descriptor in device memory. A texture reference is a variable of a module that holds
// one, a bindless handle is the address of one. No texture unit is modelled: the compiler lowers a fetch to loads of
// the fields that it needs and of the texel (texture_lowering.h), and a device fills them (gpu/texture.h).
#pragma once

#include <array>
#include <cstdint>

namespace heddle::isa {

struct TextureDescriptor {
  static constexpr unsigned MaxDimensions = 2, Channels = 4;

  struct Dimension {
    std::uint32_t last = 0;    ///< the highest coordinate
    std::uint32_t stride = 0;  ///< bytes a step of the coordinate
    std::uint32_t clamps = 0;  ///< a coordinate out of range is the nearest one; 0: the texel reads as zeros
  };

  std::uint64_t address = 0;       ///< of the texel whose coordinates are 0
  std::uint64_t word_address = 0;  ///< the same if channels have 32 bits; else 0: a fetch of .f32 is out of bounds
  std::array<Dimension, MaxDimensions> dimensions;      ///< x, y; of one that a texture has not, `last` is 0
  std::array<std::uint32_t, Channels> channel_bytes{};  ///< 0: the texel has no such channel
};

}  // namespace heddle::isa
