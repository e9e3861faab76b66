# SPDX-License-Identifier: Apache-2.0
"""The design points of rtl/config/design_points.yaml, and what the build needs of them: C++ and SystemVerilog
(scripts/design_points)."""
import pathlib
import re
import sys

import yaml

from . import unit_files
from .nearest import no_such
from .output_file import write_if_new

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "rtl/config/design_points.yaml"
DERIVED = ("slots", "threads", "l1_sets", "register_rows")
# What sim/sm/units/issue_slice_of.h, formation_slice_of.h and affine_blocks_of.h read, by family of mechanisms
# (sim/sm/links/mechanisms.h): points that agree in it share one issue slice.
SLICES = unit_files.SLICES
SLICE = ("slots", "lanes", "pc_bits", "instruction_buffer", "fetch_width", "instruction_bits", "scoreboard_entries")
FAMILIES = {**{family: tuple(dict.fromkeys((*(SLICE if family in SLICES else SLICE[:3]), *unit_files.keys_of(family))))
               for family in unit_files.FAMILIES},
            "Affine": ("warps", "lanes", "pc_bits", "ctas", "affine_bits", "atq_entries", "warp_queue_entries", "l1_bytes",
                       "l1_ways", "l1_hash_from", "line_bytes", "lock_bits", "affine_depth", "affine_lane_depth")}
# As these, but that twins may stand in place of blocks, or one in place of the slice: for runs that ask for some
WITH_TWINS = {**{f"Twin{family}": FAMILIES[family] for family in FAMILIES},
              **{f"WholeTwin{family}": FAMILIES[family] for family in SLICES}}
# Keys that are constants in C++ too: sizes of blocks. Other keys stand in design_points.cpp alone, so that a latency
# compiles one file anew.
SHAPES = tuple(dict.fromkeys((*(key for keys in FAMILIES.values() for key in keys), "schedulers", "threads", "l1_sets",
                              "register_rows", "affine_registers", "affine_predicates", "pending_warps")))
LIBRARIES = {**FAMILIES, **WITH_TWINS}
THREADS = 8192  # of an SM: four schedulers of 64 warps of 32 lanes
LANES = 64  # of a block: a mask is one word
MOST_CHANNELS = 64
LEAST_REGISTERS, MOST_REGISTERS = 16, 256  # a thread: sim/isa/instruction.h
MAY_BE_ZERO = ("swizzle", "icache_bytes", "constant_bytes", "l2_bytes", "dram_latency",
               *(f"dram_t{time}" for time in ("cl", "rp", "rc", "ras", "rcd", "rrd", "wl", "cdlr", "wr", "ccdl", "rtpl")),
               "dram_fold", "l1_hash_from", "l1_allocate_on_miss", "l1_store_evicts")
POWERS_OF_TWO = ("l2_line_bytes", "dram_burst_bytes", "dram_banks", "dram_row_bytes", "dram_low_banks", "dram_bank_groups")
SM_LANES, SM_LINE = 32, 128  # of the SM, and bytes of its lines
IDENTIFIER = re.compile(r"^[a-z][a-z0-9_]*$")


def fail(message):
    sys.exit(f"{SOURCE.name}: {message}")


def load_raw():
    """The points as they are written, each with its own keys only."""
    return yaml.safe_load(SOURCE.read_text())


def load():
    """All points with their bases folded in; every point has the same keys. All of them are machines."""
    points = fold(load_raw())
    for name, point in points.items():
        expect_machine(name, point)
    return points


def fold(raw):
    """The same for points from elsewhere; ends the program with the first value that cannot be."""

    def folded(name, seen):
        if name not in raw:
            fail(no_such("point", name, raw) + " It is named as a base.")
        if name in seen:
            fail(f"point '{name}' is its own base")
        own = dict(raw[name])
        base = own.pop("base", None)
        return {**(folded(base, seen | {name}) if base else {}), **own}

    points = {}
    for name in raw:
        if not IDENTIFIER.match(name):
            fail(f"point '{name}': a name is lower-case letters, digits and _")
        points[name] = folded(name, set())
    keys = list(points["hpca13"])
    for name, point in points.items():
        unknown, missing = set(point) - set(keys), set(keys) - set(point)
        if unknown or missing:
            fail(f"point '{name}': unknown keys {sorted(unknown)}, missing keys {sorted(missing)}")
        derive(name, point)
    return points


def derive(name, point):
    """Checks the limits that all blocks share, and adds the keys that follow from others."""
    for key, value in point.items():
        least = 0 if key in MAY_BE_ZERO else 1
        if key != "summary" and (not isinstance(value, int) or value < least):
            fail(f"point '{name}': {key} is {value!r}, expected a whole number of at least {least}")
    warps, schedulers, lanes = point["warps"], point["schedulers"], point["lanes"]
    if warps % schedulers:
        fail(f"point '{name}': {warps} warps do not divide among {schedulers} schedulers")
    if lanes > LANES:
        fail(f"point '{name}': {lanes} lanes, a block has at most {LANES}")
    if warps // schedulers > 64:
        fail(f"point '{name}': {warps // schedulers} warps a scheduler, which names a warp by 6 bits: at most 64 "
             f"({64 * schedulers} with {schedulers} schedulers)")
    if warps * lanes > THREADS:
        fail(f"point '{name}': {warps} warps of {lanes} lanes are {warps * lanes} threads; an SM names a thread by "
             f"{THREADS.bit_length() - 1} bits: at most {THREADS}")
    for key, known in (("line_bytes", (32, 64, 128, 256)), ("shared_bank_bytes", (4, 8))):
        if point[key] not in known:
            fail(f"point '{name}': {key} is {point[key]}, known: {', '.join(map(str, known))}")
    if not LEAST_REGISTERS <= point["max_registers"] <= MOST_REGISTERS:
        fail(f"point '{name}': {point['max_registers']} max_registers, expected {LEAST_REGISTERS} to {MOST_REGISTERS}")
    if point["swizzle"] > 1:
        fail(f"point '{name}': swizzle is {point['swizzle']}, known: 0, 1")
    if point["shared_banks"] > 32:
        fail(f"point '{name}': {point['shared_banks']} banks of shared memory, at most 32")
    if point["instruction_bits"] > 64:
        fail(f"point '{name}': {point['instruction_bits']} instruction_bits, at most 64")
    for small, large in (("fetch_width", "instruction_buffer"), ("load_store_queue", "load_store_slots")):
        if point[small] > point[large]:
            fail(f"point '{name}': {small} is {point[small]}, more than {large}, {point[large]}")
    point["slots"] = warps // schedulers
    point["threads"] = warps * lanes
    point["register_rows"] = max(1, point["registers"] // lanes)
    point["l1_sets"], odd = divmod(point["l1_bytes"], point["l1_ways"] * point["line_bytes"])
    if odd or point["l1_sets"] < 1:
        fail(f"point '{name}': {point['l1_bytes']} bytes of L1 do not divide among {point['l1_ways']} ways "
             f"of {point['line_bytes']}-byte lines")
    index_bits = (point["l1_sets"] - 1).bit_length()
    if point["l1_hash_from"] and point["l1_hash_from"] < index_bits:
        fail(f"point '{name}': l1_hash_from is {point['l1_hash_from']}, expected 0 or at least {index_bits}: what is hashed in "
             f"stands above the bits of one of {point['l1_sets']} sets")


def expect_machine(name, point):
    """Ends the program if there are blocks of this point, but no SM."""
    if point["lanes"] > SM_LANES:
        fail(f"point '{name}': {point['lanes']} lanes, an SM has at most {SM_LANES}: votes, shuffles and masks of PTX have "
             f"a bit a lane in {SM_LANES}. Blocks have up to {LANES} (heddle area --set, scripts/synth --set)")
    if point["line_bytes"] > SM_LINE:
        fail(f"point '{name}': line_bytes is {point['line_bytes']}, the memory of an SM has lines of at most {SM_LINE}")
    for key in POWERS_OF_TWO:
        if point[key] & (point[key] - 1):
            fail(f"point '{name}': {key} is {point[key]}, expected a power of two")
    sizes = ("line_bytes", "l2_line_bytes", "dram_row_bytes")
    for small, large in (*zip(sizes, sizes[1:]), ("dram_burst_bytes", "l2_line_bytes")):
        if point[small] > point[large]:
            fail(f"point '{name}': {small} is {point[small]}, more than {large}, {point[large]}")
    for cache in ("icache", "constant"):
        ways = point[f"{cache}_ways"]
        sets, odd = divmod(point[f"{cache}_bytes"], ways * point["line_bytes"])
        if odd or sets & (sets - 1):
            fail(f"point '{name}': {cache}_bytes is {point[f'{cache}_bytes']}, not a power of two of sets of {ways} ways "
                 f"of {point['line_bytes']}-byte lines")
    if point["l2_line_bytes"] > 256:
        fail(f"point '{name}': l2_line_bytes is {point['l2_line_bytes']}, at most 256")
    if point["dram_banks"] > 64:
        fail(f"point '{name}': {point['dram_banks']} dram_banks, at most 64")
    for key in ("dram_low_banks", "dram_bank_groups"):
        if point[key] > point["dram_banks"]:
            fail(f"point '{name}': {key} is {point[key]}, more than dram_banks, {point['dram_banks']}")
    for key in ("dram_fold", "l1_allocate_on_miss", "l1_store_evicts"):
        if point[key] > 1:
            fail(f"point '{name}': {key} is {point[key]}, known: 0, 1")
    if point["channels"] > MOST_CHANNELS:
        fail(f"point '{name}': {point['channels']} channels, at most {MOST_CHANNELS}")
    way = point["l2_ways"] * point["l2_line_bytes"] * point["channels"]
    if point["l2_bytes"] % way:
        fail(f"point '{name}': l2_bytes is {point['l2_bytes']}, not a multiple of {way}: {point['channels']} channels, "
             f"{point['l2_ways']} ways, lines of {point['l2_line_bytes']} bytes")
    if point["l2_memory_queue"] < 2:
        fail(f"point '{name}': l2_memory_queue is {point['l2_memory_queue']}, expected at least 2: a fetch may follow a "
             "write back")


def slice_shape(family, point):
    """The name of the issue slice of a point."""
    return "_".join((family, *(f"{key}{point[key]}" for key in LIBRARIES[family])))


def slice_header(family, point):
    """C++: what a slice knows of its point, by the names that it has in the header of all points, and its mechanisms."""
    constants = [f"  static constexpr unsigned {constant(key)} = {point[key]};"
                 for key in LIBRARIES[family]]
    blocks = re.sub("^(Whole)?Twin", "", family)
    mechanisms = [f"using slice_mechanisms = mechanism::{blocks};"] if blocks in unit_files.FAMILIES else []
    return "\n".join([f"// Generated by scripts/slice_point: {slice_shape(family, point)}.", "#pragma once", "",
                      '#include "sim/sm/links/mechanisms.h"', "", "namespace heddle {", "", "struct slice_point {", *constants,
                      "};", *mechanisms,
                      f"inline constexpr bool slice_has_twins = {str(family in WITH_TWINS).lower()};", "", "}  // namespace heddle", ""])


def shape_header():
    """C++: slice_shape() at run time. A header of its own, as the other one is read nearly everywhere."""
    def value(key):
        return "point.warps / point.schedulers" if key == "slots" else f"point.{key}"

    lines = ["// Generated by scripts/design_points.", "#pragma once", "", "#include <string>", "", '#include "rtl/config/design_points.h"', "",
             "namespace heddle {", "", "/// The name of the issue slice of a point, for a family of mechanisms: points of one shape share it.",
             "inline std::string slice_shape(const std::string& family, const DesignPoint& point) {"]
    for family, keys in LIBRARIES.items():
        lines.append(f'  if (family == "{family}")')
        lines.append("    return family" + "".join(f' + "_{key}" + std::to_string({value(key)})' for key in keys) + ";")
    return "\n".join([*lines, '  return "";', "}", "", "}  // namespace heddle", ""])


def camel(key):
    return "".join(part.capitalize() for part in key.split("_"))


def constant(key):
    """The name of a key where it is a constant of C++."""
    return "SlotWarps" if key == "slots" else camel(key)


def keys_of(points):
    return [key for key in next(iter(points.values())) if key not in ("summary", *DERIVED)]


def header(points):
    keys = keys_of(points)
    out = ["// Generated by scripts/design_points from rtl/config/design_points.yaml.", "#pragma once", "",
           "#include <array>", "", "namespace heddle {", "",
           "/// A design point at run time; the keys are explained in the YAML.",
           "struct DesignPoint {", "  const char* name;", "  const char* summary;"]
    out += [f"  unsigned {k};" for k in keys] + ["};", "", "/// The sizes of the blocks, for template parameters; the values of all keys."]
    out += ["namespace point {"]
    for name, point in points.items():
        out += [f"struct {name} {{", *(f"  static constexpr unsigned {constant(key)} = {point[key]};" for key in SHAPES),
                "  static const DesignPoint Values;", "};", ""]
    out += ["}  // namespace point", "", "#define HEDDLE_POINT_KEYS(X) " + " ".join(f"X({k})" for k in keys), "",
            f"extern const std::array<const DesignPoint*, {len(points)}> design_points;", "", "}  // namespace heddle", ""]
    return "\n".join(out)


def values_source(points):
    """C++: the definitions of what header() declares."""
    out = ["// Generated by scripts/design_points from rtl/config/design_points.yaml.", '#include "rtl/config/design_points.h"',
           "", "namespace heddle {", ""]
    for name, point in points.items():
        values = ", ".join(str(point[key]) for key in keys_of(points))
        out.append(f'const DesignPoint point::{name}::Values{{"{name}", "{point["summary"]}", {values}}};')
    return "\n".join([*out, f"const std::array<const DesignPoint*, {len(points)}> design_points{{"
                      + ", ".join(f"&point::{name}::Values" for name in points) + "};", "", "}  // namespace heddle", ""])


def fragment(point, name, pairs):
    out = [f"// Generated by scripts/design_points from rtl/config/design_points.yaml, point {name}."]
    for pair in pairs:
        parameter, _, key = pair.partition("=")
        if not key.isdigit() and key not in point:
            fail(no_such("key", key, point))
        out.append(f"parameter int {parameter} = {key if key.isdigit() else point[key]};")
    return "\n".join(out) + "\n"


def write_fragment(points, name, path, *pairs):
    if name not in points and name != "none":
        fail(no_such("point", name, points))
    write_if_new(path, fragment(points.get(name, {}), name, pairs))
