# SPDX-License-Identifier: Apache-2.0
"""The importable Python that programs of several rooms share. README.md has what each module does, and its users."""
