// SPDX-License-Identifier: Apache-2.0
// What every bench reads before anything else, compiled once for all of them.
#pragma once

#include <systemc>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rtl/base/inventory.h"
#include "rtl/base/trace_window.h"
#include "tb/bench/plain_signals.h"

using sc_core::sc_time_stamp;  // so verilated.h calls it, where SystemC comes first
#include <verilated.h>
