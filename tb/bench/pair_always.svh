// SPDX-License-Identifier: Apache-2.0
// What always holds of a stack with two paths an entry that stack_view.svh looks at. Included where properties stand.
reset_clears:    assert (!reset_q || (depth == '0 && live == '0 && !pop && {top.mask_l, top.mask_r} == '0));
no_path_of_none: assert (depth != '0 || {top.pc_l, top.mask_l, top.pc_r, top.mask_r} == '0);
blank_is_zero:   assert ((top.mask_l != '0 || top.pc_l == '0) && (top.mask_r != '0 || top.pc_r == '0));  // R6
valid_is_lanes:  assert (valid_l == (top.mask_l != '0) && valid_r == (top.mask_r != '0));
masks_live:      assert (((top.mask_l | top.mask_r) & ~live) == '0);
