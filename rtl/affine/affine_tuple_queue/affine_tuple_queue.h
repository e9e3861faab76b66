// SPDX-License-Identifier: Apache-2.0
// Affine tuple queue (DAC sec. 4.1, 4.2): what the affine warp has enqueued, in order, until every CTA of the batch is
// served. Each CTA has its own place in the queue, so one that must wait does not stop the others.
//
// What   batch_i             Batch      CTAs become resident
//        enqueue_i           Enqueue    a tuple, or a barrier, for warps of the batch; kind None: nothing
//        passed_i            a bit a CTA: it passes a barrier in this cycle
//        address_select_i, predicate_select_i  the CTA that each expansion unit looks at
//        address_pop_i, predicate_pop_i        Pop  the unit is done with the oldest entry of a CTA
//        full_o, used_o      no place for another entry; entries in use
//        hold_o              a bit a CTA: it must not pass another barrier before its entries come to one
//        shape_o             Shape      of the batch
//        address_work_o, predicate_work_o      a bit a CTA: its oldest entry is for that unit
//        address_entry_o, address_cta_o, predicate_entry_o, predicate_cta_o  that entry of the CTA selected in the cycle
//                            before, and the CTA; kind None when its oldest entry was not for that unit
//        idle_o              without a request nothing changes but what follows the selects
// Rules  R1 Open begins a batch, with its shape and one CTA; the queue must be empty. Join adds a CTA before the first
//           enqueue. The warps of a CTA are ceil(threads / Lanes) slots from first_warp on, and no other CTA's.
//        R2 An entry is for the CTAs of the batch that have one of its warps.
//        R3 Each CTA is served in the order of enqueue, over all kinds; its oldest entry is shown to one unit alone.
//        R4 A pop serves one CTA; an entry stays until all its CTAs are served.
//        R5 Entries are freed in order, at most one a cycle.
//        R6 A barrier entry serves a CTA when the CTA has passed a barrier for it; until then the CTA has no work.
//           A pass that comes before its entry is kept as a credit, up to MaxCredit; with so many hold_o is high.
//        R7 Refused by name and without effect: an Open of a queue in use or of a shape that is none, a Join after an
//           enqueue, a CTA that is in the batch or whose warps do not fit; an enqueue when full, beside a batch
//           operation, for no CTA of the batch, of an unknown kind, size or comparison; a pop without work; a pass by a
//           CTA outside the batch or while its hold_o is high.
// Time   everything of cycle n shows in n+1; so do entry and CTA of what is selected in n, as it stands in n.
// Cost   asked from the inventory: Entries tuples, of which the base, one thread offset and one block offset are the
//        paper's, a bit an entry and CTA, and a record, a place and credits a CTA.
// Twin   affine_tuple_queue.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <class A, unsigned Entries>
class affine_tuple_queue : public sc_core::sc_module {
  static_assert(Entries >= 1 && Entries <= 64, "a CTA's entries are a mask");

 public:
  using Enqueue = typename A::Enqueue;
  using Batch = typename A::Batch;
  using Shape = typename A::Shape;
  using Cta = typename A::Cta;
  using Pop = typename A::Pop;
  using CtaMask = typename A::CtaMask;
  using Select = sc_uint<A::CtaBits>;
  using Used = sc_uint<count_bits(Entries)>;
  using Place = sc_uint<index_bits(Entries)>;
  using Kind = sc_uint<3>;
  static constexpr unsigned Lanes = A::Lanes, Warps = A::Warps, Ctas = A::Ctas;

  /// blockIdx
  struct Index {
    sc_uint<A::WordBits> x;
    sc_uint<A::WordBits> y;
    sc_uint<A::WordBits> z;
    HEDDLE_RECORD(Index, x, y, z)
  };

  static constexpr unsigned CreditBits = 2, MaxCredit = (1U << CreditBits) - 1;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Batch> batch_i{"batch_i"};
  sc_core::sc_in<Enqueue> enqueue_i{"enqueue_i"};
  sc_core::sc_in<CtaMask> passed_i{"passed_i"};
  sc_core::sc_in<Select> address_select_i{"address_select_i"};
  sc_core::sc_in<Select> predicate_select_i{"predicate_select_i"};
  sc_core::sc_in<Pop> address_pop_i{"address_pop_i"};
  sc_core::sc_in<Pop> predicate_pop_i{"predicate_pop_i"};
  sc_core::sc_out<bool> full_o{"full_o"};
  sc_core::sc_out<Used> used_o{"used_o"};
  sc_core::sc_out<CtaMask> hold_o{"hold_o"};
  sc_core::sc_out<Shape> shape_o{"shape_o"};
  sc_core::sc_out<CtaMask> address_work_o{"address_work_o"};
  sc_core::sc_out<CtaMask> predicate_work_o{"predicate_work_o"};
  sc_core::sc_out<Enqueue> address_entry_o{"address_entry_o"};
  sc_core::sc_out<Cta> address_cta_o{"address_cta_o"};
  sc_core::sc_out<Enqueue> predicate_entry_o{"predicate_entry_o"};
  sc_core::sc_out<Cta> predicate_cta_o{"predicate_cta_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(affine_tuple_queue) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "batch_i", batch_i);
    probe(*this, "enqueue_i", enqueue_i);
    probe(*this, "passed_i", passed_i);
    probe(*this, "address_select_i", address_select_i);
    probe(*this, "predicate_select_i", predicate_select_i);
    probe(*this, "address_pop_i", address_pop_i);
    probe(*this, "predicate_pop_i", predicate_pop_i);
    declare(*this, "entry_q", entry_q,
            {Storage::Ram, paper_fields("size,compare,base,offset_x,block_x,scalar"), "DAC sec. 4.1 to 4.3, tuples",
             "2R1W, read first", "kind"});
    declare(*this, "address_entry_o", address_entry_o,
            {Storage::Flop, paper_none(), "read port of entry_q, and the kind"});
    declare(*this, "predicate_entry_o", predicate_entry_o,
            {Storage::Flop, paper_none(), "read port of entry_q, and the kind"});
    declare(*this, "kind_q", kind_q, {Storage::Flop, paper_all(), "DAC sec. 4.1, which of the enq instructions"});
    declare(*this, "pending_q", pending_q,
            {Storage::Flop, paper_none(), "ours, a bit a CTA and entry: still to be expanded"});
    declare(*this, "place_q", place_q, {Storage::Flop, paper_none(), "ours, the oldest entry of each CTA"});
    declare(*this, "head_q", head_q, {Storage::Flop, paper_none(), "ours, the oldest entry of all"});
    declare(*this, "credit_q", credit_q, {Storage::Flop, paper_none(), "ours, barriers passed ahead of their entries"});
    declare(*this, "barrier_q", barrier_q, {Storage::Flop, paper_none(), "ours, CTAs whose oldest entry is a barrier"});
    declare(*this, "batch_q", batch_q, {Storage::Flop, paper_none(), "ours, CTAs of the batch"});
    declare(*this, "started_q", started_q, {Storage::Flop, paper_none(), "ours, something was enqueued for the batch"});
    declare(*this, "first_q", first_q, {Storage::Flop, paper_none(), "ours, slots of each CTA"});
    declare(*this, "index_q", index_q, {Storage::Ram, paper_none(), "ours, blockIdx of each CTA", "2R1W, read first"});
    declare(*this, "address_cta_o", address_cta_o,
            {Storage::Flop, paper_none(), "read port of index_q, and the first warp"});
    declare(*this, "predicate_cta_o", predicate_cta_o,
            {Storage::Flop, paper_none(), "read port of index_q, and the first warp"});
    declare(*this, "shape_o", shape_o, {Storage::Flop, paper_none(), "ours, blockDim"});
    declare(*this, "full_o", full_o, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "used_o", used_o, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "hold_o", hold_o, {Storage::Flop, paper_none(), "ours, CTAs with all credits"});
    declare(*this, "address_work_o", address_work_o, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "predicate_work_o", predicate_work_o, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

 private:
  using Bits = sc_dt::uint64;

  Enqueue entry_q[Entries];  ///< but for the kind, which is 0 here
  Kind kind_q[Entries];
  Place place_q[Ctas];
  sc_uint<A::WarpBits> first_q[Ctas];
  Index index_q[Ctas];
  sc_uint<Entries> pending_q[Ctas];
  sc_uint<CreditBits> credit_q[Ctas];
  Place head_q;
  CtaMask barrier_q, batch_q;
  sc_uint<1> started_q;

  /// Warps that a CTA of so many threads fills.
  static unsigned warps_for(unsigned threads) { return (threads + Lanes - 1) / Lanes; }

  /// R1: the slots of a CTA, which has at least one thread.
  static std::uint64_t slots(unsigned first_warp, unsigned threads) {
    return ~std::uint64_t(0) >> (64 - warps_for(threads)) << first_warp;
  }

  /// R1, R7
  bool is_legal(const Batch& batch) {
    const bool opens = batch.op == unsigned(BatchOp::Open);
    const Shape shape = shape_o.read();
    const unsigned threads = opens ? batch.threads : shape.threads;
    bool legal = batch.cta < Ctas && threads != 0 && batch.first_warp + warps_for(threads) <= Warps;
    if (opens) {
      legal = legal && used_o.read() == 0 && batch.row != 0 && batch.rows != 0 && batch.row <= batch.plane &&
              batch.plane <= threads;
    } else {
      legal = legal && batch.op == unsigned(BatchOp::Join) && started_q == 0;
      if (legal) {
        for (unsigned c = 0; c < Ctas; ++c) {
          const bool meets = (slots(first_q[c], threads) & slots(batch.first_warp, threads)) != 0;
          if (batch_q[c] && (c == batch.cta || meets)) legal = false;
        }
      }
    }
    return legal;
  }

  /// R7, but for its place and its CTAs.
  static bool is_known(const Enqueue& enqueue) {
    bool known = false;
    switch (enqueue.kind) {
      case unsigned(TupleKind::Data):
      case unsigned(TupleKind::Address):
        known = enqueue.size <= unsigned(AccessSize::Word);
        break;
      case unsigned(TupleKind::Predicate):
        known = enqueue.compare <= unsigned(Compare::Hs);
        break;
      case unsigned(TupleKind::Barrier):
        known = true;
        break;
      default:
        break;
    }
    return known;
  }

  /// R2
  CtaMask takers_of(const sc_uint<Warps>& warps) {
    CtaMask takers = 0;
    const Shape shape = shape_o.read();
    for (unsigned c = 0; c < Ctas; ++c) {
      if (batch_q[c]) takers[c] = (warps & slots(first_q[c], shape.threads)) != 0;
    }
    return takers;
  }

  static bool has(const CtaMask& ctas, unsigned cta) { return cta < Ctas && bool(ctas[cta]); }

  static Enqueue without_kind(Enqueue entry) {
    entry.kind = 0;
    return entry;
  }

  /// What a unit sees of a tuple, and of the CTA that it is for.
  Enqueue entry_at(unsigned place) const {
    Enqueue entry = entry_q[place];
    entry.kind = kind_q[place];
    return entry;
  }
  Cta cta_at(unsigned cta) const {
    Cta shown;
    shown.first_warp = first_q[cta];
    shown.index_x = index_q[cta].x;
    shown.index_y = index_q[cta].y;
    shown.index_z = index_q[cta].z;
    return shown;
  }

  HEDDLE_REPORT(void refuse(unsigned warp, const char* why) {
    SC_REPORT_ERROR("affine_tuple_queue/illegal", refusal(name(), warp, why).c_str());
  })

  /// Names the CTA by its first warp.
  HEDDLE_REPORT(void refuse_cta(unsigned cta, const char* why) {
    unsigned warp = 0;
    if (cta < Ctas) warp = first_q[cta];
    refuse(warp, why);
  })

  HEDDLE_REPORT(void refuse_enqueue(const Enqueue& enqueue, bool beside_batch, bool for_nobody) {
    const unsigned warp = lowest_set(enqueue.warps);
    refuse(warp, full_o.read()  ? "enqueue into a full queue"
                 : beside_batch ? "enqueue beside a batch operation"
                 : for_nobody   ? "enqueue for no CTA of the batch"
                                : "enqueue of an unknown kind, size or comparison");
  })

  HEDDLE_REPORT(void refuse_pass(const CtaMask& ctas) {
    const unsigned first = lowest_set(ctas);
    refuse_cta(first, "pass of a CTA outside the batch, or held");
  })

  /// What an edge finds and does.
  struct Edge {
    CtaMask address_work, predicate_work, hold;  // as the outputs, in the end
    unsigned used;                               // ... too
    unsigned head, tail;                         // the oldest entry, and where the next one goes
    CtaMask wanted, takers;                      // CTAs that the enqueue is for; if it is legal
    CtaMask passed, served;                      // CTAs whose pass counts; that are done with their oldest entry
    bool frees, changes_batch;
    bool batch_illegal, enqueue_illegal, address_pop_illegal, predicate_pop_illegal, pass_illegal;  // R7
  };

  void begin(Edge& edge) const {
    edge.address_work = address_work_o.read();
    edge.predicate_work = predicate_work_o.read();
    edge.hold = hold_o.read();
    edge.used = used_o.read();
    edge.head = head_q;
    edge.tail = 0;
    edge.wanted = 0;
    edge.takers = 0;
    edge.passed = 0;
    edge.served = 0;
    edge.frees = false;
    edge.changes_batch = false;
    edge.batch_illegal = false;
    edge.enqueue_illegal = false;
    edge.address_pop_illegal = false;
    edge.predicate_pop_illegal = false;
    edge.pass_illegal = false;
  }

  void clear(Edge& edge) {
    const Shape shape;
    address_entry_o.write(without_kind(address_entry_o.read()));
    predicate_entry_o.write(without_kind(predicate_entry_o.read()));
    for (unsigned c = 0; c < Ctas; ++c) {
      pending_q[c] = 0;
      credit_q[c] = 0;
      place_q[c] = 0;
    }
    head_q = 0;
    barrier_q = 0;
    batch_q = 0;
    started_q = 0;
    shape_o.write(shape);
    edge.address_work = 0;
    edge.predicate_work = 0;
    edge.hold = 0;
    edge.used = 0;
  }

  /// R2, R6, R7: what the cycle asks for, judged by the state before it.
  void judge(const Batch& batch, const Enqueue& enqueue, const Pop& address_pop, const Pop& predicate_pop, Edge& edge) {
    if (enqueue.kind != 0) edge.wanted = takers_of(enqueue.warps);
    edge.batch_illegal = batch.op != 0 && !is_legal(batch);
    edge.enqueue_illegal =
        enqueue.kind != 0 && (full_o.read() || batch.op != 0 || edge.wanted == 0 || !is_known(enqueue));
    edge.address_pop_illegal = address_pop.valid != 0 && !has(edge.address_work, address_pop.cta);
    edge.predicate_pop_illegal = predicate_pop.valid != 0 && !has(edge.predicate_work, predicate_pop.cta);
    edge.passed = passed_i.read() & batch_q & ~edge.hold;
    edge.pass_illegal = edge.passed != passed_i.read();
    edge.changes_batch = batch.op != 0 && !edge.batch_illegal;
    if (!edge.enqueue_illegal) edge.takers = edge.wanted;
    edge.tail = edge.head + edge.used < Entries ? edge.head + edge.used : edge.head + edge.used - Entries;
  }

  /// R4
  static void pop(const Pop& address_pop, const Pop& predicate_pop, Edge& edge) {
    if (address_pop.valid != 0 && !edge.address_pop_illegal) edge.served[address_pop.cta] = 1;
    if (predicate_pop.valid != 0 && !edge.predicate_pop_illegal) edge.served[predicate_pop.cta] = 1;
  }

  /// R6
  void pass_barriers(Edge& edge) {
    if ((edge.passed | barrier_q) != 0) {
      for (unsigned c = 0; c < Ctas; ++c) {
        unsigned credit = credit_q[c] + (edge.passed[c] ? 1U : 0U);
        if (barrier_q[c] && credit != 0) {
          edge.served[c] = 1;
          --credit;
        }
        credit_q[c] = credit;
        edge.hold[c] = credit == MaxCredit;
      }
    }
  }

  /// R3: what each unit sees in the next cycle: the oldest entry of the CTA that it looks at in this one.
  void show_address(const CtaMask& work) {
    const unsigned address_select = address_select_i.read();
    if (has(work, address_select)) {
      unsigned address_place = place_q[address_select];
      address_entry_o.write(entry_at(address_place));
      address_cta_o.write(cta_at(address_select));
    } else {
      address_entry_o.write(without_kind(address_entry_o.read()));
    }
  }
  void show_predicate(const CtaMask& work) {
    const unsigned predicate_select = predicate_select_i.read();
    if (has(work, predicate_select)) {
      unsigned predicate_place = place_q[predicate_select];
      predicate_entry_o.write(entry_at(predicate_place));
      predicate_cta_o.write(cta_at(predicate_select));
    } else {
      predicate_entry_o.write(without_kind(predicate_entry_o.read()));
    }
  }

  /// R2: the entry waits for the CTAs that it is for, each of which that is served goes on to its next one.
  void mark(unsigned cta, const Edge& edge) {
    if (edge.served[cta]) pending_q[cta][unsigned(place_q[cta])] = 0;
    if (edge.takers[cta]) pending_q[cta][edge.tail] = 1;
  }

  /// R3: the oldest entry of a CTA, and who may work on it.
  void find_oldest(unsigned cta, const Enqueue& enqueue, Edge& edge) {
    unsigned place = 0, kind = 0;
    if (pending_q[cta] != 0) {
      place = first_from(pending_q[cta], edge.head);
      kind = edge.takers[cta] && place == edge.tail ? enqueue.kind : kind_q[place];
    }
    place_q[cta] = place;
    edge.address_work[cta] = kind == unsigned(TupleKind::Data) || kind == unsigned(TupleKind::Address);
    edge.predicate_work[cta] = kind == unsigned(TupleKind::Predicate);
    barrier_q[cta] = kind == unsigned(TupleKind::Barrier);
  }

  /// R2, R3, R4: of the CTAs for which something changes; the oldest entry of all is free when no CTA waits for it.
  void serve(const Enqueue& enqueue, Edge& edge) {
    if (edge.takers != 0) {
      kind_q[edge.tail] = enqueue.kind;
      started_q = 1;
    }
    edge.frees = edge.used != 0;
    const Bits touched = edge.served | edge.takers;
    for (unsigned c = 0; c < Ctas; ++c) {
      if ((touched >> c & 1) != 0) {
        mark(c, edge);
        find_oldest(c, enqueue, edge);
      }
      if ((Bits(pending_q[c]) >> edge.head & 1) != 0) edge.frees = false;
    }
  }

  /// R5
  void count(Edge& edge) {
    if (edge.frees) {
      head_q = edge.head == Entries - 1 ? 0 : edge.head + 1;
      --edge.used;
    }
    if (edge.takers != 0) ++edge.used;
  }

  /// R1: a batch begins without credits.
  void open(const Batch& batch, Edge& edge) {
    Shape shape;
    shape.row = batch.row;
    shape.rows = batch.rows;
    shape.plane = batch.plane;
    shape.threads = batch.threads;
    shape_o.write(shape);
    batch_q = 0;
    started_q = 0;
    edge.hold = 0;
    for (unsigned c = 0; c < Ctas; ++c) credit_q[c] = 0;
  }

  /// R1: the CTA becomes resident.
  void join(const Batch& batch) {
    batch_q[batch.cta] = 1;
    first_q[batch.cta] = batch.first_warp;
    index_q[batch.cta].x = batch.index_x;
    index_q[batch.cta].y = batch.index_y;
    index_q[batch.cta].z = batch.index_z;
  }

  void store(unsigned place, const Enqueue& enqueue) {
    entry_q[place] = enqueue;
    entry_q[place].kind = 0;
  }

  void show(const Edge& edge) {
    full_o.write(edge.used == Entries);
    used_o.write(edge.used);
    hold_o.write(edge.hold);
    address_work_o.write(edge.address_work);
    predicate_work_o.write(edge.predicate_work);
    // What did nothing in this cycle does nothing in the next one either, unless it is asked to.
    idle_o.write(!edge.changes_batch && edge.takers == 0 && edge.passed == 0 && edge.served == 0 && !edge.frees);
  }

  HEDDLE_CLOCKED(step) {
    const Batch batch = batch_i.read();
    const Enqueue enqueue = enqueue_i.read();
    const Pop address_pop = address_pop_i.read(), predicate_pop = predicate_pop_i.read();
    Edge edge;
    begin(edge);
    if (!rst_ni.read()) {
      clear(edge);
    } else {
      judge(batch, enqueue, address_pop, predicate_pop, edge);
      pop(address_pop, predicate_pop, edge);
      pass_barriers(edge);
      show_address(edge.address_work);
      show_predicate(edge.predicate_work);
      serve(enqueue, edge);
      count(edge);
      if (edge.changes_batch && batch.op == unsigned(BatchOp::Open)) open(batch, edge);
      if (edge.changes_batch) join(batch);
      if (edge.takers != 0) store(edge.tail, enqueue);
    }
    show(edge);
    if (edge.batch_illegal)
      HEDDLE_REPORT(refuse(batch.first_warp, "batch operation that does not fit the batch, the slots or the shape"));
    if (edge.enqueue_illegal) HEDDLE_REPORT(refuse_enqueue(enqueue, batch.op != 0, edge.wanted == 0));
    if (edge.address_pop_illegal) HEDDLE_REPORT(refuse_cta(address_pop.cta, "address pop of a CTA without work"));
    if (edge.predicate_pop_illegal) HEDDLE_REPORT(refuse_cta(predicate_pop.cta, "predicate pop of a CTA without work"));
    if (edge.pass_illegal) HEDDLE_REPORT(refuse_pass(passed_i.read() & ~edge.passed));
  }
};

}  // namespace heddle
