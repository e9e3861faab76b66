#pragma once

constexpr unsigned Bins = 256;  // one for each value of a byte
