// SPDX-License-Identifier: Apache-2.0
// Affine tuples into addresses and predicates, assembled: SystemVerilog twin of affine_expansion.h, which states the
// contract. All state is that of the parts.
module affine_expansion (
  input  logic clk_i,
  input  logic rst_ni,
  input  affine_pkg::Batch batch_i,
  input  affine_pkg::Enqueue enqueue_i,
  input  logic [affine_pkg::Ctas-1:0] passed_i,
  input  affine_pkg::LaneReply lanes_i,
  input  logic request_ready_i,
  input  warp_queues_pkg::LineReply reply_i,
  input  logic [line_locks_pkg::IndexBits-1:0] set_i,
  input  warp_queues_pkg::WarpDequeue address_dequeue_i,
  input  warp_queues_pkg::WarpDequeue predicate_dequeue_i,
  output logic full_o,
  output logic [$clog2(affine_pkg::AtqEntries+1)-1:0] used_o,
  output logic predicate_full_o,
  output logic [affine_pkg::Ctas-1:0] hold_o,
  output affine_pkg::LaneCompare lanes_o,
  output warp_queues_pkg::LineRequest request_o,
  output logic [line_locks_pkg::Lockable*line_locks_pkg::LockedBits-1:0] locked_o,
  output logic [affine_pkg::Warps-1:0] address_ready_o,
  output logic [affine_pkg::Warps-1:0] predicate_ready_o,
  output affine_pkg::AddressOffer address_o,
  output affine_pkg::PredicateOffer predicate_o,
  output affine_pkg::PredicateOffer expanded_o,
  output affine_pkg::AddressEvent address_event_o,
  output affine_pkg::PredicateEvent predicate_event_o,
  output line_locks_pkg::LockRefused refused_o,
  output logic idle_o
);
  affine_pkg::Shape shape;
  logic [affine_pkg::CtaBits-1:0] address_select, predicate_select;
  logic [affine_pkg::Ctas-1:0] address_work, predicate_work;
  affine_pkg::Enqueue address_entry, predicate_entry;
  affine_pkg::Cta address_cta, predicate_cta;
  affine_pkg::Pop address_pop, predicate_pop;
  affine_pkg::AddressOffer address_offer;
  affine_pkg::PredicateOffer predicate_offer;
  logic address_accept, predicate_accept, grant;
  lines_pkg::Unlock unlock;
  logic tuples_idle, addresses_idle, predicates_idle, queues_idle, locks_idle;

  assign expanded_o = predicate_accept ? predicate_offer : '0;
  assign idle_o = tuples_idle && addresses_idle && predicates_idle && queues_idle && locks_idle &&
                  address_work == '0 && predicate_work == '0;

  affine_tuple_queue i_affine_tuple_queue (
    .clk_i, .rst_ni, .batch_i, .enqueue_i, .passed_i, .full_o, .used_o, .hold_o, .shape_o(shape),
    .address_select_i(address_select), .address_pop_i(address_pop), .address_work_o(address_work),
    .address_entry_o(address_entry), .address_cta_o(address_cta),
    .predicate_select_i(predicate_select), .predicate_pop_i(predicate_pop), .predicate_work_o(predicate_work),
    .predicate_entry_o(predicate_entry), .predicate_cta_o(predicate_cta), .idle_o(tuples_idle)
  );
  address_expansion_unit i_address_expansion_unit (
    .clk_i, .rst_ni, .work_i(address_work), .entry_i(address_entry), .cta_i(address_cta), .shape_i(shape),
    .accept_i(address_accept), .select_o(address_select), .offer_o(address_offer), .pop_o(address_pop),
    .event_o(address_event_o), .idle_o(addresses_idle)
  );
  predicate_expansion_unit i_predicate_expansion_unit (
    .clk_i, .rst_ni, .work_i(predicate_work), .entry_i(predicate_entry), .cta_i(predicate_cta), .shape_i(shape),
    .accept_i(predicate_accept), .lanes_i, .select_o(predicate_select), .offer_o(predicate_offer),
    .pop_o(predicate_pop), .lanes_o, .event_o(predicate_event_o), .idle_o(predicates_idle)
  );
  warp_queues i_warp_queues (
    .clk_i, .rst_ni, .address_offer_i(address_offer), .grant_i(grant), .predicate_offer_i(predicate_offer),
    .request_ready_i, .reply_i, .address_dequeue_i, .predicate_dequeue_i, .address_accept_o(address_accept),
    .predicate_accept_o(predicate_accept), .request_o, .address_ready_o, .predicate_ready_o, .predicate_full_o,
    .address_o, .predicate_o, .unlock_o(unlock), .idle_o(queues_idle)
  );
  line_locks i_line_locks (
    .clk_i, .rst_ni, .offer_i(address_offer), .taken_i(address_accept), .unlock_i(unlock), .set_i, .grant_o(grant),
    .locked_o, .refused_o, .idle_o(locks_idle)
  );
endmodule
