// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/plain_signals.h"

HEDDLE_PLAIN_SIGNALS(template)
