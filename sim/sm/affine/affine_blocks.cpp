// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/affine/affine_blocks.h"

#include "sim/sm/links/slice_library.h"

namespace heddle {

namespace {

// Field by field: to compare tuples of references costs several times as much, at each edge of an affine unit.

bool operator==(const AffineView::LaneCompare& a, const AffineView::LaneCompare& b) {
  return a.valid == b.valid && a.comparison == b.comparison && a.base == b.base && a.offset == b.offset &&
         a.scalar == b.scalar && a.first == b.first && a.count == b.count;
}

bool operator==(const AffineView::Request& a, const AffineView::Request& b) {
  return a.valid == b.valid && a.line == b.line && a.warp == b.warp && a.slot == b.slot;
}

bool operator==(const AffineView::Address& a, const AffineView::Address& b) {
  return a.valid == b.valid && a.data == b.data && a.last == b.last && a.warp == b.warp && a.size == b.size &&
         a.order == b.order && a.region == b.region && a.mask == b.mask && a.lanes == b.lanes;
}

bool operator==(const AffineView::Predicate& a, const AffineView::Predicate& b) {
  return a.valid == b.valid && a.warp == b.warp && a.lanes == b.lanes;
}

bool operator==(const AffineView::Path& a, const AffineView::Path& b) {
  return a.valid == b.valid && a.open == b.open && a.pc == b.pc && a.warps == b.warps;
}

bool operator==(const AffineView::Group& a, const AffineView::Group& b) {
  return a.valid == b.valid && a.last == b.last && a.warps == b.warps && a.lanes == b.lanes;
}

}  // namespace

bool same_expansion(const AffineView& a, const AffineView& b) {
  return a.full == b.full && a.predicate_full == b.predicate_full && a.used == b.used && a.hold == b.hold &&
         a.address_ready == b.address_ready && a.predicate_ready == b.predicate_ready && a.scalar == b.scalar &&
         a.pair == b.pair && a.region == b.region && a.thread == b.thread && a.lock_refused == b.lock_refused &&
         a.compare == b.compare && a.request == b.request && a.address == b.address && a.predicate == b.predicate &&
         a.expanded == b.expanded;
}

bool same_stack(const AffineView& a, const AffineView& b) {
  return a.depth == b.depth && a.path == b.path && a.group == b.group;
}

std::unique_ptr<AffineBlocks> make_affine_blocks(const std::string& name, const DesignPoint& point,
                                                 const Mechanism& mechanism, const sc_core::sc_signal<bool>& rst_n) {
  const auto make = reinterpret_cast<AffineBlocksFactory*>(
      slice_factory(affine_family_of(mechanism), point, AffineBlocksFactoryName));
  return std::unique_ptr<AffineBlocks>(make(name.c_str(), mechanism.twins, rst_n));
}

}  // namespace heddle
