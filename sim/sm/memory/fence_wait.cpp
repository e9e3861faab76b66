// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/fence_wait.h"

namespace heddle {

namespace {

bool own_are_answered(const FenceWait& wait, const Threads& threads, isa::Lanes lanes, const load_store_unit& lsu) {
  bool all = true;
  for_each_row(threads, lanes, [&](SmWarp row, isa::Lanes) { all = all && lsu.order().is_answered(row, wait.own); });
  return all;
}

bool those_of_cta_are_answered(const FenceWait& wait, unsigned cta, const load_store_unit& lsu,
                               const ThreadTable& table) {
  for (unsigned index = 0; index < table.rows(); ++index) {
    const SmWarp row(index);
    if (table[row].cta == cta && !lsu.order().is_answered(row, wait.cta)) return false;
  }
  return true;
}

}  // namespace

FenceWait continue_wait(FenceWait wait, const isa::Instruction& fence, const Threads& threads, isa::Lanes lanes,
                        const load_store_unit& lsu) {
  if (wait.own == 0) wait.own = lsu.order().next();
  // Not earlier: a load of these threads that is under way may still see what another thread of the CTA stores.
  if (isa::releases_for_device(fence) && wait.cta == 0 && own_are_answered(wait, threads, lanes, lsu))
    wait.cta = lsu.order().next();
  return wait;
}

bool is_over(const FenceWait& wait, const isa::Instruction& fence, const Threads& threads, isa::Lanes lanes,
             const load_store_unit& lsu, const ThreadTable& table) {
  if (lanes == 0) return true;
  if (wait.own == 0 || !own_are_answered(wait, threads, lanes, lsu)) return false;
  if (!isa::releases_for_device(fence)) return true;
  const unsigned cta = table[threads[static_cast<unsigned>(__builtin_ctz(lanes))].row].cta;
  return wait.cta != 0 && those_of_cta_are_answered(wait, cta, lsu, table);
}

}  // namespace heddle
