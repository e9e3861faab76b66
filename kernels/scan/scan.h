#pragma once

constexpr unsigned ScanThreads = 256, ScanValues = 2 * ScanThreads;  // of a block
