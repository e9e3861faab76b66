// SPDX-License-Identifier: Apache-2.0
// Requests to a control flow unit with two sides, made field by field.
#pragma once

#include "rtl/base/control_flow.h"

namespace heddle::bench {

template <class Flow>
struct ControlFlowRequests {
  using Grant = typename Flow::Grant;
  using Resolve = typename Flow::Resolve;

  static Grant grant_of(Side side, unsigned warp = 0) {
    Grant grant;
    grant.valid = 1;
    grant.warp = warp;
    grant.right = unsigned(side);
    return grant;
  }
  static Resolve resolve_of(ResolveOp op, Side side, std::uint64_t lanes, std::uint64_t target, std::uint64_t rpc,
                            unsigned warp = 0) {
    Resolve resolve;
    resolve.op = unsigned(op);
    resolve.warp = warp;
    resolve.right = unsigned(side);
    resolve.lanes = lanes;
    resolve.target = target;
    resolve.rpc = rpc;
    return resolve;
  }
};

}  // namespace heddle::bench
