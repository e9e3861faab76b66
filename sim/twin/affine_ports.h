// SPDX-License-Identifier: Apache-2.0
// The ports of rtl/affine/affine_expansion and affine_stack, for block_or_twin.h.
#pragma once

#include <systemc>

#include <tuple>

namespace heddle {

template <class Block>
struct affine_expansion_ports {
  decltype(Block::batch_i) batch_i{"batch_i"};
  decltype(Block::enqueue_i) enqueue_i{"enqueue_i"};
  decltype(Block::passed_i) passed_i{"passed_i"};
  decltype(Block::lanes_i) lanes_i{"lanes_i"};
  decltype(Block::request_ready_i) request_ready_i{"request_ready_i"};
  decltype(Block::reply_i) reply_i{"reply_i"};
  decltype(Block::set_i) set_i{"set_i"};
  decltype(Block::address_dequeue_i) address_dequeue_i{"address_dequeue_i"};
  decltype(Block::predicate_dequeue_i) predicate_dequeue_i{"predicate_dequeue_i"};
  decltype(Block::full_o) full_o{"full_o"};
  decltype(Block::used_o) used_o{"used_o"};
  decltype(Block::predicate_full_o) predicate_full_o{"predicate_full_o"};
  decltype(Block::hold_o) hold_o{"hold_o"};
  decltype(Block::lanes_o) lanes_o{"lanes_o"};
  decltype(Block::request_o) request_o{"request_o"};
  decltype(Block::locked_o) locked_o{"locked_o", Block::Lockable};
  decltype(Block::address_ready_o) address_ready_o{"address_ready_o"};
  decltype(Block::predicate_ready_o) predicate_ready_o{"predicate_ready_o"};
  decltype(Block::address_o) address_o{"address_o"};
  decltype(Block::predicate_o) predicate_o{"predicate_o"};
  decltype(Block::expanded_o) expanded_o{"expanded_o"};
  decltype(Block::address_event_o) address_event_o{"address_event_o"};
  decltype(Block::predicate_event_o) predicate_event_o{"predicate_event_o"};
  decltype(Block::refused_o) refused_o{"refused_o"};
  decltype(Block::idle_o) idle_o{"idle_o"};

  auto inputs() {
    return std::tie(batch_i, enqueue_i, passed_i, lanes_i, request_ready_i, reply_i, set_i, address_dequeue_i,
                    predicate_dequeue_i);
  }
  auto outputs() {
    return std::tie(full_o, used_o, predicate_full_o, hold_o, lanes_o, request_o, locked_o, address_ready_o,
                    predicate_ready_o, address_o, predicate_o, expanded_o, address_event_o, predicate_event_o,
                    refused_o, idle_o);
  }
  template <class Core>
  void pass_to(Core& core) {
    core.batch_i(batch_i), core.enqueue_i(enqueue_i), core.passed_i(passed_i);
    core.lanes_i(lanes_i), core.request_ready_i(request_ready_i), core.reply_i(reply_i);
    core.set_i(set_i), core.address_dequeue_i(address_dequeue_i), core.predicate_dequeue_i(predicate_dequeue_i);
    core.full_o(full_o), core.used_o(used_o), core.predicate_full_o(predicate_full_o);
    core.hold_o(hold_o), core.lanes_o(lanes_o), core.request_o(request_o);
    core.locked_o(locked_o), core.address_ready_o(address_ready_o), core.predicate_ready_o(predicate_ready_o);
    core.address_o(address_o), core.predicate_o(predicate_o), core.expanded_o(expanded_o);
    core.address_event_o(address_event_o), core.predicate_event_o(predicate_event_o), core.refused_o(refused_o);
    core.idle_o(idle_o);
  }
  template <class Visit>
  static void each_part(Block& its, const Visit& visit) {
    auto& tuples = its.tuples;
    visit(tuples,
          std::tie(tuples.batch_i, tuples.enqueue_i, tuples.passed_i, tuples.address_select_i,
                   tuples.predicate_select_i, tuples.address_pop_i, tuples.predicate_pop_i),
          std::tie(tuples.full_o, tuples.used_o, tuples.hold_o, tuples.shape_o, tuples.address_work_o,
                   tuples.predicate_work_o, tuples.address_entry_o, tuples.address_cta_o, tuples.predicate_entry_o,
                   tuples.predicate_cta_o, tuples.idle_o));
    auto& addresses = its.addresses;
    visit(addresses,
          std::tie(addresses.work_i, addresses.entry_i, addresses.cta_i, addresses.shape_i, addresses.accept_i),
          std::tie(addresses.select_o, addresses.offer_o, addresses.pop_o, addresses.event_o, addresses.idle_o));
    auto& predicates = its.predicates;
    visit(predicates,
          std::tie(predicates.work_i, predicates.entry_i, predicates.cta_i, predicates.shape_i, predicates.accept_i,
                   predicates.lanes_i),
          std::tie(predicates.select_o, predicates.offer_o, predicates.pop_o, predicates.lanes_o, predicates.event_o,
                   predicates.idle_o));
    auto& queues = its.queues;
    visit(queues,
          std::tie(queues.address_offer_i, queues.grant_i, queues.predicate_offer_i, queues.request_ready_i,
                   queues.reply_i, queues.address_dequeue_i, queues.predicate_dequeue_i),
          std::tie(queues.address_accept_o, queues.predicate_accept_o, queues.request_o, queues.address_ready_o,
                   queues.predicate_ready_o, queues.predicate_full_o, queues.address_o, queues.predicate_o,
                   queues.unlock_o, queues.idle_o));
    auto& locks = its.locks;
    visit(locks, std::tie(locks.offer_i, locks.taken_i, locks.unlock_i, locks.set_i),
          std::tie(locks.grant_o, locks.locked_o, locks.refused_o, locks.idle_o));
  }
};

template <class Block>
struct affine_stack_ports {
  decltype(Block::request_i) request_i{"request_i"};
  decltype(Block::outcome_i) outcome_i{"outcome_i"};
  decltype(Block::next_i) next_i{"next_i"};
  decltype(Block::path_o) path_o{"path_o"};
  decltype(Block::group_o) group_o{"group_o"};
  decltype(Block::depth_o) depth_o{"depth_o"};
  decltype(Block::event_o) event_o{"event_o"};
  decltype(Block::idle_o) idle_o{"idle_o"};

  auto inputs() { return std::tie(request_i, outcome_i, next_i); }
  auto outputs() { return std::tie(path_o, group_o, depth_o, event_o, idle_o); }
  template <class Core>
  void pass_to(Core& core) {
    core.request_i(request_i), core.outcome_i(outcome_i), core.next_i(next_i);
    core.path_o(path_o), core.group_o(group_o), core.depth_o(depth_o);
    core.event_o(event_o), core.idle_o(idle_o);
  }
};

}  // namespace heddle
