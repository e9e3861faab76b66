// SPDX-License-Identifier: Apache-2.0
// Affine tuples into addresses and predicates, assembled (DAC sec. 4.1 to 4.3, Fig. 9): the affine warp enqueues
// tuples, the expansion units turn each into records, and the non-affine warps dequeue those.
//
// What   batch_i             Batch    CTAs become resident
//        enqueue_i           Enqueue  the affine warp's enq instruction, which it may issue while full_o is low, and
//                                     enq.pred only while predicate_full_o is low too (ours: by DAC sec. 4.1 it issues
//                                     no enq at all while a predicate queue is full)
//        used_o                       tuples that wait; with 0 a new batch may begin
//        passed_i                     a bit a CTA: it passes a barrier, while its bit of hold_o is low
//        lanes_o, lanes_i    LaneCompare, LaneReply  comparisons that the SIMT lanes do for the predicate unit
//        request_o, request_ready_i  Request  a line for L1;  reply_i  Reply  it has arrived
//        set_i, locked_o[k]  LockedLine  the lines of this set that L1 must keep
//        expanded_o          PredicateOffer  the predicate record that comes to its warp's queue at the edge that ends
//                                     this cycle, else blank: the affine warp branches by it (DAC sec. 4.4)
//        address_dequeue_i, predicate_dequeue_i  Dequeue  by a warp whose bit of address_ready_o, predicate_ready_o is
//                                     high
//        address_o, predicate_o       the record dequeued in the cycle before
//        address_event_o, predicate_event_o, refused_o  what happened in the last edge, for statistics
//        idle_o              without a request nothing changes: all parts are idle, and the units have no work
// Parts  affine_tuple_queue, address_expansion_unit, predicate_expansion_unit, warp_queues, line_locks; the rules are
//        theirs. The affine stack and the affine ALU belong to the affine warp and stand outside.
// Time   accept is the one combinational path through several parts: offer, grant, accept, taken. expanded_o follows it.
// Cost   asked from the inventory: heddle area --point isca17. All state is that of the parts.
// Twin   affine_expansion.sv, same ports.
#pragma once

#include "rtl/affine/address_expansion_unit/address_expansion_unit.h"
#include "rtl/affine/affine_tuple_queue/affine_tuple_queue.h"
#include "rtl/affine/line_locks/line_locks.h"
#include "rtl/affine/predicate_expansion_unit/predicate_expansion_unit.h"
#include "rtl/affine/warp_queues/warp_queues.h"
#include "rtl/base/link.h"

namespace heddle {

template <class A, unsigned AtqEntries, unsigned Depth, unsigned Sets, unsigned Ways, unsigned LineBytes,
          unsigned LockBits, unsigned HashFrom>
class affine_expansion : public sc_core::sc_module {
 public:
  using TupleQueue = affine_tuple_queue<A, AtqEntries>;
  using Queues = warp_queues<A, Depth, LineBytes>;
  using Locks = line_locks<A, Sets, Ways, LineBytes, LockBits, HashFrom>;
  using Batch = typename A::Batch;
  using Enqueue = typename A::Enqueue;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using Pop = typename A::Pop;
  using AddressOffer = typename A::AddressOffer;
  using PredicateOffer = typename A::PredicateOffer;
  using LaneCompare = typename A::LaneCompare;
  using LaneReply = typename A::LaneReply;
  using AddressEvent = typename A::AddressEvent;
  using PredicateEvent = typename A::PredicateEvent;
  using CtaMask = typename A::CtaMask;
  using WarpMask = typename A::WarpMask;
  using Select = sc_uint<A::CtaBits>;
  using Used = typename TupleQueue::Used;
  using Request = typename Queues::Request;
  using Reply = typename Queues::Reply;
  using Dequeue = typename Queues::Dequeue;
  using Unlock = typename Queues::Unlock;
  using SetIndex = typename Locks::SetIndex;
  using Locked = typename Locks::Locked;
  static constexpr unsigned Lockable = Ways - 1;  // ways of a set

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Batch> batch_i{"batch_i"};
  sc_core::sc_in<Enqueue> enqueue_i{"enqueue_i"};
  sc_core::sc_in<CtaMask> passed_i{"passed_i"};
  sc_core::sc_in<LaneReply> lanes_i{"lanes_i"};
  sc_core::sc_in<bool> request_ready_i{"request_ready_i"};
  sc_core::sc_in<Reply> reply_i{"reply_i"};
  sc_core::sc_in<SetIndex> set_i{"set_i"};
  sc_core::sc_in<Dequeue> address_dequeue_i{"address_dequeue_i"};
  sc_core::sc_in<Dequeue> predicate_dequeue_i{"predicate_dequeue_i"};
  sc_core::sc_out<bool> full_o{"full_o"};
  sc_core::sc_out<Used> used_o{"used_o"};
  sc_core::sc_out<bool> predicate_full_o{"predicate_full_o"};
  sc_core::sc_out<CtaMask> hold_o{"hold_o"};
  sc_core::sc_out<LaneCompare> lanes_o{"lanes_o"};
  sc_core::sc_out<Request> request_o{"request_o"};
  sc_core::sc_vector<sc_core::sc_out<Locked>> locked_o{"locked_o", Lockable};
  sc_core::sc_out<WarpMask> address_ready_o{"address_ready_o"};
  sc_core::sc_out<WarpMask> predicate_ready_o{"predicate_ready_o"};
  sc_core::sc_out<AddressOffer> address_o{"address_o"};
  sc_core::sc_out<PredicateOffer> predicate_o{"predicate_o"};
  sc_core::sc_out<PredicateOffer> expanded_o{"expanded_o"};
  sc_core::sc_out<AddressEvent> address_event_o{"address_event_o"};
  sc_core::sc_out<PredicateEvent> predicate_event_o{"predicate_event_o"};
  sc_core::sc_out<LockRefused> refused_o{"refused_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  TupleQueue tuples{"affine_tuple_queue"};
  address_expansion_unit<A> addresses{"address_expansion_unit"};
  predicate_expansion_unit<A> predicates{"predicate_expansion_unit"};
  Queues queues{"warp_queues"};
  Locks locks{"line_locks"};

  SC_CTOR(affine_expansion) {
    tuples.clk_i(clk_i);
    tuples.rst_ni(rst_ni);
    tuples.batch_i(batch_i);
    tuples.enqueue_i(enqueue_i);
    tuples.passed_i(passed_i);
    tuples.full_o(full_o);
    tuples.used_o(used_o);
    tuples.hold_o(hold_o);
    tuples.shape_o(shape);
    tuples.address_select_i(address_select);
    tuples.address_pop_i(address_pop);
    tuples.address_work_o(address_work);
    tuples.address_entry_o(address_entry);
    tuples.address_cta_o(address_cta);
    tuples.predicate_select_i(predicate_select);
    tuples.predicate_pop_i(predicate_pop);
    tuples.predicate_work_o(predicate_work);
    tuples.predicate_entry_o(predicate_entry);
    tuples.predicate_cta_o(predicate_cta);
    tuples.idle_o(tuples_idle);

    addresses.clk_i(clk_i);
    addresses.rst_ni(rst_ni);
    addresses.work_i(address_work);
    addresses.entry_i(address_entry);
    addresses.cta_i(address_cta);
    addresses.shape_i(shape);
    addresses.accept_i(address_accept);
    addresses.select_o(address_select);
    addresses.offer_o(address_offer);
    addresses.pop_o(address_pop);
    addresses.event_o(address_event_o);
    addresses.idle_o(addresses_idle);

    predicates.clk_i(clk_i);
    predicates.rst_ni(rst_ni);
    predicates.work_i(predicate_work);
    predicates.entry_i(predicate_entry);
    predicates.cta_i(predicate_cta);
    predicates.shape_i(shape);
    predicates.accept_i(predicate_accept);
    predicates.lanes_i(lanes_i);
    predicates.select_o(predicate_select);
    predicates.offer_o(predicate_offer);
    predicates.pop_o(predicate_pop);
    predicates.lanes_o(lanes_o);
    predicates.event_o(predicate_event_o);
    predicates.idle_o(predicates_idle);

    queues.clk_i(clk_i);
    queues.rst_ni(rst_ni);
    queues.address_offer_i(address_offer);
    queues.grant_i(grant);
    queues.predicate_offer_i(predicate_offer);
    queues.request_ready_i(request_ready_i);
    queues.reply_i(reply_i);
    queues.address_dequeue_i(address_dequeue_i);
    queues.predicate_dequeue_i(predicate_dequeue_i);
    queues.address_accept_o(address_accept);
    queues.predicate_accept_o(predicate_accept);
    queues.request_o(request_o);
    queues.address_ready_o(address_ready_o);
    queues.predicate_ready_o(predicate_ready_o);
    queues.predicate_full_o(predicate_full_o);
    queues.address_o(address_o);
    queues.predicate_o(predicate_o);
    queues.unlock_o(unlock);
    queues.idle_o(queues_idle);

    locks.clk_i(clk_i);
    locks.rst_ni(rst_ni);
    locks.offer_i(address_offer);
    locks.taken_i(address_accept);
    locks.unlock_i(unlock);
    locks.set_i(set_i);
    locks.grant_o(grant);
    locks.refused_o(refused_o);
    locks.idle_o(locks_idle);
    for (unsigned k = 0; k < Lockable; ++k) locks.locked_o[k](locked_o[k]);

    SC_METHOD(tell);
    sensitive << predicate_offer << predicate_accept;
    SC_METHOD(rest);
    sensitive << tuples_idle << addresses_idle << predicates_idle << queues_idle << locks_idle << address_work
              << predicate_work;

    probe(*this, "idle_o", idle_o);
    probe(*this, "expanded_o", expanded_o);
    probe(*this, "batch_i", batch_i);
    probe(*this, "enqueue_i", enqueue_i);
    probe(*this, "passed_i", passed_i);
    probe(*this, "lanes_i", lanes_i);
    probe(*this, "request_ready_i", request_ready_i);
    probe(*this, "reply_i", reply_i);
    probe(*this, "set_i", set_i);
    probe(*this, "address_dequeue_i", address_dequeue_i);
    probe(*this, "predicate_dequeue_i", predicate_dequeue_i);
  }

 private:
  Link<Shape> shape{"shape"};
  Link<Select> address_select{"address_select"}, predicate_select{"predicate_select"};
  Link<CtaMask> address_work{"address_work"}, predicate_work{"predicate_work"};
  Link<Enqueue> address_entry{"address_entry"}, predicate_entry{"predicate_entry"};
  Link<Cta> address_cta{"address_cta"}, predicate_cta{"predicate_cta"};
  Link<Pop> address_pop{"address_pop"}, predicate_pop{"predicate_pop"};
  Link<AddressOffer> address_offer{"address_offer"};
  Link<PredicateOffer> predicate_offer{"predicate_offer"};
  Link<bool> address_accept{"address_accept"}, predicate_accept{"predicate_accept"}, grant{"grant"};
  Link<Unlock> unlock{"unlock"};
  Link<bool> tuples_idle{"tuples_idle"}, addresses_idle{"addresses_idle"}, predicates_idle{"predicates_idle"},
      queues_idle{"queues_idle"}, locks_idle{"locks_idle"};

  void tell() {
    PredicateOffer taken;
    if (predicate_accept.read()) taken = predicate_offer.read();
    expanded_o.write(taken);
  }

  void rest() {
    idle_o.write(tuples_idle.read() && addresses_idle.read() && predicates_idle.read() && queues_idle.read() &&
                 locks_idle.read() && address_work.read() == 0 && predicate_work.read() == 0);
  }
};

}  // namespace heddle
