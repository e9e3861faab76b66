# SPDX-License-Identifier: Apache-2.0
"""The checker of synthesizable code: `python3 -m tools.synthesizable`, which scripts/lint --synthesizable runs.

source      reads a header: tokens, functions, variables
rules       what a synthesis tool gets wrong, and find(), which looks for all of it
subset      what a synthesis tool does not take
"""
