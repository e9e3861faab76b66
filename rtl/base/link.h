// SPDX-License-Identifier: Apache-2.0
// A signal between blocks of one assembly, or between processes of one block. It has one writer, by how that is wired:
// it is checked at each write where the program is not optimised, and benches check it at the ports; here it would be a
// twentieth of all that a simulated cycle costs. A synthesis tool sees one type, whatever NDEBUG is.
//
// Wire: a link between combinational processes. Where their owner calls them in order (block_steps.h), it shows at once what
// is written, and nobody is told.
#pragma once

#include <systemc>

#ifndef __SC_TOOL__
#include "rtl/base/block_steps.h"
#endif

namespace heddle {

#if defined(NDEBUG) && !defined(__SC_TOOL__)
inline constexpr sc_core::sc_writer_policy LinkWriters = sc_core::SC_UNCHECKED_WRITERS;
#else
inline constexpr sc_core::sc_writer_policy LinkWriters = sc_core::SC_ONE_WRITER;
#endif
template <class T>
using Link = sc_core::sc_signal<T, LinkWriters>;

#ifdef __SC_TOOL__
template <class T>
using Wire = Link<T>;
#else
template <class T>
class Wire : public Link<T> {
 public:
  explicit Wire(const char* name) : Link<T>(name), at_once_(BlockSteps::in_order()) {}
  void shows_at_once(bool at_once) { at_once_ = at_once; }
  void write(const T& value) override {
    if (!at_once_) return Link<T>::write(value);
    this->m_cur_val = value;
    this->m_new_val = value;
  }

 private:
  bool at_once_;
};
#endif

}  // namespace heddle
