# SPDX-License-Identifier: Apache-2.0
"""area/report.md: the papers' statements about cost, line by line, beside what is here. scripts/area_report writes it.

facts  where figures come from: `heddle area`, area/baseline.json, area/model
dpe    DPE sec. 6.5
dwf    DWF Table 1 and sec. 4.4
twins  every block, and how it scales
layout the factor from cells to a layout
page   the whole page, and its plots
"""
