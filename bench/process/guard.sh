#!/usr/bin/env bash
# The guard as a shell hook: one event on stdin, the decision on stdout.
set -euo pipefail

# With a line's end after it, which $(...) would take away.
command=$(jq -j '.tool_call.command // ""'; echo x)
command=${command%x}
patterns=("mkfs." ":(){ :|:& };:" "rm -rf /" "dd if=/dev/zero" "> /dev/sda")
for p in "${patterns[@]}"; do
  if [[ $command == *"$p"* ]]; then
    printf '{"decision":"deny","block":true,"reason":"matches %s"}\n' "$p"
    exit 2
  fi
done
printf '{"decision":"","block":false}\n'
