// SPDX-License-Identifier: Apache-2.0
// Register file of one SM, in the four organisations of DWF Fig. 10: a bank a home lane, and who may reach it how.
//
// What   read_i[l]     Read   lane l wants both source registers of a thread: the thread's home lane is the bank, its
//                             base and the register's number are the row. All lanes together are one request.
//        write_i[l]    Write  lane l writes one register of a thread; all lanes together are one request
//        data_o[l]     Words  what lane l has read
//        valid_o              data_o is complete: the answer to the oldest request that has none
//        read_busy_o          lanes of the last read request wait for their bank: read_i is not taken in this cycle
//        write_busy_o         the same for write_i
//        idle_o               without a request nothing changes
// Kinds  Ideal      (a) every lane reaches every register at once: one memory with two read ports and a write port for
//                   each lane. Nobody builds it; it is the bound that formation without conflicts and MIMD stand for
//        Naive      (b) a bank a home lane behind a crossbar; threads of one home lane take turns at their bank
//        Static     (c) a bank a lane, and one decoder: the rows of the lowest active lane are the rows of all lanes
//        LaneAware  (d) a bank a lane, and a decoder a lane: rows of its own for each lane
// Rules  R1 What is read is what was last written there, up to the edge before; a word is written in the cycle in which
//           its lane has its turn, and no other word changes.
//        R2 A request is taken in a cycle in which its side is not busy and at least one of its lanes is active.
//        R3 Naive: in each cycle the lowest lane that waits for a bank has its turn there, at both read ports, from the
//           cycle of the request on. So k threads of one home lane cost k cycles. The other kinds: one cycle for all.
//        R4 valid_o is there for one cycle, when the last lane of a request has been read; then no lane is missing.
//        R5 data_o[l] stays until lane l is read again; it says nothing in a lane that was not active.
//        R6 A reset forgets requests that wait, and keeps the registers.
//        R7 Refused by name: a bank or row that does not exist (the lane counts as not active); Static and LaneAware: a
//           bank that is not the lane (it reaches its own); Static: rows that differ (the lowest active lane's count);
//           Ideal and Naive: two lanes that write one word (the higher one's stays). Judged when a request is taken.
// Time   a request of cycle n is answered in cycle n+1+(k-1); the next is taken in cycle n+k. Reads come before writes
//        in a cycle: a word written in cycle n is read from n+1 on. Reads and writes do not hold each other up.
// Cost   asked from the inventory: Lanes x Rows x WordBits, and ours.
// Twin   register_file.sv, same ports, same state.
#pragma once

#include <string>

#include "rtl/base/bits.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_dt::sc_uint;

enum class RegisterAccess : unsigned { Ideal = 0, Naive = 1, Static = 2, LaneAware = 3 };

/// The records of the ports: so many home lanes, so many registers in each.
template <unsigned LaneCount, unsigned RowCount, unsigned WordBits>
struct Registers {
  static_assert(LaneCount >= 1 && LaneCount <= 64 && RowCount >= 1 && WordBits >= 1 && WordBits <= 64);
  static constexpr unsigned Lanes = LaneCount, Rows = RowCount;
  static constexpr unsigned BankBits = index_bits(Lanes), RowBits = index_bits(Rows);
  using Word = sc_uint<WordBits>;

  /// An instruction with one source names it twice.
  struct Read {
    sc_uint<1> valid;
    sc_uint<BankBits> bank;
    sc_uint<RowBits> row_a;
    sc_uint<RowBits> row_b;
    HEDDLE_RECORD(Read, valid, bank, row_a, row_b)
  };

  struct Write {
    sc_uint<1> valid;
    sc_uint<BankBits> bank;
    sc_uint<RowBits> row;
    sc_uint<WordBits> word;
    HEDDLE_RECORD(Write, valid, bank, row, word)
  };

  struct Words {
    sc_uint<WordBits> a;
    sc_uint<WordBits> b;
    HEDDLE_RECORD(Words, a, b)
  };

  /// Naive: the bank whose words a lane gets from the crossbar in this cycle.
  struct Arrival {
    sc_uint<1> valid;
    sc_uint<BankBits> bank;
    HEDDLE_RECORD(Arrival, valid, bank)
  };
};

/// What a kind's memory is built with, as area/model reads it.
constexpr const char* ports_of(RegisterAccess access) {
  return access == RegisterAccess::Ideal    ? "2R1W for each lane"
         : access == RegisterAccess::Static ? "2R1W a row"
                                            : "2R1W a bank";
}

template <class R, RegisterAccess Access>
class register_file : public sc_core::sc_module {
 public:
  using Read = typename R::Read;
  using Write = typename R::Write;
  using Words = typename R::Words;
  using Arrival = typename R::Arrival;
  using Word = typename R::Word;
  static constexpr unsigned Lanes = R::Lanes, Rows = R::Rows;
  static constexpr bool Naive = Access == RegisterAccess::Naive;
  static constexpr bool AnyBank = Naive || Access == RegisterAccess::Ideal;  ///< not only the lane's own

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Read>> read_i{"read_i", Lanes};
  sc_core::sc_vector<sc_core::sc_in<Write>> write_i{"write_i", Lanes};
  sc_core::sc_vector<sc_core::sc_out<Words>> data_o{"data_o", Lanes};
  sc_core::sc_out<bool> valid_o{"valid_o"};
  sc_core::sc_out<bool> read_busy_o{"read_busy_o"};
  sc_core::sc_out<bool> write_busy_o{"write_busy_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(register_file) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "read_i", read_i);
    probe(*this, "write_i", write_i);
    declare(*this, "word_q", word_q, {Storage::Ram, paper_all(), "DWF sec. 4.4, Fig. 10", ports_of(Access)});
    if constexpr (Naive) {
      SC_METHOD(cross);
      for (unsigned l = 0; l < Lanes; ++l) sensitive << bank_q[l] << arrival_q[l] << collected_q[l];
      probe(*this, "data_o", data_o);
      declare(*this, "bank_q", bank_q, {Storage::Flop, paper_none(), "ours, what the banks have read"});
      declare(*this, "arrival_q", arrival_q, {Storage::Flop, paper_none(), "ours, where the crossbar brings it"});
      declare(*this, "collected_q", collected_q, {Storage::Flop, paper_none(), "ours, words that wait for others"});
      declare(*this, "reading_q", reading_q, {Storage::Flop, paper_none(), "ours, lanes that wait for a bank"});
      declare(*this, "writing_q", writing_q, {Storage::Flop, paper_none(), "ours, the same, to write"});
      declare(*this, "read_busy_o", read_busy_o, {Storage::Flop, paper_none(), "ours, a bank has conflicts"});
      declare(*this, "write_busy_o", write_busy_o, {Storage::Flop, paper_none(), "ours, the same, to write"});
    } else {
      declare(*this, "data_o", data_o, {Storage::Flop, paper_none(), "ours, what the memory has read"});
    }
    declare(*this, "valid_o", valid_o, {Storage::Flop, paper_none(), "ours, the answer is complete"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

 private:
  Word word_q[Lanes * Rows];  ///< row r of bank b at b * Rows + r

  // Naive only
  sc_core::sc_vector<sc_core::sc_signal<Words>> bank_q{"bank_q", Naive ? Lanes : 0};
  sc_core::sc_vector<sc_core::sc_signal<Arrival>> arrival_q{"arrival_q", Naive ? Lanes : 0};
  sc_core::sc_vector<sc_core::sc_signal<Words>> collected_q{"collected_q", Naive ? Lanes : 0};
  Read reading_q[Lanes];
  Write writing_q[Lanes];

  static bool readable(const Read& read, unsigned bank) {
    return read.valid != 0 && bank < Lanes && read.row_a < Rows && read.row_b < Rows;
  }
  static bool writable(const Write& write, unsigned bank) {
    return write.valid != 0 && bank < Lanes && write.row < Rows;
  }

  /// Naive: what lane l has from the crossbar, now or since earlier.
  Words crossed(unsigned l) {
    const Arrival arrival = arrival_q[l].read();
    Words words = collected_q[l].read();
    if (arrival.valid != 0) words = bank_q[arrival.bank].read();
    return words;
  }
  void cross() {
    for (unsigned l = 0; l < Lanes; ++l) data_o[l].write(crossed(l));
  }

  /// R3, the kinds without turns; whether a request was taken.
  bool read_all() {
    bool reads = false, found = false;
    Read lowest;
    for (unsigned l = 0; l < Lanes; ++l) {
      Read read = read_i[l].read();
      unsigned bank = l;
      if (Access == RegisterAccess::Ideal) bank = read.bank;
      if (Access == RegisterAccess::Static && read.valid != 0) {  // one decoder
        if (!found) lowest = read;
        read.row_a = lowest.row_a;
        read.row_b = lowest.row_b;
        found = true;
      }
      if (readable(read, bank)) {
        Words words;
        words.a = word_q[bank * Rows + read.row_a];
        words.b = word_q[bank * Rows + read.row_b];
        data_o[l].write(words);
        reads = true;
      }
    }
    return reads;
  }

  void write_all() {
    bool found = false;
    Write lowest;
    for (unsigned l = 0; l < Lanes; ++l) {
      Write write = write_i[l].read();
      unsigned bank = l;
      if (Access == RegisterAccess::Ideal) bank = write.bank;
      if (Access == RegisterAccess::Static && write.valid != 0) {
        if (!found) lowest = write;
        write.row = lowest.row;
        found = true;
      }
      if (writable(write, bank)) word_q[bank * Rows + write.row] = write.word;
    }
  }

  /// R3, Naive: a turn at each bank that is asked. While its side is busy, lanes that wait have it, no new request.
  struct Turn {
    bool reads;       ///< some lane had its turn
    bool reads_left;  ///< some lane has not
  };

  Turn read_turn(bool read_busy) {
    Turn turn;
    turn.reads = false;
    turn.reads_left = false;
    bool is_read[Lanes];
    for (unsigned b = 0; b < Lanes; ++b) is_read[b] = false;
    for (unsigned l = 0; l < Lanes; ++l) {
      const Arrival arrived = arrival_q[l].read();
      if (arrived.valid != 0) collected_q[l].write(crossed(l));
      Read read = reading_q[l], waits;
      if (!read_busy) read = read_i[l].read();
      Arrival arrival;
      if (readable(read, read.bank)) {
        if (!is_read[read.bank]) {
          Words words;
          words.a = word_q[read.bank * Rows + read.row_a];
          words.b = word_q[read.bank * Rows + read.row_b];
          bank_q[read.bank].write(words);
          arrival.valid = 1;
          arrival.bank = read.bank;
          is_read[read.bank] = true;
          turn.reads = true;
        } else {
          waits = read;
          turn.reads_left = true;
        }
      }
      arrival_q[l].write(arrival);
      reading_q[l] = waits;
    }
    return turn;
  }

  bool write_turn(bool write_busy) {
    bool writes_left = false;
    bool is_written[Lanes];
    for (unsigned b = 0; b < Lanes; ++b) is_written[b] = false;
    for (unsigned l = 0; l < Lanes; ++l) {
      Write write = writing_q[l], waits;
      if (!write_busy) write = write_i[l].read();
      if (writable(write, write.bank)) {
        if (!is_written[write.bank]) {
          word_q[write.bank * Rows + write.row] = write.word;
          is_written[write.bank] = true;
        } else {
          waits = write;
          writes_left = true;
        }
      }
      writing_q[l] = waits;
    }
    return writes_left;
  }

  HEDDLE_CLOCKED(step) {
    Turn turn;
    turn.reads = false;
    turn.reads_left = false;
    bool writes_left = false;
    if (!rst_ni.read()) {  // R6
      if constexpr (Naive) {
        const Arrival arrival;
        const Read read;
        const Write write;
        for (unsigned l = 0; l < Lanes; ++l) {
          arrival_q[l].write(arrival);
          reading_q[l] = read;
          writing_q[l] = write;
        }
      }
    } else {
      const bool read_busy = read_busy_o.read(), write_busy = write_busy_o.read();
      HEDDLE_REPORT(if (!read_busy) judge_reads(); if (!write_busy) judge_writes();)
      // R1: reads first
      if constexpr (Naive) {
        turn = read_turn(read_busy);
        writes_left = write_turn(write_busy);
      } else {
        turn.reads = read_all();
        write_all();
      }
    }
    const bool answers = turn.reads && !turn.reads_left;  // R4
    valid_o.write(answers);
    read_busy_o.write(turn.reads_left);
    write_busy_o.write(writes_left);
    idle_o.write(!answers && !turn.reads_left && !writes_left);
  }

  // ---- R7 ----
  HEDDLE_REPORT(void refuse(unsigned lane, const char* why) {
    SC_REPORT_ERROR("register_file/illegal",
                    (std::string(name()) + ": lane " + std::to_string(lane) + ": " + why).c_str());
  })

  HEDDLE_REPORT(static const char* wrong_place(unsigned lane, unsigned bank, bool row_exists) {
    return !AnyBank && bank != lane ? "the bank of another lane"
           : bank >= Lanes          ? "a bank that does not exist"
           : !row_exists            ? "a row that does not exist"
                                    : nullptr;
  })

  /// At most one error for a request.
  HEDDLE_REPORT(void judge_reads() {
    const char* why = nullptr;
    unsigned at = 0, first = Lanes;
    for (unsigned l = 0; l < Lanes && why == nullptr; ++l) {
      const Read read = read_i[l].read();
      if (read.valid == 0) continue;
      at = l;
      why = wrong_place(l, static_cast<unsigned>(read.bank), read.row_a < Rows && read.row_b < Rows);
      if (first == Lanes) first = l;
      const Read lowest = read_i[first].read();
      if (Access == RegisterAccess::Static && (read.row_a != lowest.row_a || read.row_b != lowest.row_b)) {
        why = "another row than the lowest lane's";
      }
    }
    if (why != nullptr) refuse(at, why);
  })

  HEDDLE_REPORT(void judge_writes() {
    const char* why = nullptr;
    unsigned at = 0, first = Lanes;
    for (unsigned l = 0; l < Lanes && why == nullptr; ++l) {
      const Write write = write_i[l].read();
      if (write.valid == 0) continue;
      at = l;
      why = wrong_place(l, static_cast<unsigned>(write.bank), write.row < Rows);
      if (first == Lanes) first = l;
      if (Access == RegisterAccess::Static && write.row != write_i[first].read().row) {
        why = "another row than the lowest lane's";
      }
      for (unsigned m = 0; AnyBank && m < l; ++m) {
        const Write other = write_i[m].read();
        if (other.valid != 0 && other.bank == write.bank && other.row == write.row)
          why = "a word that a lower lane writes";
      }
    }
    if (why != nullptr) refuse(at, why);
  })
};

}  // namespace heddle
