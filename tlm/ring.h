// SPDX-License-Identifier: Apache-2.0
// A FIFO in a ring that grows when it is full and never shrinks: no allocation in steady state, unlike std::deque.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

template <typename Item>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  Item& front() { return items_[head_]; }
  const Item& front() const { return items_[head_]; }
  Item& operator[](std::size_t i) { return items_[(head_ + i) & (items_.size() - 1)]; }

  void push(Item item) {
    if (size_ == items_.size()) grow();
    items_[(head_ + size_) & (items_.size() - 1)] = std::move(item);
    ++size_;
  }
  void pop() {
    head_ = (head_ + 1) & (items_.size() - 1);
    --size_;
  }

 private:
  void grow() {
    std::vector<Item> larger(2 * items_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    items_.swap(larger);
    head_ = 0;
  }

  std::vector<Item> items_ = std::vector<Item>(8);  // a power of two
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heddle
