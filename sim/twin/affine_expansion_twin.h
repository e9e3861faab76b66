// The Verilated twin of rtl/affine/affine_expansion.h, behind the ports of the block.
#pragma once

#include <systemc>

#include <memory>
#include <utility>

#include "sim/twin/twin_module.h"

namespace heddle {

/// Block: an affine_expansion, of which the types and the widths are.
template <class Block>
class affine_expansion_twin : public twin_module {
 public:
  using Batch = typename Block::Batch;
  using Enqueue = typename Block::Enqueue;
  using AddressOffer = typename Block::AddressOffer;
  using PredicateOffer = typename Block::PredicateOffer;
  using LaneCompare = typename Block::LaneCompare;
  using LaneReply = typename Block::LaneReply;
  using AddressEvent = typename Block::AddressEvent;
  using PredicateEvent = typename Block::PredicateEvent;
  using CtaMask = typename Block::CtaMask;
  using WarpMask = typename Block::WarpMask;
  using Used = typename Block::Used;
  using Request = typename Block::Request;
  using Reply = typename Block::Reply;
  using Dequeue = typename Block::Dequeue;
  using SetIndex = typename Block::SetIndex;
  using Locked = typename Block::Locked;
  static constexpr unsigned Lockable = Block::Lockable;

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

  affine_expansion_twin(const sc_core::sc_module_name& name, std::unique_ptr<Twin> twin)
      : twin_module(name, std::move(twin)) {
    takes(batch_i, enqueue_i, passed_i, lanes_i, request_ready_i, reply_i, set_i, address_dequeue_i,
          predicate_dequeue_i);
    gives(full_o, used_o, predicate_full_o, hold_o, lanes_o, request_o, locked_o, address_ready_o, predicate_ready_o,
          address_o, predicate_o, expanded_o, address_event_o, predicate_event_o, refused_o, idle_o);
  }
};

}  // namespace heddle
