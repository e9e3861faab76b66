// SPDX-License-Identifier: Apache-2.0
// Links side by side, one a lane or an entry: Links<Tid> tid{"tid", Lanes}. To a block each is a signal of its own.
//
// A synthesis tool sees a vector of signals. In a simulation they are one channel: whatever changes in them in a delta
// cycle is updated together, and wakes each process that looks at them once. As signals, the TIDs and PCs of the lanes
// of warp formation were a third of all that a simulated cycle costs. Each has one writer, as a Link (link.h) has; here
// that is never checked.
#pragma once

#include <systemc>

#include <vector>

#include "rtl/base/inventory.h"

namespace heddle {

#ifdef __SC_TOOL__
template <class T>
using Links = sc_core::sc_vector<sc_core::sc_signal<T>>;
#else
template <class T>
class Links final : public sc_core::sc_prim_channel {
 public:
  /// One of them, as ports are bound to it.
  class One final : public sc_core::sc_signal_inout_if<T> {
   public:
    const T& read() const override { return now_; }
    const T& get_data_ref() const override { return now_; }
    void write(const T& value) override {
      if (next_ == value) return;
      next_ = value;
      all_->change(this);
    }
    const sc_core::sc_event& value_changed_event() const override { return all_->changed(); }
    const sc_core::sc_event& default_event() const override { return all_->changed(); }
    bool event() const override { return all_->changed().triggered(); }

   private:
    friend class Links;
    T now_{}, next_{};
    Links* all_ = nullptr;
    One* then_ = nullptr;  // the next one that was written in this delta cycle
    bool written_ = false;
  };

  Links(const char* name, std::size_t count) : sc_prim_channel(name), links_(count) {
    for (One& one : links_) one.all_ = this;
  }

  One& operator[](std::size_t i) { return links_[i]; }
  const One& operator[](std::size_t i) const { return links_[i]; }
  std::size_t size() const { return links_.size(); }
  auto begin() { return links_.begin(); }
  auto begin() const { return links_.begin(); }
  auto end() { return links_.end(); }
  auto end() const { return links_.end(); }

 private:
  void change(One* one) {
    if (one->written_) return;
    one->written_ = true;
    one->then_ = written_;
    written_ = one;
    request_update();
  }

  void update() override {
    bool changes = false;
    for (One* one = written_; one != nullptr; one = one->then_) {
      one->written_ = false;
      if (one->now_ == one->next_) continue;
      one->now_ = one->next_;
      changes = true;
    }
    written_ = nullptr;
    if (changes && is_watched_) changed_.notify(sc_core::SC_ZERO_TIME);
  }

  const sc_core::sc_event& changed() const {
    is_watched_ = true;
    return changed_;
  }

  std::vector<One> links_;
  One* written_ = nullptr;
  sc_core::sc_event changed_;
  mutable bool is_watched_ = false;
};

template <class T>
struct held<Links<T>> {
  using type = T;
  static constexpr bool is_vector = true;
};
#endif

}  // namespace heddle
