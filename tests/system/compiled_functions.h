// SPDX-License-Identifier: Apache-2.0
// Functions that are compiled three times: for the host by the compiler of this build, for the device by clang and by
// nvcc. What the device computes must be what the host does; nobody's reading of the PTX manual stands between them.
// A function reads four words and writes eight.
#pragma once

#if defined(__CUDACC__) || defined(__CUDA__)
#define DEVICE __attribute__((device)) inline
#else
#define DEVICE inline
#endif

#if defined(__clang__) && defined(__CUDA__)
#define HAS_DIVISION_OF_128_BITS 0  // clang calls a library that the device has not
#else
#define HAS_DIVISION_OF_128_BITS 1
#endif

namespace compiled {

using U8 = unsigned char;
using S8 = signed char;
using U16 = unsigned short;
using S16 = short;
using U32 = unsigned;
using S32 = int;
using U64 = unsigned long long;
using S64 = long long;
__extension__ typedef unsigned __int128 U128;
__extension__ typedef __int128 S128;

DEVICE U128 joined(U64 low, U64 high) {
  return static_cast<U128>(high) << 64 | low;
}
DEVICE void put(U64* out, U128 value) {
  out[0] = static_cast<U64>(value);
  out[1] = static_cast<U64>(value >> 64);
}
DEVICE float float_of(U32 bits) {
  union {
    U32 u;
    float f;
  } both;
  both.u = bits;
  return both.f;
}
DEVICE U32 bits_of(float value) {
  union {
    float f;
    U32 u;
  } both;
  both.f = value;
  return both.u;
}
DEVICE U64 bits_of(double value) {
  union {
    double d;
    U64 u;
  } both;
  both.d = value;
  return both.u;
}

// ---- 128 bits and more ----

DEVICE void sums_128(const U64* in, U64* out) {
  const U128 a = joined(in[0], in[1]), b = joined(in[2], in[3]);
  put(out, a + b);
  put(out + 2, a - b);
  put(out + 4, 0 - a);
  out[6] = (a < b ? 1U : 0U) | (static_cast<S128>(a) < static_cast<S128>(b) ? 2U : 0U) | (a == b ? 4U : 0U) |
           (a - b > b - a ? 8U : 0U);
  out[7] = static_cast<U64>((a + b < a ? 1U : 0U) + (a < b ? 2U : 0U));  // carry and borrow
}

DEVICE void products_128(const U64* in, U64* out) {
  const U128 a = joined(in[0], in[1]), b = joined(in[2], in[3]);
  put(out, a * b);
  put(out + 2, static_cast<U128>(in[0]) * in[2]);
  put(out + 4, static_cast<U128>(static_cast<S128>(static_cast<S64>(in[0])) * static_cast<S64>(in[2])));
  put(out + 6, a * 0x123456789abcdefULL + b);
}

DEVICE void shifts_128(const U64* in, U64* out) {
  const U128 a = joined(in[0], in[1]);
  const unsigned by = static_cast<unsigned>(in[2] & 127);
  put(out, a << by);
  put(out + 2, a >> by);
  put(out + 4, static_cast<U128>(static_cast<S128>(a) >> by));
  put(out + 6, a << by | a >> (127 - by) >> 1);
}

/// Bit by bit.
DEVICE void long_division_128(const U64* in, U64* out) {
  const U128 a = joined(in[0], in[1]);
  const U128 b = joined(in[2], (in[3] & 1) != 0 ? in[3] : 0) | 1;
  U128 quotient = 0, rest = 0;
  for (int bit = 127; bit >= 0; --bit) {
    const bool carries = (rest >> 127) != 0;
    rest = rest << 1 | (a >> bit & 1);
    if (carries || rest >= b) {
      rest -= b;
      quotient |= static_cast<U128>(1) << bit;
    }
  }
  put(out, quotient);
  put(out + 2, rest);
  put(out + 4, quotient * b + rest - a);
  out[6] = rest < b;
  out[7] = 0;
}

#if HAS_DIVISION_OF_128_BITS
DEVICE void division_128(const U64* in, U64* out) {
  const U128 a = joined(in[0], in[1]);
  const U128 b = joined(in[2], (in[3] & 1) != 0 ? in[3] : 0) | 1;
  put(out, a / b);
  put(out + 2, a % b);
  const S128 s = static_cast<S128>(a) >> 1, t = static_cast<S128>(b) >> 1 | 1;
  put(out + 4, static_cast<U128>(s / t));
  put(out + 6, static_cast<U128>(s % t));
}
#endif

/// Two words by one (Knuth's algorithm D, as in Hacker's Delight).
DEVICE U64 divided_by_word(U64 high, U64 low, U64 divisor, U64& rest) {
  const U64 base = 1ULL << 32;
  unsigned shift = 0;
  while ((divisor >> 63) == 0) divisor <<= 1, ++shift;
  high = shift == 0 ? high : high << shift | low >> (64 - shift);
  low <<= shift;
  const U64 d1 = divisor >> 32, d0 = divisor & 0xffffffffU;
  U64 digits[2];
  const U64 parts[2] = {low >> 32, low & 0xffffffffU};
  U64 top = high;
  for (int step = 0; step < 2; ++step) {
    U64 digit = top / d1, left = top - digit * d1;
    while (digit >= base || digit * d0 > (left << 32 | parts[step])) {
      --digit;
      left += d1;
      if (left >= base) break;
    }
    digits[step] = digit;
    top = (top << 32 | parts[step]) - digit * divisor;
  }
  rest = top >> shift;
  return digits[0] << 32 | digits[1];
}

DEVICE void division_by_word(const U64* in, U64* out) {
  const U64 divisor = in[2] | 1;
  U64 rest = 0;
  const U64 high = in[1] % divisor;
  out[0] = divided_by_word(high, in[0], divisor, rest);
  out[1] = rest;
  put(out + 2, static_cast<U128>(out[0]) * divisor + rest - joined(in[0], high));
  for (int i = 4; i < 8; ++i) out[i] = 0;
}

/// 256 bits: carries from word to word, a comparison, and the difference taken back where it borrows.
DEVICE void sums_256(const U64* in, U64* out) {
  U64 carry = 0, borrow = 0;
  U64 difference[4];
  for (int i = 0; i < 4; ++i) {
    const U128 sum = static_cast<U128>(in[i]) + in[3 - i] + carry;
    out[i] = static_cast<U64>(sum);
    carry = static_cast<U64>(sum >> 64);
    const U128 d = static_cast<U128>(in[i]) - in[3 - i] - borrow;
    difference[i] = static_cast<U64>(d);
    borrow = static_cast<U64>(d >> 64) & 1;
  }
  for (int i = 0; i < 4; ++i) out[4 + i] = borrow != 0 ? in[i] + carry : difference[i];
}

// ---- Division ----

DEVICE void divisions_64(const U64* in, U64* out) {
  const U64 a = in[0], b = in[1] | 1;
  const S64 s = static_cast<S64>(in[2]) >> 1, t = (static_cast<S64>(in[3]) >> 20) | 1;
  out[0] = a / b;
  out[1] = a % b;
  out[2] = static_cast<U64>(s / t);
  out[3] = static_cast<U64>(s % t);
  out[4] = a / 7 + a % 1000000007;
  out[5] = static_cast<U64>(s / -3 + s % 10);
  out[6] = a / (b >> 40 | 3);
  out[7] = a / (1ULL << 33) + static_cast<U64>(s / 64);
}

DEVICE void divisions_32(const U64* in, U64* out) {
  const U32 a = static_cast<U32>(in[0]), b = static_cast<U32>(in[1]) | 1;
  const S32 s = static_cast<S32>(in[2]), t = static_cast<S32>(in[3]) >> 9 | 1;
  const U16 c = static_cast<U16>(in[0]), d = static_cast<U16>(in[1] | 1);
  const S16 e = static_cast<S16>(in[2]), f = static_cast<S16>((in[3] & 0x7ff) | 3);
  out[0] = a / b;
  out[1] = a % b;
  out[2] = static_cast<U32>(s / 2 / t);
  out[3] = static_cast<U32>(s / 2 % t);
  out[4] = static_cast<U64>(c / d + c % d);
  out[5] = static_cast<U64>(static_cast<S64>(e / f) * 1000 + e % f);
  out[6] = a / 10 + a % 641;
  out[7] = static_cast<U64>(static_cast<S64>(s / -7));
}

// ---- Fixed point and saturation ----

DEVICE S32 saturated(S64 value) {
  return value > 0x7fffffff ? 0x7fffffff : value < -0x7fffffffLL - 1 ? -0x7fffffff - 1 : static_cast<S32>(value);
}

DEVICE void fixed_point(const U64* in, U64* out) {
  const S32 a = static_cast<S32>(in[0]), b = static_cast<S32>(in[1]), c = static_cast<S32>(in[2] >> 32);
  out[0] = static_cast<U32>(saturated((static_cast<S64>(a) * b + 0x8000) >> 16));
  out[1] = static_cast<U32>(saturated(b == 0 ? 0 : static_cast<S64>(a) * 65536 / b));
  out[2] = static_cast<U32>(saturated(static_cast<S64>(a) + b));
  out[3] = static_cast<U32>(saturated(static_cast<S64>(a) - b));
  out[4] = static_cast<U32>(a + static_cast<S32>((static_cast<S64>(b >> 1) - (a >> 1)) * (c & 0xffff) >> 16));
  U64 root = 0;
  for (U64 bit = 1ULL << 31; bit != 0; bit >>= 1)
    if ((root | bit) * (root | bit) <= in[3]) root |= bit;
  out[5] = root;
  const S32 clamped = a > 127 ? 127 : a < -128 ? -128 : a;
  out[6] = static_cast<U64>(static_cast<S64>(static_cast<S8>(clamped)));
  out[7] = static_cast<U64>(static_cast<U8>(b < 0 ? 0 : b > 255 ? 255 : b));
}

/// Arithmetic on types narrower than a register.
DEVICE void narrow_types(const U64* in, U64* out) {
  U8 a = static_cast<U8>(in[0]), b = static_cast<U8>(in[1]);
  S8 c = static_cast<S8>(in[0] >> 8), d = static_cast<S8>(in[1] >> 8);
  U16 e = static_cast<U16>(in[2]), f = static_cast<U16>(in[3]);
  S16 g = static_cast<S16>(in[2] >> 16), h = static_cast<S16>(in[3] >> 16);
  struct Fields {
    U32 first : 5;
    S32 second : 11;
    U32 third : 3;
    S32 fourth : 13;
  } fields = {static_cast<U32>(in[0]) & 31, static_cast<S32>(in[1] & 0x3ff), static_cast<U32>(in[2]) & 7,
              static_cast<S32>(in[3] & 0xfff)};
  out[0] = static_cast<U8>(a + b) | static_cast<U64>(static_cast<U8>(a * b)) << 8 | static_cast<U64>(a < b) << 16;
  out[1] = static_cast<U64>(static_cast<S64>(static_cast<S8>(c + d)));
  out[2] = static_cast<U64>(static_cast<S64>(c) * d - (c >> 2));
  out[3] = static_cast<U16>(e * 3U + f) | static_cast<U64>(static_cast<U16>(e << 5 | f >> 11)) << 16;
  out[4] = static_cast<U64>(static_cast<S64>(static_cast<S16>(g - h)) * static_cast<S16>(g >> 3));
  fields.second = ((fields.second - 5) >> 1) & 0x3ff;
  fields.fourth = fields.fourth / 3;
  out[5] = fields.first + static_cast<U64>(static_cast<S64>(fields.second)) * 64 + fields.third;
  out[6] = static_cast<U64>(static_cast<S64>(fields.fourth));
  out[7] =
      static_cast<U64>(static_cast<S64>(static_cast<S32>(in[0])) + static_cast<S8>(in[1]) + static_cast<U16>(in[2]));
}

// ---- Bits ----

DEVICE U64 rotated(U64 a, unsigned by) {
  return a << (by & 63) | a >> (-by & 63);
}

DEVICE void bit_tricks(const U64* in, U64* out) {
  const U64 a = in[0], b = in[1];
  // Less than 64: of another number, 64 - by too, clang-14 drops the `& 63` of a rotation and shifts by all of it.
  const U32 w = static_cast<U32>(in[2]), by = static_cast<U32>(in[3] >> 58);
  U64 ones = a - (a >> 1 & 0x5555555555555555ULL);
  ones = (ones & 0x3333333333333333ULL) + (ones >> 2 & 0x3333333333333333ULL);
  ones = ((ones + (ones >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56;
  U32 mirrored = w;
  mirrored = (mirrored >> 1 & 0x55555555U) | (mirrored & 0x55555555U) << 1;
  mirrored = (mirrored >> 2 & 0x33333333U) | (mirrored & 0x33333333U) << 2;
  mirrored = (mirrored >> 4 & 0x0f0f0f0fU) | (mirrored & 0x0f0f0f0fU) << 4;
  mirrored = mirrored >> 24 | (mirrored >> 8 & 0xff00U) | (mirrored & 0xff00U) << 8 | mirrored << 24;
  U64 leading = 0;
  for (U64 rest = b; leading < 64 && (rest >> 63) == 0; rest <<= 1) ++leading;
  U32 power = w - 1;
  for (unsigned step = 1; step < 32; step *= 2) power |= power >> step;
  U64 spread = w;
  spread = (spread | spread << 16) & 0x0000ffff0000ffffULL;
  spread = (spread | spread << 8) & 0x00ff00ff00ff00ffULL;
  spread = (spread | spread << 4) & 0x0f0f0f0f0f0f0f0fULL;
  spread = (spread | spread << 2) & 0x3333333333333333ULL;
  spread = (spread | spread << 1) & 0x5555555555555555ULL;
  out[0] = ones;
  out[1] = mirrored;
  out[2] = leading << 32 | (power + 1);
  out[3] = spread;
  out[4] = rotated(a, by) ^ rotated(b, by >> 1) ^ (w << (by & 31) | w >> (-by & 31));
  out[5] = (a & ~b) | (b & w) | (~a & ~b & in[3]);  // functions of three bits
  out[6] = (a & (0 - a)) + (a ^ (a >> 1)) + (static_cast<U64>(static_cast<S64>(b) >> (by & 63)));
  out[7] = (a >> (by & 31) & ((1U << (w & 15)) - 1)) | (b & ~0xfff0ULL) | (w & 0xfff) << 4;  // fields
}

DEVICE void hashes(const U64* in, U64* out) {
  U64 h = in[0];
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
  out[0] = h ^ h >> 33;
  U32 crc = ~0U;
  for (int byte = 0; byte < 8; ++byte) {
    crc ^= static_cast<U8>(in[1] >> 8 * byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320U & (0 - (crc & 1)));
  }
  out[1] = ~crc;
  U64 v0 = in[0], v1 = in[1], v2 = in[2], v3 = in[3];  // a round of SipHash
  v0 += v1, v1 = rotated(v1, 13) ^ v0, v0 = rotated(v0, 32), v2 += v3, v3 = rotated(v3, 16) ^ v2;
  v0 += v3, v3 = rotated(v3, 21) ^ v0, v2 += v1, v1 = rotated(v1, 17) ^ v2, v2 = rotated(v2, 32);
  out[2] = v0, out[3] = v1, out[4] = v2, out[5] = v3;
  U32 fnv = 2166136261U;
  for (int i = 0; i < 4; ++i)
    for (int byte = 0; byte < 8; ++byte) fnv = (fnv ^ static_cast<U8>(in[i] >> 8 * byte)) * 16777619U;
  out[6] = fnv;
  U64 x = in[3] | 1;
  for (int i = 0; i < 5; ++i) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  out[7] = x;
}

// ---- Number theory and calendars ----

DEVICE U64 product_modulo(U64 a, U64 b) {  // 2^61 - 1
  const U64 p = (1ULL << 61) - 1;
  const U128 product = static_cast<U128>(a) * b;
  U64 sum = (static_cast<U64>(product) & p) + static_cast<U64>(product >> 61);
  sum = (sum & p) + (sum >> 61);
  return sum >= p ? sum - p : sum;
}

DEVICE void number_theory(const U64* in, U64* out) {
  U64 power = 1, base = in[0] % ((1ULL << 61) - 1);
  for (U64 e = in[1] & 0xffff; e != 0; e >>= 1) {
    if ((e & 1) != 0) power = product_modulo(power, base);
    base = product_modulo(base, base);
  }
  out[0] = power;
  U64 a = in[1], b = in[2];
  while (b != 0) {
    const U64 r = a % b;
    a = b;
    b = r;
  }
  out[1] = a;
  U64 inverse = in[2] | 1;  // modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; ++i) inverse *= 2 - (in[2] | 1) * inverse;
  out[2] = inverse;
  out[3] = inverse * (in[2] | 1);
  const S64 days = static_cast<S64>(static_cast<S32>(in[3]) >> 8) + 719468;  // Hinnant's civil_from_days
  const S64 era = (days >= 0 ? days : days - 146096) / 146097;
  const U32 day_of_era = static_cast<U32>(days - era * 146097);
  const U32 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const U32 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const U32 month = (5 * day_of_year + 2) / 153;
  out[4] = static_cast<U64>(static_cast<S64>(year_of_era) + era * 400);
  out[5] = month * 100 + day_of_year - (153 * month + 2) / 5 + 1;
  out[6] = out[7] = 0;
}

// ---- Floats ----

/// Binary16 in integer arithmetic: to nearest even, and back.
DEVICE U32 half_bits(float value) {
  const U32 bits = bits_of(value), sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return 0x7fffU;
  if (magnitude >= 0x477ff000U) return sign | 0x7c00U;
  if (magnitude < 0x33000001U) return sign;
  U32 shift = 13, kept = magnitude - 0x38000000U, fraction = kept & 0x1fffU;
  if (magnitude < 0x38800000U) {
    shift = 126 - (magnitude >> 23);
    const U32 whole = (magnitude & 0x7fffffU) | 0x800000U;
    kept = whole;
    fraction = whole & ((1U << shift) - 1);
  }
  U32 result = kept >> shift;
  const U32 half = 1U << (shift - 1);
  if (fraction > half || (fraction == half && (result & 1) != 0)) ++result;
  return sign | result;
}
DEVICE float half_value(U32 bits) {
  const U32 sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ffU;
  if (exponent == 31) return float_of(sign | 0x7f800000U | fraction << 13);
  if (exponent != 0) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  const float value = static_cast<float>(fraction) * 5.9604644775390625e-8F;
  return float_of(sign | bits_of(value));
}

#if defined(__CUDACC__) || defined(__CUDA__)
DEVICE U32 machine_half(float value) {
  U16 half = 0;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
}
DEVICE float machine_value(U32 half) {
  float value = 0;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<U16>(half)));
  return value;
}
#else
DEVICE U32 machine_half(float value) {
  return half_bits(value);
}
DEVICE float machine_value(U32 half) {
  return half_value(half);
}
#endif

DEVICE void halves(const U64* in, U64* out) {
  for (int i = 0; i < 4; ++i) {
    const U32 near_one = (static_cast<U32>(in[i]) & 0x8fffffffU) | 0x30000000U;  // in and around the range of an f16
    const float value = float_of(i % 2 == 0 ? near_one : static_cast<U32>(in[i] >> 32));
    const bool is_nan = value != value;
    out[i] = half_bits(value) | static_cast<U64>(is_nan ? 0x7fffU : machine_half(value)) << 32;
    const U32 half = static_cast<U32>(in[i] >> 16 & 0xffff);
    const bool is_half_nan = (half & 0x7fffU) > 0x7c00U;
    out[4 + i] = is_half_nan ? 0 : bits_of(half_value(half)) | static_cast<U64>(bits_of(machine_value(half))) << 32;
  }
}

DEVICE U64 relations(double a, double b) {
  return (a < b ? 1U : 0U) | (a <= b ? 2U : 0U) | (a > b ? 4U : 0U) | (a >= b ? 8U : 0U) | (a == b ? 16U : 0U) |
         (a != b ? 32U : 0U) | (!(a < b) ? 64U : 0U) | (!(a >= b) ? 128U : 0U);
}

/// Exact operations of single and double precision, and conversions whose result C defines.
DEVICE void floats(const U64* in, U64* out) {
  const float a = float_of(static_cast<U32>(in[0])), b = float_of(static_cast<U32>(in[1]));
  const float x = static_cast<float>(static_cast<S32>(in[2])) * 0.0009765625F, y = static_cast<float>(in[3] >> 40);
  const double d = static_cast<double>(static_cast<S64>(in[3])) / 3, e = static_cast<double>(in[2]) * 0x1p-40;
  out[0] = relations(a, b);
  out[1] = relations(a, a) | relations(x, y) << 8;
  out[2] = bits_of(x * y + 1.5F) | static_cast<U64>(bits_of(x / (y + 1))) << 32;
  out[3] = bits_of(d * e - 0.1);
  out[4] = bits_of(d / (e + 1));
  out[5] = static_cast<U64>(static_cast<S64>(x)) + static_cast<U64>(static_cast<S64>(d));
  out[6] = static_cast<U64>(e) + static_cast<U32>(y) + static_cast<U64>(static_cast<S64>(static_cast<S16>(y / 1024)));
  out[7] = bits_of(static_cast<float>(in[3])) | static_cast<U64>(bits_of(static_cast<float>(d))) << 32;
}

}  // namespace compiled

#define FOR_ALL_FUNCTIONS(DO) \
  DO(sums_128)                \
  DO(products_128)            \
  DO(shifts_128)              \
  DO(long_division_128)       \
  DO(division_by_word)        \
  DO(sums_256)                \
  DO(divisions_64)            \
  DO(divisions_32) DO(fixed_point) DO(narrow_types) DO(bit_tricks) DO(hashes) DO(number_theory) DO(halves) DO(floats)
