#pragma once

constexpr unsigned BitonicKeys = 512;  // that a block sorts, one a thread; a power of two
