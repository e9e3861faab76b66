# SPDX-License-Identifier: Apache-2.0
# Tests of sim/isa.
heddle_unit_test(isa_console_test TIMEOUT 30 LINK heddle_isa)
heddle_unit_test(isa_loops_test TIMEOUT 30 LINK heddle_compiler)
