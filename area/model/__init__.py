# SPDX-License-Identifier: Apache-2.0
"""Area of RAMs and CAMs at 90 nm and other nodes, from ports, rows and columns. README.md says how and how well."""
from .access import access
from .memory import Area, LimitError, Ports, memory
from .structures import cost
from .validation import accuracy, conclusions, fit, validate

__all__ = ["Area", "LimitError", "Ports", "access", "accuracy", "conclusions", "cost", "fit", "memory", "validate"]
