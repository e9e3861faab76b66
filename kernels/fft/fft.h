#pragma once

constexpr unsigned FftPoints = 512;  // of one transform; a power of two
