#pragma once

namespace heddle::kernels::bitonic_sort {

constexpr unsigned BitonicKeys = 512;  // that a block sorts, one a thread; a power of two

}  // namespace heddle::kernels::bitonic_sort
