// SPDX-License-Identifier: Apache-2.0
// Links as a process sees them: each is a signal of its own, and whoever looks at several is woken once.
#include "rtl/base/links.h"

#include <systemc>

#include <boost/test/unit_test.hpp>
#include <vector>

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::Links;
using sc_dt::sc_uint;

struct Watcher : sc_core::sc_module {
  sc_core::sc_vector<sc_core::sc_in<sc_uint<8>>> lane_i{"lane_i", 4};
  sc_core::sc_out<sc_uint<8>> lane_o{"lane_o"};
  std::vector<std::vector<unsigned>> seen;  // at each time that it was woken

  SC_CTOR(Watcher) {
    SC_METHOD(look);
    for (auto& lane : lane_i) sensitive << lane;
    dont_initialize();
  }

  void look() {
    std::vector<unsigned> values;
    for (const auto& lane : lane_i) values.push_back(lane.read());
    seen.push_back(values);
  }
};

/// What was written is updated in the first delta cycle, and who looks at it runs in the second.
void settle() {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

}  // namespace

BOOST_AUTO_TEST_CASE(links_are_signals_side_by_side) {
  Links<sc_uint<8>> links("links", 4);
  Watcher watcher("watcher");
  watcher.lane_i(links);
  watcher.lane_o(links[2]);
  settle();
  BOOST_TEST(watcher.seen.empty());

  // What is written is read after the update; two that change wake once.
  links[0].write(7);
  watcher.lane_o.write(9);
  BOOST_TEST(links[0].read() == 0U);
  BOOST_TEST(!links[0].event());
  settle();
  const std::vector<std::vector<unsigned>> once{{7, 0, 9, 0}};
  BOOST_TEST((watcher.seen == once));

  // The last of several writes counts.
  links[3].write(1);
  links[3].write(2);
  settle();
  const std::vector<std::vector<unsigned>> twice{{7, 0, 9, 0}, {7, 0, 9, 2}};
  BOOST_TEST((watcher.seen == twice));

  // Nobody is woken where nothing has changed in the end.
  links[0].write(7);
  links[1].write(5);
  links[1].write(0);
  settle();
  BOOST_TEST((watcher.seen == twice));

  // The one that was written back can be written again.
  links[1].write(5);
  settle();
  BOOST_TEST(watcher.seen.size() == 3U);
  BOOST_TEST(links[1].read() == 5U);
}
