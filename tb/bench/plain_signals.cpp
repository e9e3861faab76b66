#include "tb/bench/plain_signals.h"

HEDDLE_PLAIN_SIGNALS(template)
