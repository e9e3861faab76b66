# SPDX-License-Identifier: Apache-2.0
# Tests of launches: arguments, timelines, the oracle; and the limit study, which runs on the oracle.
heddle_unit_test(gpu_arguments_test TIMEOUT 30 LINK heddle_run)
heddle_unit_test(gpu_timeline_test TIMEOUT 30 LINK heddle_gpu)
heddle_unit_test(oracle_ctas_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_unit_test(oracle_device_test TIMEOUT 30 LINK heddle_gpu_api)
heddle_unit_test(limit_test TIMEOUT 60 LINK heddle_limit heddle_compiler heddle_gpu_api)
