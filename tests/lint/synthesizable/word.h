// SPDX-License-Identifier: Apache-2.0
// Keywords and operators beyond the subset.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::word {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<4> count_q;

  HEDDLE_CLOCKED(step) {
    float half = 0.5;     // bad: word, word
    double third = 1;     // bad: word
    auto next = count_q;  // bad: word
    union {               // bad: word
      unsigned whole;
      unsigned char bytes[4];  // bad: word
    } parts;
    parts.whole = 1;
    unsigned* made = new unsigned(3);            // bad: word, type
    delete made;                                 // bad: word
    while (count_q != 0) count_q = count_q - 1;  // bad: word
    do count_q = count_q + 1;                    // bad: word
    while (count_q != 7);                        // bad: word
    if (count_q == 9) throw 3;                   // bad: word
    if (count_q == 8) goto end;                  // bad: word
  end:                                           // bad: word
    count_q = 0;
    try {                          // bad: word
      count_q = sizeof(unsigned);  // bad: word
    } catch (...) {                // bad: word, word
    }
    this->count_q = next;                                                                       // bad: word, word
    const unsigned text = 'a';                                                                  // bad: word
    volatile unsigned seen = text;                                                              // bad: word
    count_q = *made;                                                                            // bad: word
    count_q = reinterpret_cast<unsigned long>(made) + seen + unsigned(half) + unsigned(third);  // bad: word
  }
};

}  // namespace heddle::word
