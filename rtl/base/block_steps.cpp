// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/block_steps.h"

namespace heddle {

namespace {

BlockSteps* collecting = nullptr;
bool are_in_order = false;

}  // namespace

BlockSteps::Collecting::Collecting(BlockSteps& steps) : before_(std::exchange(collecting, &steps)) {}

BlockSteps::Collecting::~Collecting() {
  collecting = before_;
}

BlockSteps::InOrder::InOrder(bool in_order) : before_(std::exchange(are_in_order, in_order)) {}

BlockSteps::InOrder::~InOrder() {
  are_in_order = before_;
}

BlockSteps* BlockSteps::collects() {
  return collecting;
}

bool BlockSteps::in_order() {
  return are_in_order;
}

}  // namespace heddle
