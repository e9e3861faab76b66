// The Verilated twin of rtl/affine/affine_expansion.h, behind the ports of the block.
#pragma once

#include <systemc>

#include "sim/twin/twin.h"

namespace heddle {

/// Block: an affine_expansion, of which the types and the widths are.
template <class Block>
class affine_expansion_twin : public sc_core::sc_module {
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

  SC_HAS_PROCESS(affine_expansion_twin);
  /// \throws std::runtime_error if a port of the twin differs from the block's
  affine_expansion_twin(const sc_core::sc_module_name& name, std::unique_ptr<Twin> loaded)
      : sc_module(name), twin_(std::move(loaded)) {
    SC_METHOD(evaluate);
    sensitive << clk_i.pos() << rst_ni << batch_i << enqueue_i << passed_i << lanes_i << request_ready_i << reply_i
              << set_i << address_dequeue_i << predicate_dequeue_i;
  }

 private:
  std::unique_ptr<Twin> twin_;
  const Twin::Port clk_{twin_->input("clk_i", 1)}, rst_n_{twin_->input("rst_ni", 1)},
      batch_{twin_->input("batch_i", bits_of<Batch>)}, enqueue_{twin_->input("enqueue_i", bits_of<Enqueue>)},
      passed_{twin_->input("passed_i", bits_of<CtaMask>)}, lanes_reply_{twin_->input("lanes_i", bits_of<LaneReply>)},
      request_ready_{twin_->input("request_ready_i", 1)}, reply_{twin_->input("reply_i", bits_of<Reply>)},
      set_{twin_->input("set_i", bits_of<SetIndex>)},
      address_dequeue_{twin_->input("address_dequeue_i", bits_of<Dequeue>)},
      predicate_dequeue_{twin_->input("predicate_dequeue_i", bits_of<Dequeue>)}, full_{twin_->output("full_o", 1)},
      used_{twin_->output("used_o", bits_of<Used>)}, predicate_full_{twin_->output("predicate_full_o", 1)},
      hold_{twin_->output("hold_o", bits_of<CtaMask>)}, lanes_{twin_->output("lanes_o", bits_of<LaneCompare>)},
      request_{twin_->output("request_o", bits_of<Request>)},
      locked_{twin_->output("locked_o", Lockable*bits_of<Locked>)},
      address_ready_{twin_->output("address_ready_o", bits_of<WarpMask>)},
      predicate_ready_{twin_->output("predicate_ready_o", bits_of<WarpMask>)},
      address_{twin_->output("address_o", bits_of<AddressOffer>)},
      predicate_{twin_->output("predicate_o", bits_of<PredicateOffer>)},
      expanded_{twin_->output("expanded_o", bits_of<PredicateOffer>)},
      address_event_{twin_->output("address_event_o", bits_of<AddressEvent>)},
      predicate_event_{twin_->output("predicate_event_o", bits_of<PredicateEvent>)},
      refused_{twin_->output("refused_o", bits_of<LockRefused>)}, idle_{twin_->output("idle_o", 1)};

  /// At an edge the inputs are those of the cycle that ends there. A clock may tell of its edges and never show a level
  /// (sim/sm/clock_gate.h).
  void evaluate() {
    rst_n_.write(rst_ni.read());
    batch_.write(batch_i.read());
    enqueue_.write(enqueue_i.read());
    passed_.write(passed_i.read());
    lanes_reply_.write(lanes_i.read());
    request_ready_.write(request_ready_i.read());
    reply_.write(reply_i.read());
    set_.write(set_i.read());
    address_dequeue_.write(address_dequeue_i.read());
    predicate_dequeue_.write(predicate_dequeue_i.read());
    clk_.write(false);
    twin_->evaluate();
    if (clk_i->posedge_event().triggered()) {
      clk_.write(true);
      twin_->evaluate();
    }
    full_o.write(full_.template read<bool>());
    used_o.write(used_.template read<Used>());
    predicate_full_o.write(predicate_full_.template read<bool>());
    hold_o.write(hold_.template read<CtaMask>());
    lanes_o.write(lanes_.template read<LaneCompare>());
    request_o.write(request_.template read<Request>());
    locked_.template read_all<Locked>(locked_o);
    address_ready_o.write(address_ready_.template read<WarpMask>());
    predicate_ready_o.write(predicate_ready_.template read<WarpMask>());
    address_o.write(address_.template read<AddressOffer>());
    predicate_o.write(predicate_.template read<PredicateOffer>());
    expanded_o.write(expanded_.template read<PredicateOffer>());
    address_event_o.write(address_event_.template read<AddressEvent>());
    predicate_event_o.write(predicate_event_.template read<PredicateEvent>());
    refused_o.write(refused_.template read<LockRefused>());
    idle_o.write(idle_.template read<bool>());
  }
};

}  // namespace heddle
