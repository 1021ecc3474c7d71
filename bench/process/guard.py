"""The guard as a Python hook: one event on stdin, the decision on stdout."""

import json
import sys

PATTERNS = ["mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"]

command = json.load(sys.stdin)["tool_call"].get("command", "")
for p in PATTERNS:
    if p in command:
        json.dump({"decision": "deny", "block": True, "reason": "matches " + p}, sys.stdout)
        sys.exit(2)
json.dump({"decision": "", "block": False}, sys.stdout)
