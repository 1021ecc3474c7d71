// The guard as a Node hook: one event on stdin, the decision on stdout.
"use strict";
const fs = require("node:fs");

const patterns = ["mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"];

const command = JSON.parse(fs.readFileSync(0, "utf8")).tool_call.command ?? "";
const hit = patterns.find((p) => command.includes(p));
if (hit === undefined) {
  process.stdout.write(JSON.stringify({decision: "", block: false}));
} else {
  process.stdout.write(JSON.stringify({decision: "deny", block: true, reason: "matches " + hit}));
  process.exitCode = 2;
}
