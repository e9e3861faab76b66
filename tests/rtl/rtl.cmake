# SPDX-License-Identifier: Apache-2.0
# What benches of blocks share, and the records on links between blocks.
heddle_unit_test(rtl_links_test TIMEOUT 60 LINK heddle_base)
heddle_unit_test(bench_labels_test TIMEOUT 30 LINK heddle_bench)
