# SPDX-License-Identifier: Apache-2.0
"""A block's mapped cells placed by Graywolf and routed by qrouter, in osu018: what is between `cells` and a layout.

lef        outlines, pins and layers of the library
netlist    cells, nets and ports with names that every tool takes
placer     runs Graywolf
floorplan  rows, fillers, ports on tracks
exchange   the DEF that qrouter reads
router     runs qrouter
routed     wires and vias of the DEF that it writes
shapes     rectangles of metal
wires      what hangs together, what is shorted, resistance and capacitance
spef       the wires as OpenSTA reads them
timing     the longest path with wires and without
block      one block through all of it, and its figures
"""
