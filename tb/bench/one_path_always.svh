// SPDX-License-Identifier: Apache-2.0
// What always holds of a stack with one path an entry that stack_view.svh looks at. Included where properties stand.
reset_clears:     assert (!reset_q || (depth == '0 && live == '0 && !pop && top.mask == '0));
no_path_of_none:  assert (depth != '0 || {top.pc, top.mask} == '0);
lowest_is_there:  assert (32'(depth) != 1 || top.mask != '0);  // R8
blank_is_zero:    assert (top.mask != '0 || top.pc == '0);  // R6
valid_is_lanes:   assert (valid_l == (top.mask != '0) && status.valid_right == '0 && right == '0);
masks_live:       assert ((top.mask & ~live) == '0);
waits_when_blank: assert (pop == (32'(depth) > 1 && top.mask == '0));
