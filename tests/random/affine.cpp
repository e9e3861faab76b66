// SPDX-License-Identifier: Apache-2.0
#include "tests/random/affine.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tests/random/text.h"

namespace heddle::tests {

namespace {

using Words = RandomProgramWords;

constexpr unsigned DataWords = 5, Tuples = 4, Pointers = 2, Predicates = 3;  // that live throughout
constexpr unsigned LoopsInside = 3, MostTrips = 4;
constexpr long TableBytes = 4L * RandomAffineWords::Table;
constexpr long MostTuple = 4096;                         // what such a register holds at most, on either side of zero
constexpr long Margin = 64;                              // of what a pointer points at, for offsets of accesses
constexpr unsigned CountedWords = 2, FirstCounted = 32;  // a block, among the common words, for its atomics

/// What a register may hold.
struct Range {
  long lo = 0, hi = 0;

  Range operator+(const Range& other) const { return {lo + other.lo, hi + other.hi}; }
  Range operator*(long factor) const {
    return {std::min(lo * factor, hi * factor), std::max(lo * factor, hi * factor)};
  }
  Range operator|(const Range& other) const { return {std::min(lo, other.lo), std::max(hi, other.hi)}; }
  bool is_within(const Range& other) const { return lo >= other.lo && hi <= other.hi; }
};

/// A register, and what it may hold.
struct Known {
  std::string name;
  Range range;
  bool is_held = false;  // a loop moves it by steps: nobody else writes it
};

/// A product of a sum.
struct Term {
  std::string name;
  Range range;
  long factor;
};
struct Sum {
  std::vector<Term> terms;
  Range range() const {
    Range all;
    for (const Term& term : terms) all = all + term.range * term.factor;
    return all;
  }
};

/// Elements that belong to the threads: that of thread t and index e is at pointer + e * step, its pointer at
/// base + origin + t * stride.
struct Region {
  const char *pointer, *base;
  unsigned bytes, elements;
  long origin, stride, step;
};

/// What a place in the program may do.
struct Condition {
  std::string predicate;
  bool same_in_block = false;  // all its threads go one way
  bool same_for_all = false;
};

class AffineGenerator : private RandomText {
 public:
  explicit AffineGenerator(std::uint64_t seed)
      : RandomText(seed ^ 0xaff1e), point_(seed % 2 == 0 ? point::isca17::Values : point::tiny::Values) {
    program_.seed = seed;
    program_.flavour = Flavour::Affine;
    program_.point = &point_;
    program_.flags = static_cast<std::uint32_t>(random_.next());
    paths_left_ = static_cast<int>(std::min(point_.affine_depth - 1, point_.affine_lane_depth));
    nests_left_ = static_cast<int>(max_nesting(point_));
  }

  RandomProgram random() {
    shape();
    has_atomics_ = chance(12);
    has_fences_ = chance(8);
    has_leavers_ = chance(40);
    if (chance(6)) program_.input_shift = 1 + below(3);
    barrier_number_ = chance(3) ? 1 : 0;
    choose_regions();
    prologue();
    if (chance(35)) exit_of_some();
    if (has_leavers_ && chance(60)) leave_early();
    const unsigned parts = 1 + below(4);
    for (unsigned part = 0; part < parts; ++part) {
      statements_left_ = 3 + below(paths_left_ > 4 ? 12 : 8);
      block(2 + below(4));
      if (part + 1 != parts) barriers();
    }
    return finish();
  }

 private:
  // ---- shapes ----

  void shape() {
    const unsigned lanes = point_.lanes, most = std::min(Words::MaxThreads, point_.warps * lanes);
    unsigned dimensions = 1 + below(3);
    do {
      block_ = {1 + below(most), 1, 1};
      if (chance(30)) block_.x = lanes * (1 + below(most / lanes));
      if (dimensions > 1) {
        block_.x = chance(30) ? lanes : 1 + below(lanes == 4 ? 4 : 40);
        block_.y = 1 + below(lanes == 4 ? 4 : 8);
      }
      if (dimensions > 2) block_.z = 1 + below(4);
    } while (block_.count() > most);
    threads_ = static_cast<unsigned>(block_.count());
    const unsigned blocks = std::min({Words::MaxThreads / threads_, 12U, 1 + below(12)});
    dimensions = 1 + below(3);
    grid_ = {blocks, 1, 1};
    if (dimensions > 1) {
      grid_.y = 1 + below(3);
      grid_.x = std::max(1U, blocks / grid_.y);
      if (dimensions > 2 && grid_.x > 1) grid_.z = 2, grid_.x /= 2;
    }
    while (grid_.count() > blocks) grid_ = {blocks, 1, 1};
    blocks_ = static_cast<unsigned>(grid_.count());
    program_.grid = grid_, program_.block = block_;
    const auto add = [this](const char* name, unsigned extent) { indices_.push_back({name, {0, long(extent) - 1}}); };
    add("%tx", block_.x), add("%ty", block_.y), add("%tz", block_.z);
    add("%cx", grid_.x), add("%cy", grid_.y), add("%cz", grid_.z);
    add("%t", threads_);
    add("%gid", threads_ * blocks_);
  }

  // ---- memory ----

  Region laid_out(const char* pointer, const char* base, long first, unsigned bytes, unsigned elements) {
    constexpr long Threads = Words::MaxThreads;
    Region region{pointer, base, bytes, elements, first, bytes * elements, bytes};
    if (chance(40)) region.stride = bytes, region.step = bytes * Threads;  // thread by thread
    if (chance(35)) {                                                      // from the end downwards
      region.origin += region.stride * (Threads - 1);
      region.stride = -region.stride;
    }
    return region;
  }

  void choose_regions() {
    shared_ = laid_out("%shared", "%scratch", 0, 4, 2);
    own_ = {laid_out("%own0", "%scratch", 2048, 4, 3), laid_out("%own1", "%scratch", 5120, 2, 2),
            laid_out("%own2", "%scratch", 6144, 1, 4), laid_out("%own3", "%output", 0, 4, Words::Output)};
    static_assert(6144 + 1024 <= 4 * Words::Scratch * Words::MaxThreads);
  }

  Region& any_region() { return own_[below(static_cast<unsigned>(own_.size()))]; }

  void point_into(const Region& region) {
    line("mad.lo.s32 %first, %gid, {}, {};", region.stride, region.origin);
    line("cvt.s64.s32 {}, %first;", region.pointer);
    line("add.s64 {0}, {1}, {0};", region.pointer, region.base);
  }

  void prologue() {
    line("ld.param.u64 %table, [random_param_0];");
    line("ld.param.u64 %input, [random_param_1];");
    line("ld.param.u64 %scratch, [random_param_2];");
    line("ld.param.u64 %output, [random_param_3];");
    line("ld.param.u32 %flags, [random_param_4];");
    if (chance(2) && program_.input_shift == 0)  // no tuple says where they point
      for (const char* pointer : {"%table", "%input", "%scratch", "%output"}) line("and.b64 {0}, {0}, -4;", pointer);
    for (const char* axis : {"x", "y", "z"}) {
      line("mov.u32 %t{0}, %tid.{0};", axis);
      line("mov.u32 %c{0}, %ctaid.{0};", axis);
    }
    line("mov.u32 %t, %ntid.y;");
    line("mad.lo.u32 %t, %tz, %t, %ty;");
    line("mov.u32 %first, %ntid.x;");
    line("mad.lo.u32 %t, %t, %first, %tx;");
    line("mov.u32 %gid, %nctaid.y;");
    line("mad.lo.u32 %gid, %cz, %gid, %cy;");
    line("mov.u32 %first, %nctaid.x;");
    line("mad.lo.u32 %cta, %gid, %first, %cx;");
    line("mad.lo.u32 %gid, %cta, {}, %t;", threads_);
    line("add.s64 %end, %table, {};", TableBytes);
    line("add.s64 %counted, %scratch, {};", 4 * (Words::Scratch * Words::MaxThreads + FirstCounted));
    point_into(shared_);
    for (const Region& region : own_) point_into(region);
    line("mul.wide.u32 %u0, %gid, {};", 4 * Words::Input);
    pairs_ = 1;
    line("add.s64 %input, %input, %u0;");
    for (unsigned v = 0; v < DataWords; ++v)
      line("ld.global.{} %v{}, [%input+{}];", program_.input_shift != 0 ? "u8" : "u32", v, 4 * v);
    line("mov.u32 %seen, %gid;");
    for (unsigned p = 0; p < Predicates; ++p) line("setp.lt.u32 %p{}, %v{}, %v{};", p, p, p + 1);
    for (unsigned a = 0; a < Tuples; ++a) tuples_[a].name = fmt::format("%a{}", a);
    for (unsigned w = 0; w < Pointers; ++w) pointers_[w].name = fmt::format("%w{}", w);
    for (Known& tuple : tuples_) line("mov.u32 {}, 0;", tuple.name);
    for (Known& tuple : tuples_) set_tuple(tuple);
    for (Known& pointer : pointers_) set_pointer(pointer);
  }

  // ---- values ----

  std::string any_data() { return fmt::format("%v{}", below(DataWords)); }
  /// What was loaded lately is read soon.
  std::string read_data() { return !loaded_.empty() && chance(50) ? loaded_ : any_data(); }
  std::string write_data() { return loaded_ = any_data(); }
  std::string any_predicate() { return fmt::format("%p{}", below(Predicates)); }
  Known& any_tuple() { return tuples_[below(Tuples)]; }

  Range tuple_limits() const { return {-MostTuple, MostTuple}; }
  Range pointer_limits() const { return {Margin, TableBytes - 2 * Margin}; }

  /// Something affine: an index, a counter, a register of tuples; now and then nothing.
  Known any_index() {
    const unsigned counters = static_cast<unsigned>(counters_.size());
    const unsigned which = below(100);
    if (which < 20 && counters != 0) return counters_[below(counters)];
    if (which < 45) return any_tuple();
    return indices_[which < 75 ? below(3) : below(static_cast<unsigned>(indices_.size()))];
  }

  /// A sum that stays within so many on either side of zero, each factor a multiple of `unit`.
  Sum any_sum(long most, long unit) {
    constexpr long Factors[] = {1, 4, 8, 12, 64, 4096};
    Sum sum;
    for (unsigned count = chance(12) ? 0 : 1 + below(3); count-- != 0;) {
      const Known index = any_index();
      long factor = Factors[below(6)];
      if (factor % unit != 0) factor = unit;
      if (chance(25)) factor = -factor;
      sum.terms.push_back({index.name, index.range, factor});
      if (!sum.range().is_within({-most, most})) sum.terms.back().factor = factor < 0 ? -unit : unit;
      if (!sum.range().is_within({-most, most})) sum.terms.pop_back();
    }
    return sum;
  }

  /// A register of 32 bits with the sum and `more`: a new one, or this one.
  std::string computed(const Sum& sum, long more, const std::string& into = "") {
    std::string all = std::to_string(more);
    for (const Term& term : sum.terms) {
      const std::string next = &term == &sum.terms.back() && !into.empty() ? into : word();
      if (chance(25) && term.factor > 0 && (term.factor & (term.factor - 1)) == 0) {
        line("shl.b32 {}, {}, {};", next, term.name, __builtin_ctzl(static_cast<unsigned long>(term.factor)));
        line("add.s32 {0}, {0}, {1};", next, all);
      } else if (chance(20)) {
        line("mul.lo.s32 {}, {}, {};", next, term.name, -term.factor);
        line("sub.s32 {0}, {1}, {0};", next, all);
      } else {
        line("mad.lo.s32 {}, {}, {}, {};", next, term.name, term.factor, all);
      }
      all = next;
    }
    if (!sum.terms.empty()) return all;
    const std::string only = into.empty() ? word() : into;
    line("mov.u32 {}, {};", only, more);
    return only;
  }

  /// A register with base + the sum + `more`.
  std::string pointed(const char* base, const Sum& sum, long more) {
    const std::string address = pair();
    if (chance(50) || sum.terms.empty()) {
      const std::string offset = computed(sum, more);
      if (chance(50)) {
        line("cvt.s64.s32 {}, {};", address, offset);
        line("add.s64 {0}, {1}, {0};", address, base);
      } else {
        line("mad.wide.s32 {}, {}, 1, {};", address, offset, base);
      }
      return address;
    }
    line("add.s64 {}, {}, {};", address, base, more);
    for (const Term& term : sum.terms) {
      const bool is_positive = term.range.lo >= 0 && term.factor > 0;
      line("mad.wide.{0} {1}, {2}, {3}, {1};", is_positive && chance(50) ? "u32" : "s32", address, term.name,
           term.factor);
    }
    return address;
  }

  void set_tuple(Known& tuple) {
    if (tuple.is_held) return;
    const unsigned which = below(100);
    if (which < 12 && statements_left_ != 0) {  // no tuple
      if (chance(50))
        line("and.b32 {}, {}, {};", tuple.name, read_data(), 255);
      else
        line("rem.u32 {}, {}, 100;", tuple.name, read_data());
      tuple.range = {0, 255};
    } else if (which < 20) {
      line("and.b32 {}, %flags, {};", tuple.name, 7 << below(5));
      tuple.range = {0, 7 << 4};
    } else if (which < 30) {
      const Known of = any_index();
      const long limit = 1 + below(200);
      line("{}.s32 {}, {}, {};", chance(50) ? "min" : "max", tuple.name, of.name, limit);
      tuple.range = (of.range | Range{limit, limit});
    } else if (which < 36 && statements_left_ != 0) {
      const Known one = any_index(), other = any_index();
      line("selp.b32 {}, {}, {}, {};", tuple.name, one.name, other.name, any_predicate());
      tuple.range = one.range | other.range;
    } else {
      const Sum sum = any_sum(MostTuple / 2, 1);
      const long more = static_cast<long>(below(MostTuple)) - MostTuple / 2;
      const bool is_copied = chance(30);
      const std::string value = computed(sum, more, is_copied ? "" : tuple.name);
      if (is_copied) line("mov.u32 {}, {};", tuple.name, value);
      tuple.range = sum.range() + Range{more, more};
    }
  }

  /// An offset of a table's word, of which that many bytes may be read.
  long any_start(const Range& range, long unit, const Range& limits) {
    const long lowest = (limits.lo - range.lo + unit - 1) / unit * unit;
    const long places = (limits.hi - range.hi - lowest) / unit;
    return lowest + unit * static_cast<long>(below(static_cast<unsigned>(places + 1)));
  }

  void set_pointer(Known& pointer) {
    if (pointer.is_held) return;
    const Sum sum = any_sum(TableBytes / 3, 4);
    const long start = any_start(sum.range(), 4, pointer_limits());
    const bool is_from_end = chance(30);
    const std::string address = pointed(is_from_end ? "%end" : "%table", sum, is_from_end ? start - TableBytes : start);
    line("mov.u64 {}, {};", pointer.name, address);
    pointer.range = sum.range() + Range{start, start};
  }

  // ---- accesses ----

  const char* type_of(unsigned bytes) {
    if (bytes == 1) return chance(50) ? "u8" : "s8";
    if (bytes == 2) return chance(50) ? "u16" : "s16";
    return chance(50) ? "u32" : "b32";
  }

  void load(const std::string& guard, unsigned bytes, const std::string& address, long offset) {
    const char* const kind = chance(2) ? ".volatile" : "";
    line("{}ld{}.global.{} {}, [{}+{}];", guard, kind, type_of(bytes), write_data(), address, offset);
    if (chance(60)) line("mad.lo.u32 %seen, %seen, 5, {};", loaded_);
  }

  unsigned any_bytes() { return 1U << std::min(below(5), 2U); }

  void load_table(const std::string& guard = "") {
    const unsigned bytes = any_bytes();
    if (chance(25)) {
      const Known& pointer = pointers_[below(Pointers)];
      return load(guard, bytes, pointer.name, bytes * below(Margin / bytes));
    }
    const Sum sum = any_sum(TableBytes / 3, bytes);
    const long start = any_start(sum.range(), bytes, pointer_limits());
    const long offset = chance(50) ? bytes * (static_cast<long>(below(32)) - 16) : 0;
    const bool is_from_end = chance(30);
    const std::string address =
        pointed(is_from_end ? "%end" : "%table", sum, (is_from_end ? start - TableBytes : start) - offset);
    if (chance(4)) {  // words of eight bytes are not decoupled
      const std::string wide = pair(), aligned = pair();
      line("and.b64 {}, {}, -8;", aligned, address);
      line("ld.global.u64 {}, [{}];", wide, aligned);
      return line("cvt.u32.u64 {}, {};", write_data(), wide);
    }
    load(guard, bytes, address, offset);
  }

  void load_by(const Known& tuple) {
    const unsigned bytes = any_bytes();
    const Sum sum{{{tuple.name, tuple.range, static_cast<long>(bytes)}}};
    const std::string address = pointed("%table", sum, any_start(sum.range(), bytes, pointer_limits()));
    load("", bytes, address, 0);
  }

  void look_up() {
    const std::string entry = word(), address = pair();
    line("and.b32 {}, {}, {};", entry, read_data(), RandomAffineWords::Table - 1);
    line("mad.wide.u32 {}, {}, 4, %table;", address, entry);
    load("", 4, address, 0);
  }

  struct Place {
    std::string pointer;
    long offset;
  };

  /// An element of this thread: by a constant, by a counter, by data.
  Place own_place(const Region& region) {
    const unsigned which = below(10);
    const long element = static_cast<long>(below(region.elements));
    if (which < 2) {  // computed anew
      const std::string offset = word(), address = pair();
      line("mad.lo.s32 {}, %gid, {}, {};", offset, region.stride, region.origin + element * region.step);
      line("mad.wide.s32 {}, {}, 1, {};", address, offset, region.base);
      return {address, 0};
    }
    if (which < 5 && !counters_.empty()) {
      const Known& counter = counters_[below(static_cast<unsigned>(counters_.size()))];
      if (counter.range.is_within({0, long(region.elements) - 1})) {
        const std::string address = pair();
        line("mad.wide.s32 {}, {}, {}, {};", address, counter.name, region.step, region.pointer);
        return {address, 0};
      }
    }
    if (which == 5) {
      const std::string entry = word(), address = pair();
      line("rem.u32 {}, {}, {};", entry, read_data(), region.elements);
      line("mad.wide.u32 {}, {}, {}, {};", address, entry, region.step, region.pointer);
      return {address, 0};
    }
    return {region.pointer, element * region.step};
  }

  void load_own(const std::string& guard = "") {
    const Region& region = any_region();
    const Place place = own_place(region);
    const unsigned bytes = std::min(region.bytes, any_bytes());
    load(guard, bytes, place.pointer, place.offset + bytes * below(region.bytes / bytes));
  }

  void store(const std::string& guard, unsigned bytes, const Place& place, const std::string& value) {
    constexpr const char* Types[] = {"", "u8", "u16", "", "u32"};
    line("{}st.global.{} [{}+{}], {};", guard, Types[bytes], place.pointer, place.offset, value);
  }

  void store_own(const std::string& guard = "") {
    const Region& region = any_region();
    Place place = own_place(region);
    const unsigned bytes = std::min(region.bytes, any_bytes());
    place.offset += bytes * below(region.bytes / bytes);
    store(guard, bytes, place, chance(20) ? any_index().name : read_data());
  }

  /// While the block may not look: this thread's element. Then: that of any thread of the block.
  void exchange() {
    if (!is_open_) {
      if (has_atomics_ && chance(60)) return add_to_count();
      const Place place{shared_.pointer, static_cast<long>(below(shared_.elements)) * shared_.step};
      return store("", 4, place, read_data());
    }
    if (has_atomics_ && chance(40)) {
      const std::string address = pair();
      line("mad.wide.u32 {}, %cta, {}, %counted;", address, 4 * CountedWords);
      return load("", 4, address, 4 * below(CountedWords));
    }
    const std::string other = word(), address = pair();
    switch (below(6)) {
      case 0:
        line("mad.lo.u32 {}, %cta, {}, {};", other, threads_, below(threads_));  // all look at one
        break;
      case 1:
      case 2:  // in the other order
        line("mad.lo.u32 {}, %cta, {}, {};", other, threads_, threads_ - 1);
        line("sub.u32 {0}, {0}, %t;", other);
        break;
      case 3:
        line("mad.lo.u32 {}, %cta, {}, %tx;", other, threads_);
        break;
      case 4:
        line("mad.lo.u32 {}, %cta, {}, %gid;", other, 0);  // its own
        break;
      default:
        line("add.u32 {}, %t, {};", other, 1 + below(40));
        line("rem.u32 {0}, {0}, {1};", other, threads_);
        line("mad.lo.u32 {0}, %cta, {1}, {0};", other, threads_);
    }
    line("mad.lo.s32 {0}, {0}, {1}, {2};", other, shared_.stride, shared_.origin);
    line("cvt.s64.s32 {}, {};", address, other);
    line("add.s64 {0}, {0}, %scratch;", address);
    load("", 4, address, static_cast<long>(below(shared_.elements)) * shared_.step);
  }

  void add_to_count() {
    const std::string address = pair();
    line("mad.wide.u32 {}, %cta, {}, %counted;", address, 4 * CountedWords);
    line("red.global.add.u32 [{}+{}], {};", address, 4 * below(CountedWords), read_data());
  }

  /// Adds to a sum of all threads, which is never read.
  void add_to_sum() {
    line("red.global.add.u32 [%scratch+{}], {};", 4 * (Words::Scratch * Words::MaxThreads + below(8)), read_data());
  }

  void barrier() {
    line("bar.sync {};", barrier_number_);
    is_open_ = !is_open_;
  }

  /// Some in a row, with nothing between them or little: no warp waits for the affine one there.
  void barriers() {
    barrier();
    for (unsigned more = chance(35) ? 1 + below(3) : 0; more-- != 0;) {
      if (chance(40)) arithmetic();
      barrier();
    }
  }

  // ---- statements ----

  void block(unsigned count) {
    for (unsigned i = 0; i < count && statements_left_ != 0; ++i) {
      --statements_left_;
      if (chance(level_ == 0 ? 50 : 35))
        compound();
      else if (is_uniform_ && chance(10) && level_ != 0)
        barrier();
      else if (has_leavers_ && chance(15))
        leave_early();
      else
        for (unsigned n = 1 + below(3); n-- != 0;) simple();
    }
  }

  void simple() {
    switch (below(22)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return load_table();
      case 4:
      case 5:
      case 6:
        return load_own();
      case 7:
      case 8:
      case 9:
      case 10:
        return store_own();
      case 11:
      case 12:
        return exchange();
      case 13:
      case 14: {
        Known& tuple = any_tuple();
        set_tuple(tuple);
        if (chance(50)) load_by(tuple);
        return;
      }
      case 15:
        return set_pointer(pointers_[below(Pointers)]);
      case 16:
        return guarded();
      case 17:
        return line("setp.{}.u32 {}, {}, {};", comparison(), any_predicate(), read_data(), any_data());
      case 18:
        return chance(50) ? look_up() : line("add.u32 {0}, {0}, {1};", any_data(), any_index().name);
      case 19:
        if (has_atomics_) return add_to_sum();
        return has_fences_ ? line("membar.gl;")
                           : line("selp.b32 {}, {}, {}, {};", any_data(), read_data(), any_data(), any_predicate());
      default:
        return arithmetic();
    }
  }

  void arithmetic() {
    constexpr const char* Names[] = {"add.u32", "sub.u32", "xor.b32", "mul.lo.u32", "min.u32", "max.s32"};
    line("{} {}, {}, {};", Names[below(6)], any_data(), read_data(), any_data());
  }

  void guarded() {
    const std::string guard = fmt::format("@{}{} ", chance(50) ? "!" : "", any_predicate());
    switch (below(4)) {
      case 0:
        return load_own(guard);
      case 1:
        return store_own(guard);
      case 2:
        return load_table(guard);
      default: {
        Known& tuple = any_tuple();
        if (tuple.is_held) return;
        const long value = static_cast<long>(below(64));
        line("{}mov.u32 {}, {};", guard, tuple.name, value);
        tuple.range = tuple.range | Range{value, value};
      }
    }
  }

  // ---- conditions ----

  const char* comparison() {
    constexpr const char* Names[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    return Names[below(4 + 2 * (below(4) == 0))];
  }

  Condition condition() {
    Condition result{flag()};
    const std::string& p = result.predicate;
    const auto of = [&](const Known& index) {
      const long middle =
          index.range.lo + static_cast<long>(below(static_cast<unsigned>(index.range.hi - index.range.lo) + 2));
      line("setp.{}.{} {}, {}, {};", comparison(), chance(50) || index.range.lo < 0 ? "s32" : "u32", p, index.name,
           middle);
    };
    switch (below(15)) {
      case 0:
      case 1: {
        const std::string bits = word();
        line("and.b32 {}, %flags, {};", bits, 1U << below(8));
        line("setp.ne.u32 {}, {}, 0;", p, bits);
        result.same_in_block = result.same_for_all = true;
        break;
      }
      case 2:
      case 3:
        of(indices_[3 + below(3)]);
        result.same_in_block = true;
        break;
      case 4:
      case 5:
      case 6:
        of(indices_[below(3)]);
        break;
      case 7:
        of(any_index());
        break;
      case 8: {  // it wraps
        const std::string product = word();
        line("mad.lo.s32 {}, {}, {}, {};", product, any_index().name, 0x1357'9bdU << below(5), below(1U << 30));
        line("setp.{}.{} {}, {}, {};", comparison(), chance(50) ? "s32" : "u32", p, product,
             static_cast<std::int32_t>(random_.next()));
        break;
      }
      case 9: {
        const std::string scaled = word();
        line("mul.lo.s32 {}, %cx, {};", scaled, 1 + below(20));
        line("setp.{}.s32 {}, {}, {};", comparison(), p, chance(50) ? "%t" : any_index().name, scaled);
        break;
      }
      case 10:
        line("setp.{}.s32 {}, {}, {};", comparison(), p, any_index().name, any_index().name);
        break;
      case 11:
        line("and.pred {}, {}, {};", p, any_predicate(), any_predicate());
        break;
      default: {
        const std::string bits = word();
        line("and.b32 {}, {}, {};", bits, read_data(), 1U << below(8));
        line("setp.ne.u32 {}, {}, 0;", p, bits);
      }
    }
    return result;
  }

  std::string guard_of(const Condition& condition) {
    return fmt::format("@{}{}", chance(50) ? "!" : "", condition.predicate);
  }

  // ---- control flow ----

  struct State {
    std::array<Known, Tuples> tuples;
    std::array<Known, Pointers> pointers;
  };
  State state() const { return {tuples_, pointers_}; }
  void set(const State& state) { tuples_ = state.tuples, pointers_ = state.pointers; }
  void join(const State& other) {
    for (unsigned a = 0; a < Tuples; ++a) tuples_[a].range = tuples_[a].range | other.tuples[a].range;
    for (unsigned w = 0; w < Pointers; ++w) pointers_[w].range = pointers_[w].range | other.pointers[w].range;
  }
  /// What a turn of a loop may have left.
  void forget() {
    for (Known& tuple : tuples_)
      if (!tuple.is_held) tuple.range = tuple_limits();
    for (Known& pointer : pointers_)
      if (!pointer.is_held) pointer.range = pointer_limits();
  }

  void compound() {
    if (loops_ < LoopsInside && chance(40))
      loop();
    else
      choose();
  }

  /// \param first_by  the register of an address before anything else, if any
  void side(const Known* first_by = nullptr) {
    const bool was_open = is_open_;
    ++indent_, ++level_;
    if (first_by != nullptr)
      load_by(*first_by);
    else if (chance(25))
      load_by(any_tuple());
    block(1 + below(4));
    if (chance(20) && is_uniform_) barrier();
    if (is_open_ != was_open) barrier();
    --indent_, --level_;
  }

  void choose() {
    const Condition by = condition();
    const int cost = by.same_for_all ? 0 : chance(65) && paths_left_ >= 2 ? 2 : 1;
    const bool is_two_sided = cost == 2 || (cost == 0 && chance(60));
    if (!may_part(cost)) return;
    const bool was_uniform = is_uniform_;
    const std::string met = new_label("MET"), other = is_two_sided ? new_label("ELSE") : met;
    line("{} bra {};", guard_of(by), other);
    part(cost);
    is_uniform_ = was_uniform && by.same_in_block;
    // One register of which both sides read an address, and which one of them writes first.
    Known* const both = is_two_sided && chance(12) ? &any_tuple() : nullptr;
    const bool first_writes = chance(50);
    const State before = state();
    if (both != nullptr && first_writes) set_tuple(*both);
    side(both);
    if (chance(8)) leave_here();
    const State first = state();
    set(before);
    if (is_two_sided) {
      line("bra {};", met);
      label(other);
      if (both != nullptr && !first_writes) set_tuple(*both);
      side(both);
    }
    label(met);
    join(first);
    if (both != nullptr) load_by(*both);
    meet(cost);
    is_uniform_ = was_uniform;
    if (chance(60)) load_table();
  }

  /// How often a loop turns: its counter goes from `first` by `step` while it is below `limit`.
  struct Trips {
    Range first, limit;
    std::string from, to;
    long step = 1;
    bool same_in_block = false, same_for_all = false;
    bool is_signed = true;
    unsigned most(bool test_first) const {
      const long turns = (limit.hi - first.lo + step - 1) / step;
      return static_cast<unsigned>(std::max(turns, test_first ? 0L : 1L));
    }
  };

  Trips trips() {
    Trips t;
    t.from = "0", t.to = word();
    switch (below(8)) {
      case 0: {
        const long limit = 1 + below(MostTrips);
        t.step = 1 + below(2);
        t.limit = {limit * t.step, limit * t.step};
        line("mov.u32 {}, {};", t.to, limit * t.step);
        t.same_in_block = t.same_for_all = true;
        break;
      }
      case 1:
        line("and.b32 {}, %flags, {};", t.to, MostTrips - 1);
        t.limit = {0, MostTrips - 1};
        t.same_in_block = t.same_for_all = true;
        break;
      case 2: {
        const Known& block = indices_[3 + below(3)];
        if (block.range.hi > MostTrips) {
          line("sub.u32 {}, {}, {};", t.to, block.name, block.range.hi - long(MostTrips));  // negative for most
          t.limit = {-block.range.hi, MostTrips};
        } else {
          line("sub.u32 {}, {}, {};", t.to, MostTrips, block.name);
          t.limit = {0, MostTrips};
        }
        t.same_in_block = true;
        break;
      }
      case 3:
      case 4: {
        const Known& index = indices_[below(3)];
        const long factor = index.range.hi <= MostTrips ? 1 + below(2) : 1;
        line("mad.lo.s32 {}, {}, {}, {};", t.to, index.name, -factor, 1 + below(MostTrips));
        t.limit = {-factor * index.range.hi, MostTrips};
        break;
      }
      case 5: {  // strided over what the block or the thread is
        const Known& index = indices_[below(3)];
        t.from = index.name, t.first = index.range;
        t.step = index.range.hi + 1;
        const long limit = 1 + below(static_cast<unsigned>(3 * t.step));
        line("mov.u32 {}, {};", t.to, limit);
        t.limit = {limit, limit};
        break;
      }
      default:
        line("and.b32 {}, {}, {};", t.to, read_data(), MostTrips - 1);
        t.limit = {0, MostTrips - 1};
    }
    return t;
  }

  /// Registers that this loop moves on at the end of each turn, and by how much.
  struct Moved {
    Known* what;
    long step;
  };
  void hold(std::vector<Moved>& moved, Known& known, long step, unsigned turns, const Range& limits) {
    const Range range = known.range | (known.range + Range{step * turns, step * turns});
    if (known.is_held || !range.is_within(limits)) return;
    known.range = range;
    known.is_held = true;
    moved.push_back({&known, step});
  }

  void loop() {
    const Trips t = trips();
    const int cost = t.same_for_all ? 0 : 1;
    if (!may_part(cost)) return;
    const bool test_first = chance(60), was_uniform = is_uniform_, was_open = is_open_;
    const std::string counter = fmt::format("%i{}", loops_used_++);
    const std::string head = new_label("LOOP"), next = new_label("NEXT"), out = new_label("OUT"), done = flag();
    const unsigned turns = t.most(test_first);
    line("mov.u32 {}, {};", counter, t.from);

    const State before = state();
    std::vector<Moved> moved;
    constexpr long Steps[] = {4, 8, 12, 64, 128, 4096, -4, -12, -4096};
    for (Known& pointer : pointers_)
      if (chance(40)) hold(moved, pointer, Steps[below(9)], turns, pointer_limits());
    if (chance(40)) hold(moved, any_tuple(), static_cast<long>(below(33)) - 16, turns, tuple_limits());
    forget();

    label(head);
    ++indent_, ++level_, ++loops_;
    part(cost);
    is_uniform_ = was_uniform && t.same_in_block;
    if (test_first) {
      line("setp.ge.s32 {}, {}, {};", done, counter, t.to);
      line("@{} bra {};", done, out);
    }
    counters_.push_back({counter, {t.first.lo, std::max(t.limit.hi - 1, t.first.hi)}});
    const bool jumps = chance(30), uniform_here = is_uniform_;
    if (jumps) is_uniform_ = false;
    block(1 + below(4));
    if (jumps) jump(next, out, turns);
    is_uniform_ = uniform_here && !jumps;
    if (is_open_ != was_open) barrier();
    counters_.pop_back();
    --indent_;
    label(next);
    ++indent_;
    for (const Moved& one : moved)
      line("add.{0} {1}, {1}, {2};", one.what->name[1] == 'w' ? "s64" : "s32", one.what->name, one.step);
    line("add.s32 {0}, {0}, {1};", counter, t.step);
    if (test_first) {
      line("bra {};", head);
    } else {
      line("setp.lt.s32 {}, {}, {};", done, counter, t.to);
      line("@{} bra {};", done, head);
    }
    --indent_, --level_, --loops_;
    label(out);
    for (const Moved& one : moved) one.what->is_held = false;
    forget();
    join(before);
    meet(cost);
    is_uniform_ = was_uniform;
  }

  /// Break or continue; with what was loaded, often.
  void jump(const std::string& next, const std::string& out, unsigned turns) {
    const int nested = static_cast<int>(turns) + 1;
    if (chance(6)) {  // on a word of the thread, but who compiles does not know that
      line("atom.global.add.u32 {}, [{}+0], 1;", write_data(), own_.front().pointer);
      line("setp.gt.s32 {0}, {1}, {2};", any_predicate(), loaded_, static_cast<std::int32_t>(random_.next()));
      line("@{} bra {};", any_predicate(), out);
    }
    if (paths_left_ > nested && nests_left_ > 0 && chance(50)) {
      const Condition outer = condition();
      const std::string past = new_label("PAST");
      line("{} bra {};", guard_of(outer), past);
      const State before = state();
      part(nested);
      side();
      const Condition inner = condition();
      line("{} bra {};", guard_of(inner), chance(50) ? out : next);
      simple();
      label(past);
      join(before);
      block(1 + below(2));
      meet(nested);
      return;
    }
    const bool leaves = !may_part(1) || chance(60);
    const Condition by = condition();
    line("{} bra {};", guard_of(by), leaves ? out : next);
    part(leaves ? 0 : 1);
    block(1 + below(2));
    meet(leaves ? 0 : 1);
  }

  // ---- room in the stacks ----

  /// Threads go apart: that takes so many paths of the affine stack, and of the warps' stacks a level, or nothing where
  /// all of the block agree.
  bool may_part(int paths) const { return paths == 0 || (paths_left_ >= paths && nests_left_ > 0); }
  void part(int paths) {
    paths_left_ -= paths;
    nests_left_ -= paths == 0 ? 0 : 1;
  }
  void meet(int paths) {
    paths_left_ += paths;
    nests_left_ += paths == 0 ? 0 : 1;
  }

  // ---- ends ----

  /// If some threads have nothing to do.
  void exit_of_some() {
    const Condition by{flag()};
    const unsigned all = threads_ * blocks_;
    if (chance(60)) {
      line("setp.ge.u32 {}, %gid, {};", by.predicate, all / 2 + below(all));
    } else {
      const Known& index = indices_[below(7)];
      line("setp.gt.u32 {}, {}, {};", by.predicate, index.name, below(static_cast<unsigned>(index.range.hi) + 2));
    }
    --paths_left_;
    exit_by(by);
  }

  /// A guarded exit is one that an affine warp does not have.
  void exit_by(const Condition& by) {
    const std::string guard = guard_of(by);
    if (chance(15)) return line("{} {};", guard, chance(50) ? "ret" : "exit");
    if (chance(50)) return line("{} bra DONE;", guard);
    const std::string past = new_label("PAST");
    line("{} bra {};", guard, past);
    line("  ret;");
    label(past);
  }

  /// The threads that are here, or some of them: the others go on apart, to the end.
  void leave_here() {
    const int open = static_cast<int>(level_) + 2;
    if (loops_ != 0 || paths_left_ < open + 2) return;
    paths_left_ -= open;
    store("", 4, {own_.back().pointer, 0}, "%seen");
    exit_by(condition());
  }

  /// Some of the threads that are here store and leave, whole warps or single lanes, while the others go on, and may come
  /// to barriers: by a side that stands here, or behind all code.
  void leave_early() {
    if (nests_left_ <= 0) return;
    const bool whole_warps = chance(60);
    const std::string leaves = flag();
    if (whole_warps) {
      const unsigned warps = (threads_ + point_.lanes - 1) / point_.lanes, first = below(warps + 1);
      line("setp.{}.u32 {}, %t, {};", chance(70) ? "ge" : "lt", leaves, point_.lanes * first);
    } else if (chance(50)) {
      line("setp.eq.u32 {}, %t, {};", leaves, below(threads_));
    } else {
      const std::string some = word();
      line("and.b32 {}, {}, {};", some, read_data(), 7);
      line("setp.eq.u32 {}, {}, {};", leaves, some, below(8));
    }
    const bool here = !whole_warps || !is_uniform_ || chance(60);
    if (!here) {
      const std::string side = new_label("LEAVE");
      line("@{} bra {};", leaves, side);
      leave_sides_ += side + ":\n" + taken_out([this] { store_and_leave(); });
      return;
    }
    const std::string past = new_label("PAST");
    line("@!{} bra {};", leaves, past);
    ++indent_;
    store_and_leave();
    --indent_;
    label(past);
  }

  void store_and_leave() {
    for (unsigned n = below(3); n-- != 0;) chance(50) ? load_table() : store_own();
    const Place place{own_.back().pointer, own_.back().step * (own_.back().elements - 1)};
    store("", 4, place, chance(50) ? "%seen" : read_data());
    constexpr const char* Ways[] = {"ret", "exit", "bra DONE"};
    line("{};", Ways[below(3)]);
  }

  /// The lines that it writes, which stand elsewhere.
  template <class Write>
  std::string taken_out(Write write) {
    const std::size_t before = text_.size();
    write();
    std::string lines = text_.substr(before);
    text_.resize(before);
    return lines;
  }

  RandomProgram finish() {
    const Region& output = own_.back();
    unsigned element = 0;
    const auto tell = [&](const std::string& value) {
      line("st.global.u32 [{}+{}], {};", output.pointer, output.step * element++, value);
    };
    tell("%seen");
    for (unsigned v = 0; v < DataWords; ++v) tell(fmt::format("%v{}", v));
    for (const Known& tuple : tuples_) tell(tuple.name);
    for (const Known& pointer : pointers_) {
      line("sub.s64 {0}, {0}, %table;", pointer.name);
      line("cvt.u32.u64 %first, {};", pointer.name);
      tell("%first");
    }
    for (unsigned p = 0; p < Predicates; ++p) {
      line("selp.u32 %first, {}, {}, %p{};", p + 1, p + 100, p);
      tell("%first");
    }
    label("DONE");
    line("ret;");
    text_ += leave_sides_;
    program_.ptx = fmt::format(
        "// seed {}, {}: grid {} x {} x {}, block {} x {} x {}\n"
        ".version 7.0\n.target sm_60\n.address_size 64\n\n"
        ".visible .entry random(.param .u64 random_param_0, .param .u64 random_param_1, .param .u64 random_param_2,\n"
        "                       .param .u64 random_param_3, .param .u32 random_param_4)\n{{\n"
        "  .reg .b32 %v<{}>, %a<{}>, %t<{}>, %i<{}>, %flags, %t, %tx, %ty, %tz, %cta, %cx, %cy, %cz, %gid, %seen, "
        "%first;\n"
        "  .reg .b64 %w<{}>, %u<{}>, %table, %input, %scratch, %output, %end, %counted, %shared, %own<4>;\n"
        "  .reg .pred %p<{}>, %q<{}>;\n\n{}}}\n",
        program_.seed, point_.name, grid_.x, grid_.y, grid_.z, block_.x, block_.y, block_.z, DataWords, Tuples,
        words_ + 1, loops_used_ + 1, Pointers, pairs_ + 1, Predicates, flags_ + 1, text_);
    return program_;
  }

  const DesignPoint& point_;
  RandomProgram program_;
  gpu::Dim3 block_, grid_;
  unsigned threads_ = 1, blocks_ = 1;  // a block, a grid
  std::vector<Known> indices_;         // threadIdx, blockIdx, the thread's number in the block and in the grid
  Region shared_{};                    // of which the block may see each other's elements
  std::vector<Region> own_;
  std::array<Known, Tuples> tuples_;      // registers of words that are tuples most of the time
  std::array<Known, Pointers> pointers_;  // into the table
  std::vector<Known> counters_;           // of loops around
  std::string loaded_;
  bool has_atomics_ = false, has_fences_ = false, has_leavers_ = false;
  std::string leave_sides_;  // behind all other code
  bool is_open_ = false;     // the block may look at the shared region, and nobody writes it
  bool is_uniform_ = true;   // all threads of the block that are left come here together
  unsigned barrier_number_ = 0, statements_left_ = 0, level_ = 0, loops_ = 0, loops_used_ = 0;
  int paths_left_ = 0;  // of the affine stack
  int nests_left_ = 0;  // of the warps' stacks
};

}  // namespace

RandomProgram random_affine_program(std::uint64_t seed) {
  return AffineGenerator(seed).random();
}

}  // namespace heddle::tests
