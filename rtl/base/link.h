// SPDX-License-Identifier: Apache-2.0
// A signal between blocks of one assembly, or between processes of one block. It has one writer, by how that is wired:
// it is checked at each write where the program is not optimised, and benches check it at the ports; here it would be a
// twentieth of all that a simulated cycle costs. A synthesis tool sees one type, whatever NDEBUG is.
#pragma once

#include <systemc>

namespace heddle {

#if defined(NDEBUG) && !defined(__SC_TOOL__)
inline constexpr sc_core::sc_writer_policy LinkWriters = sc_core::SC_UNCHECKED_WRITERS;
#else
inline constexpr sc_core::sc_writer_policy LinkWriters = sc_core::SC_ONE_WRITER;
#endif
template <class T>
using Link = sc_core::sc_signal<T, LinkWriters>;

}  // namespace heddle
