# SPDX-License-Identifier: Apache-2.0
"""What a SystemC synthesis tool would refuse or get wrong, in the headers of rtl/ (DESIGN sec. 4).

  scripts/lint --synthesizable [FILE...]    every header of rtl/, or what of them is in these files
  scripts/lint --synthesizable --rules      the rules
  scripts/lint --synthesizable --counts     how often each rule is broken

Looked at is what processes reach: the functions that HEDDLE_CLOCKED and SC_METHOD name, and what they call. What
benches alone call, and what stands in HEDDLE_REPORT(...), is no hardware.
"""
import collections
import pathlib
import sys

from .rules import RULES, find
from .source import read_header

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main(arguments):
    if "--help" in arguments or "-h" in arguments:
        sys.exit(print(__doc__))
    if "--rules" in arguments:
        sys.exit(print("\n".join(f"{rule:20}{text}" for rule, text in RULES.items())))
    wanted = [pathlib.Path(a).resolve() for a in arguments if not a.startswith("-")]
    headers = []
    for path in sorted({*(ROOT / "rtl").rglob("*.h"), *wanted}):
        shown = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        try:
            headers.append(read_header(shown, path.read_text()))
        except (SyntaxError, IndexError, StopIteration) as error:
            sys.exit(f"{shown}: cannot be read: {error}")
        except OSError as error:
            sys.exit(f"{shown}: {error.strerror}")
    shown = {str(p.relative_to(ROOT)) if p.is_relative_to(ROOT) else str(p) for p in wanted}
    findings = [f for f in find(headers) if not shown or f.path in shown]
    if "--counts" in arguments:
        for rule, count in collections.Counter(f.rule for f in findings).most_common():
            print(f"{count:5} {rule}")
    else:
        print("\n".join(map(str, findings)), end="\n" if findings else "")
    count = len(headers) if not shown else len(shown)
    print(f"synthesizable: {count} headers, {len(findings)} findings", file=sys.stderr)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
