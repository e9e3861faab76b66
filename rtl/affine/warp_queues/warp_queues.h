// SPDX-License-Identifier: Apache-2.0
// Warp queues (DAC sec. 4.1 and 4.2; DESIGN 6.7): for each warp a queue of address records and a queue of predicate
// records, from the expansion units to the warp's deq instructions. A data record's line is requested from L1 at once.
//
// What   address_offer_i    AddressOffer    an address record;  address_accept_o    it is taken in this cycle
//        grant_i                            line_locks grants a lock for it, if it is data
//        predicate_offer_i  PredicateOffer  a predicate record; predicate_accept_o  it is taken in this cycle
//        request_o          Request         a line for L1, until request_ready_i
//        reply_i            Reply           the line of the record in this slot is in L1
//        address_ready_o                    a bit a warp: its oldest address record may be dequeued
//        predicate_ready_o                  a bit a warp: its oldest predicate record may be dequeued
//        predicate_full_o                   some predicate queue is full: enq.pred must not issue (ours: DAC sec. 4.1
//                                           stalls every enq then)
//        address_dequeue_i    Dequeue       this warp's deq.data or deq.addr; the record is in address_o  AddressOffer
//        predicate_dequeue_i  Dequeue       this warp's deq.pred; the record is in predicate_o  PredicateOffer
//        unlock_o           Unlock          a lock of this line ends
//        idle_o                             without a request nothing changes, whatever grant_i and request_ready_i
// Rules  R1 The records of a warp leave in the order in which they came; addresses and predicates each on their own.
//        R2 An address is taken when its warp's queue is not full; one of data only if besides its lock is granted and
//           the request register is empty or being emptied.
//        R3 A predicate is taken when its warp's queue is not full. predicate_full_o: one of them is.
//        R4 Full is judged before the dequeue of the cycle, empty before its enqueue.
//        R5 A data record that is taken is requested once: in request_o from the next cycle until request_ready_i.
//        R6 Replies come in any order. From the next cycle on, the record in that slot waits no more.
//        R7 Ready: there is a record, and the oldest does not wait for its line.
//        R8 The record that is dequeued is in address_o or predicate_o for the one cycle after; with it, if it is data,
//           its line is in unlock_o. Otherwise they are blank.
//        R9 Refused by name and without effect: an offer to a warp that does not exist; a dequeue of a warp that is not
//           ready; a reply for a slot that does not wait, or whose request is still in request_o and not being taken.
// Time   accept follows the offers in the same cycle; a record that is taken in cycle n is ready in n+1, or later.
// Cost   asked from the inventory: Warps x Depth records of each kind; line address, mask, granularity are the paper's.
// Twin   warp_queues.sv, same ports, same state.
#pragma once

#include "rtl/affine/lines.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// An address record as it is stored: AddressOffer without what its place tells.
template <class A>
struct AddressRecord {
  sc_uint<1> data;
  sc_uint<2> size;
  sc_uint<2> order;
  sc_uint<A::RegionBits> region;
  sc_uint<A::Lanes> mask;
  sc_uint<A::Lanes> lanes;
  sc_uint<1> last;
  HEDDLE_RECORD(AddressRecord, data, size, order, region, mask, lanes, last)
};

/// A line for L1, and the slot of the record that waits for it.
template <unsigned LineBits, unsigned WarpBits, unsigned SlotBits>
struct LineRequest {
  sc_uint<1> valid;
  sc_uint<LineBits> line;
  sc_uint<WarpBits> warp;
  sc_uint<SlotBits> slot;
  HEDDLE_RECORD(LineRequest, valid, line, warp, slot)
};

/// The line has arrived.
template <unsigned WarpBits, unsigned SlotBits>
struct LineReply {
  sc_uint<1> valid;
  sc_uint<WarpBits> warp;
  sc_uint<SlotBits> slot;
  HEDDLE_RECORD(LineReply, valid, warp, slot)
};

/// A warp's deq instruction.
template <unsigned WarpBits>
struct WarpDequeue {
  sc_uint<1> valid;
  sc_uint<WarpBits> warp;
  HEDDLE_RECORD(WarpDequeue, valid, warp)
};

template <class A, unsigned Depth, unsigned LineBytes>
class warp_queues : public sc_core::sc_module {
  static_assert(Depth >= 1 && Depth <= 64);

 public:
  static constexpr unsigned Warps = A::Warps, SlotBits = index_bits(Depth);
  using L = Lines<A, LineBytes>;
  using AddressOffer = typename A::AddressOffer;
  using PredicateOffer = typename A::PredicateOffer;
  using Mask = typename A::Mask;
  using WarpMask = typename A::WarpMask;
  using Record = AddressRecord<A>;
  using Request = LineRequest<L::LineBits, A::WarpBits, SlotBits>;
  using Reply = LineReply<A::WarpBits, SlotBits>;
  using Dequeue = WarpDequeue<A::WarpBits>;
  using Unlock = typename L::Unlock;
  using Slot = sc_uint<SlotBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<AddressOffer> address_offer_i{"address_offer_i"};
  sc_core::sc_in<bool> grant_i{"grant_i"};
  sc_core::sc_in<PredicateOffer> predicate_offer_i{"predicate_offer_i"};
  sc_core::sc_in<bool> request_ready_i{"request_ready_i"};
  sc_core::sc_in<Reply> reply_i{"reply_i"};
  sc_core::sc_in<Dequeue> address_dequeue_i{"address_dequeue_i"};
  sc_core::sc_in<Dequeue> predicate_dequeue_i{"predicate_dequeue_i"};
  sc_core::sc_out<bool> address_accept_o{"address_accept_o"};
  sc_core::sc_out<bool> predicate_accept_o{"predicate_accept_o"};
  sc_core::sc_out<Request> request_o{"request_o"};
  sc_core::sc_out<WarpMask> address_ready_o{"address_ready_o"};
  sc_core::sc_out<WarpMask> predicate_ready_o{"predicate_ready_o"};
  sc_core::sc_out<bool> predicate_full_o{"predicate_full_o"};
  sc_core::sc_out<AddressOffer> address_o{"address_o"};
  sc_core::sc_out<PredicateOffer> predicate_o{"predicate_o"};
  sc_core::sc_out<Unlock> unlock_o{"unlock_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(warp_queues) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(accept);
    sensitive << address_offer_i << grant_i << predicate_offer_i << request_ready_i << request_o << address_full_q
              << predicate_full_q;
    SC_METHOD(give);
    sensitive << address_word_q << address_given_q << predicate_word_q << predicate_given_q;
    probe(*this, "address_offer_i", address_offer_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "predicate_offer_i", predicate_offer_i);
    probe(*this, "request_ready_i", request_ready_i);
    probe(*this, "reply_i", reply_i);
    probe(*this, "address_dequeue_i", address_dequeue_i);
    probe(*this, "predicate_dequeue_i", predicate_dequeue_i);
    probe(*this, "address_accept_o", address_accept_o);
    probe(*this, "predicate_accept_o", predicate_accept_o);
    const char* queues = "ours, where a queue begins and ends";
    declare(
        *this, "address_q", address_q,
        {Storage::Ram, paper_fields("region,mask,size"), "DAC sec. 4.2, per-warp address queues", "1R1W, read first"});
    declare(*this, "predicate_q", predicate_q,
            {Storage::Ram, paper_all(), "DAC sec. 4.1, per-warp predicate queues", "1R1W, read first"});
    declare(*this, "address_word_q", address_word_q, {Storage::Flop, paper_none(), "read port of address_q"});
    declare(*this, "predicate_word_q", predicate_word_q, {Storage::Flop, paper_none(), "read port of predicate_q"});
    const char* given = "ours, the warp that a record is on its way to";
    declare(*this, "address_given_q", address_given_q, {Storage::Flop, paper_none(), given});
    declare(*this, "predicate_given_q", predicate_given_q, {Storage::Flop, paper_none(), given});
    declare(*this, "address_head_q", address_head_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "address_tail_q", address_tail_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "address_full_q", address_full_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "predicate_head_q", predicate_head_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "predicate_tail_q", predicate_tail_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "predicate_full_q", predicate_full_q, {Storage::Flop, paper_none(), queues});
    declare(*this, "waits_q", waits_q, {Storage::Flop, paper_none(), "ours, records whose line is not in L1 yet"});
    declare(*this, "request_o", request_o, {Storage::Flop, paper_none(), "ours, the request on its way to L1"});
    declare(*this, "address_ready_o", address_ready_o, {Storage::Flop, paper_none(), "ours, for the scoreboard"});
    declare(*this, "predicate_ready_o", predicate_ready_o, {Storage::Flop, paper_none(), "ours, for the scoreboard"});
    declare(*this, "predicate_full_o", predicate_full_o, {Storage::Flop, paper_none(), "ours, for the scoreboard"});
    probe(*this, "address_o", address_o);
    probe(*this, "predicate_o", predicate_o);
    probe(*this, "unlock_o", unlock_o);
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

 private:
  Record address_q[Warps * Depth];  ///< slot s of warp w at w * Depth + s
  Mask predicate_q[Warps * Depth];
  Slot address_head_q[Warps], address_tail_q[Warps], predicate_head_q[Warps], predicate_tail_q[Warps];
  sc_uint<Depth> waits_q[Warps];
  Link<Record> address_word_q{"address_word_q"};
  Link<Mask> predicate_word_q{"predicate_word_q"};
  Link<Dequeue> address_given_q{"address_given_q"}, predicate_given_q{"predicate_given_q"};
  Link<WarpMask> address_full_q{"address_full_q"}, predicate_full_q{"predicate_full_q"};

  static Slot slot_after(const Slot& slot) { return slot == Depth - 1 ? 0U : static_cast<unsigned>(slot) + 1; }

  /// R2
  bool takes_address() {
    const AddressOffer address_offer = address_offer_i.read();
    bool address_accept = address_offer.valid != 0 && address_offer.warp < Warps;
    if (address_accept) address_accept = !bool(address_full_q.read()[address_offer.warp]);
    const Request request = request_o.read();
    if (address_offer.data != 0)
      address_accept = address_accept && grant_i.read() && (request.valid == 0 || request_ready_i.read());
    return address_accept;
  }

  /// R3
  bool takes_predicate() {
    const PredicateOffer predicate_offer = predicate_offer_i.read();
    bool predicate_accept = predicate_offer.valid != 0 && predicate_offer.warp < Warps;
    if (predicate_accept) predicate_accept = !bool(predicate_full_q.read()[predicate_offer.warp]);
    return predicate_accept;
  }

  void accept() {
    address_accept_o.write(takes_address());
    predicate_accept_o.write(takes_predicate());
  }

  /// R8: what was dequeued in the last cycle.
  void give() {
    AddressOffer address;
    Unlock unlock;
    if (address_given_q.read().valid != 0) {
      const Record record = address_word_q.read();
      address.valid = 1;
      address.data = record.data;
      address.warp = address_given_q.read().warp;
      address.size = record.size;
      address.order = record.order;
      address.region = record.region;
      address.mask = record.mask;
      address.lanes = record.lanes;
      address.last = record.last;
      unlock.valid = record.data;
      if (record.data != 0) unlock.line = L::line_of(record.region);
    }
    PredicateOffer predicate;
    if (predicate_given_q.read().valid != 0) {
      predicate.valid = 1;
      predicate.warp = predicate_given_q.read().warp;
      predicate.mask = predicate_word_q.read();
    }
    address_o.write(address);
    unlock_o.write(unlock);
    predicate_o.write(predicate);
  }

  HEDDLE_REPORT(void refuse(unsigned warp, const char* why) {
    SC_REPORT_ERROR("warp_queues/illegal", refusal(name(), warp, why).c_str());
  })

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      const Request request;
      const Dequeue nobody;
      for (unsigned w = 0; w < Warps; ++w) {
        address_head_q[w] = 0;
        address_tail_q[w] = 0;
        predicate_head_q[w] = 0;
        predicate_tail_q[w] = 0;
        waits_q[w] = 0;
      }
      address_full_q.write(0);
      predicate_full_q.write(0);
      request_o.write(request);
      address_ready_o.write(0);
      predicate_ready_o.write(0);
      predicate_full_o.write(false);
      address_given_q.write(nobody);
      predicate_given_q.write(nobody);
      idle_o.write(true);
    } else {
      const bool addresses_rest = step_addresses(), predicates_rest = step_predicates();
      idle_o.write(addresses_rest && predicates_rest);
    }
  }

  /// \return nothing stands in the address outputs for this cycle alone, and no request on its way
  bool step_addresses() {
    const AddressOffer address_offer = address_offer_i.read();
    const Dequeue address_dequeue = address_dequeue_i.read();
    const Reply reply = reply_i.read();
    const Request request = request_o.read();
    WarpMask address_full_d = address_full_q.read(), address_ready_d = address_ready_o.read();
    const bool address_accept = takes_address();
    bool gets = address_dequeue.valid != 0 && address_dequeue.warp < Warps;
    if (gets) gets = bool(address_ready_d[address_dequeue.warp]);
    bool arrives = reply.valid != 0 && reply.warp < Warps && reply.slot < Depth;
    if (arrives) arrives = bool(waits_q[reply.warp][reply.slot]);
    if (request.valid != 0 && !request_ready_i.read() && reply.warp == request.warp && reply.slot == request.slot) {
      arrives = false;
    }

    Request request_d;
    if (request.valid != 0 && !request_ready_i.read()) request_d = request;
    Dequeue address_given_d;
    if (arrives) waits_q[reply.warp][reply.slot] = 0;  // R6
    if (gets) {                                        // R8
      const Slot head = address_head_q[address_dequeue.warp];
      address_word_q.write(address_q[address_dequeue.warp * Depth + head]);
      address_given_d = address_dequeue;
      address_head_q[address_dequeue.warp] = slot_after(head);
      address_full_d[address_dequeue.warp] = 0;
    }
    if (address_accept) {
      const Slot tail = address_tail_q[address_offer.warp];
      Record record;
      record.data = address_offer.data;
      record.size = address_offer.size;
      record.order = address_offer.order;
      record.region = address_offer.region;
      record.mask = address_offer.mask;
      record.lanes = address_offer.lanes;
      record.last = address_offer.last;
      address_q[address_offer.warp * Depth + tail] = record;
      waits_q[address_offer.warp][tail] = address_offer.data;
      const Slot tail_d = slot_after(tail);
      address_tail_q[address_offer.warp] = tail_d;
      if (tail_d == address_head_q[address_offer.warp]) address_full_d[address_offer.warp] = 1;
      if (address_offer.data != 0) {  // R5
        request_d.valid = 1;
        request_d.line = L::line_of(address_offer.region);
        request_d.warp = address_offer.warp;
        request_d.slot = tail;
      }
    }
    // R7, for the warps that something happened to
    if (address_accept)
      address_ready_d[address_offer.warp] = head_is_ready(address_offer.warp, bool(address_full_d[address_offer.warp]));
    if (gets)
      address_ready_d[address_dequeue.warp] =
          head_is_ready(address_dequeue.warp, bool(address_full_d[address_dequeue.warp]));
    if (arrives) address_ready_d[reply.warp] = head_is_ready(reply.warp, bool(address_full_d[reply.warp]));

    address_full_q.write(address_full_d);
    address_ready_o.write(address_ready_d);
    request_o.write(request_d);
    address_given_q.write(address_given_d);

    // R9
    if (address_offer.valid != 0 && address_offer.warp >= Warps)
      HEDDLE_REPORT(refuse(address_offer.warp, "address for a warp that does not exist"));
    if (address_dequeue.valid != 0 && !gets)
      HEDDLE_REPORT(refuse(address_dequeue.warp, "dequeue of an address that is not ready"));
    if (reply.valid != 0 && !arrives) HEDDLE_REPORT(refuse(reply.warp, "reply for a slot that does not wait for one"));
    return request_d.valid == 0 && !gets;
  }

  bool head_is_ready(unsigned warp, bool full) {
    const Slot head = address_head_q[warp];
    return (full || head != address_tail_q[warp]) && !bool(waits_q[warp][head]);
  }

  /// \return no record stands in predicate_o
  bool step_predicates() {
    const PredicateOffer predicate_offer = predicate_offer_i.read();
    const Dequeue predicate_dequeue = predicate_dequeue_i.read();
    WarpMask predicate_full_d = predicate_full_q.read(), predicate_ready_d = predicate_ready_o.read();
    const bool predicate_accept = takes_predicate();
    bool predicate_gets = predicate_dequeue.valid != 0 && predicate_dequeue.warp < Warps;
    if (predicate_gets) predicate_gets = bool(predicate_ready_d[predicate_dequeue.warp]);

    Dequeue predicate_given_d;
    if (predicate_gets) {  // R8
      const Slot predicate_head = predicate_head_q[predicate_dequeue.warp], head_d = slot_after(predicate_head);
      predicate_word_q.write(predicate_q[predicate_dequeue.warp * Depth + predicate_head]);
      predicate_given_d = predicate_dequeue;
      predicate_head_q[predicate_dequeue.warp] = head_d;
      predicate_full_d[predicate_dequeue.warp] = 0;
      predicate_ready_d[predicate_dequeue.warp] = head_d != predicate_tail_q[predicate_dequeue.warp];
    }
    if (predicate_accept) {
      const Slot predicate_tail = predicate_tail_q[predicate_offer.warp], tail_d = slot_after(predicate_tail);
      predicate_q[predicate_offer.warp * Depth + predicate_tail] = predicate_offer.mask;
      predicate_tail_q[predicate_offer.warp] = tail_d;
      if (tail_d == predicate_head_q[predicate_offer.warp]) predicate_full_d[predicate_offer.warp] = 1;
      predicate_ready_d[predicate_offer.warp] = 1;
    }
    predicate_full_q.write(predicate_full_d);
    predicate_full_o.write(predicate_full_d != 0);  // R3
    predicate_ready_o.write(predicate_ready_d);
    predicate_given_q.write(predicate_given_d);

    // R9
    if (predicate_offer.valid != 0 && predicate_offer.warp >= Warps)
      HEDDLE_REPORT(refuse(predicate_offer.warp, "predicate for a warp that does not exist"));
    if (predicate_dequeue.valid != 0 && !predicate_gets)
      HEDDLE_REPORT(refuse(predicate_dequeue.warp, "dequeue of a predicate that is not there"));
    return !predicate_gets;
  }
};

}  // namespace heddle
