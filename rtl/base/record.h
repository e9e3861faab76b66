// SPDX-License-Identifier: Apache-2.0
// Records: what travels on a link or stands in a table entry.
//
// A record is a flat struct of sc_uint fields whose last line is HEDDLE_RECORD(Type, every field in order of
// declaration). From that one list follow ==, <<, the waveform, the width, the field names and the packing on the
// twin's port. A field that is left out, or listed in another order, does not compile.
#pragma once

#include <systemc>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Fields are sc_uint<W>, a flag is sc_uint<1>; a record just declared is all zero, and that is its reset value. Inside
// a process read and write the fields by name: the operators below are for signals, benches and reports, and are not
// synthesizable.
#define HEDDLE_RECORD(Type, ...)                                                            \
  template <class Visit>                                                                    \
  auto fields(Visit&& visit) const {                                                        \
    return visit(__VA_ARGS__);                                                              \
  }                                                                                         \
  template <class Visit>                                                                    \
  auto fields(Visit&& visit) {                                                              \
    return visit(__VA_ARGS__);                                                              \
  }                                                                                         \
  static auto bind_all(const Type& record) {                                                \
    const auto& [__VA_ARGS__] = record;                                                     \
    return std::tie(__VA_ARGS__);                                                           \
  }                                                                                         \
  static const char* field_names() {                                                        \
    return #__VA_ARGS__;                                                                    \
  }                                                                                         \
  friend bool operator==(const Type& a, const Type& b) {                                    \
    return heddle::equal(a, b);                                                             \
  }                                                                                         \
  friend bool operator!=(const Type& a, const Type& b) {                                    \
    return !(a == b);                                                                       \
  }                                                                                         \
  friend std::ostream& operator<<(std::ostream& out, const Type& r) {                       \
    return heddle::print(out, r);                                                           \
  }                                                                                         \
  friend void sc_trace(sc_core::sc_trace_file* file, const Type& r, const std::string& n) { \
    heddle::trace(file, r, n);                                                              \
  }

namespace heddle {

template <class Record>
auto tied(const Record& r) {
  auto fields = r.fields([](const auto&... field) { return std::tie(field...); });
  static_assert(std::is_same_v<decltype(fields), decltype(Record::bind_all(r))>, "list fields as they are declared");
  return fields;
}

// ---- width ----
template <class T>
struct field_bits;  // of anything else: not synthesizable, does not compile
template <>
struct field_bits<bool> {
  static constexpr unsigned value = 1;
};
template <int W>
struct field_bits<sc_dt::sc_uint<W>> {
  static constexpr unsigned value = W;
};

template <class T, class = void>
struct is_record : std::false_type {};
template <class T>
struct is_record<T, std::void_t<decltype(&T::field_names)>> : std::true_type {};

template <class... Field>
constexpr unsigned sum_of_bits(const std::tuple<const Field&...>*) {
  static_assert((!std::is_same_v<Field, bool> && ...), "a flag in a record is sc_uint<1>: a bool starts undefined");
  return (0U + ... + field_bits<Field>::value);
}

template <class T>
constexpr unsigned width() {
  if constexpr (is_record<T>::value) {
    return sum_of_bits(static_cast<decltype(tied(std::declval<T>()))*>(nullptr));
  } else {
    return field_bits<T>::value;
  }
}

/// Bits of a record or of a plain value.
template <class T>
constexpr unsigned bits_of = width<T>();

/// The fields of a record as their one list has them, or a plain value without a name.
struct FieldList {
  const char* names;  ///< comma-separated
  const unsigned* bits;
  unsigned count;
};
std::vector<std::string> names_of(const FieldList& list);

template <unsigned... W>
struct field_widths {
  static constexpr unsigned bits[] = {W...};
};
template <class... Field>
FieldList list_of(const char* names, const std::tuple<const Field&...>*) {
  return {names, field_widths<field_bits<Field>::value...>::bits, sizeof...(Field)};
}

template <class T>
FieldList field_list() {
  if constexpr (is_record<T>::value) {
    return list_of(T::field_names(), static_cast<decltype(tied(std::declval<T>()))*>(nullptr));
  } else {
    return list_of("", static_cast<std::tuple<const T&>*>(nullptr));
  }
}

// What follows is instantiated for every record in every file: it is kept small, and the rest is in record.cpp.
void print_fields(std::ostream& out, const FieldList& list, const std::uint64_t* values);
void trace_fields(sc_core::sc_trace_file* file, const FieldList& list, const sc_dt::sc_uint_base* const* fields,
                  const std::string& path);

template <class Record>
bool equal(const Record& a, const Record& b) {
  static_assert(width<Record>() != 0);  // which looks at the list
  return a.fields([&b](const auto&... x) { return b.fields([&](const auto&... y) { return (... && (x == y)); }); });
}

template <class Record>
std::ostream& print(std::ostream& out, const Record& record) {
  record.fields([&out](const auto&... field) {
    const std::uint64_t values[] = {field.to_uint64()...};
    print_fields(out, field_list<Record>(), values);
  });
  return out;
}

template <class Record>
void trace(sc_core::sc_trace_file* file, const Record& record, const std::string& path) {
  record.fields([&](const auto&... field) {
    const sc_dt::sc_uint_base* const fields[] = {&field...};
    trace_fields(file, field_list<Record>(), fields, path);
  });
}

}  // namespace heddle
