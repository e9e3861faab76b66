#include "sim/sm/affine_blocks.h"

#include <tuple>

#include "sim/sm/slice_library.h"

namespace heddle {

namespace {

auto tied(const AffineView& v) {
  const auto& [compare, request, address] = std::tie(v.compare, v.request, v.address);
  return std::tuple_cat(std::tie(v.full, v.predicate_full, v.used, v.hold, v.address_ready, v.predicate_ready, v.depth,
                                 v.scalar, v.pair, v.region, v.thread, v.lock_refused),
                        std::tie(compare.valid, compare.comparison, compare.base, compare.offset, compare.scalar,
                                 compare.first, compare.count),
                        std::tie(request.valid, request.line, request.warp, request.slot),
                        std::tie(address.valid, address.data, address.last, address.warp, address.size, address.order,
                                 address.region, address.mask, address.lanes),
                        std::tie(v.predicate.valid, v.predicate.warp, v.predicate.lanes),
                        std::tie(v.expanded.valid, v.expanded.warp, v.expanded.lanes),
                        std::tie(v.path.valid, v.path.open, v.path.pc, v.path.warps),
                        std::tie(v.group.valid, v.group.last, v.group.warps, v.group.lanes));
}

}  // namespace

bool operator==(const AffineView& a, const AffineView& b) {
  return tied(a) == tied(b);
}

std::unique_ptr<AffineBlocks> make_affine_blocks(const std::string& name, const DesignPoint& point,
                                                 const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                 const sc_core::sc_signal<bool>& rst_n) {
  const auto make = reinterpret_cast<AffineBlocksFactory*>(slice_factory(AffineFamily, point, AffineBlocksFactoryName));
  return std::unique_ptr<AffineBlocks>(
      make(name.c_str(), twin_of(affine_named(mechanism.affine.name).block, mechanism.twins), clk, rst_n));
}

}  // namespace heddle
