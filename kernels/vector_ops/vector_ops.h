#pragma once

constexpr unsigned MaxThreads = 256;  // of a block
