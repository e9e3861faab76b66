#include "sim/sm/issue_pipeline.h"

namespace heddle {

IssuePipeline::IssuePipeline(const DesignPoint& point, unsigned scheduler, const Mechanism& mechanism,
                             IssueSlice& slice, RegisterFile& registers, const OperandCollector& operands,
                             CtaUnit& ctas, AddressUnit& addresses, load_store_unit& lsu, InFlightPool& in_flight,
                             Counters& counters)
    : slice_(slice),
      in_flight_(in_flight),
      writeback_(in_flight, registers),
      execute_(point, registers, operands, ctas, addresses, lsu, writeback_, in_flight, counters,
               divergence_named(mechanism.divergence).barriers),
      issue_(point, scheduler, mechanism, slice, execute_, registers, ctas, lsu, in_flight, counters) {}

void IssuePipeline::load(const isa::Launch& launch) {
  execute_.load(*launch.program);
  issue_.load(launch);
}

bool IssuePipeline::step(std::uint64_t cycle, std::uint64_t cycles) {
  const SliceView view = slice_.sample();
  issue_.hear(view, cycle, cycles);
  const Executed done = execute_.step(cycle);
  if (done.convergence.op == BarrierOp::Jump) slice_.set_targets(execute_.targets());
  issue_.executed(done);
  if (view.granted) execute_.accept(issue_.issue(view));
  const WrittenBack result = writeback_.step(cycle);
  issue_.written(result);
  issue_.drive(done, result);
  return view.granted;
}

void IssuePipeline::complete(unsigned token, std::uint64_t cycle) {
  const InFlight& flight = in_flight_[token];
  if (!flight.instruction->destination.is_none()) {
    writeback_.expect(token, cycle, 0);
    return;
  }
  issue_.retired(flight.warp);
  in_flight_.give_back(token);
}

std::vector<std::uint64_t> IssuePipeline::shows() const {
  std::vector<std::uint64_t> values = issue_.shows();
  values.push_back(writeback_.waiting());
  return values;
}

}  // namespace heddle
