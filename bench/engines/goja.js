(function () {
  "use strict";
  const patterns = ["mkfs.", ":(){ :|:& };:", "rm -rf /", "dd if=/dev/zero", "> /dev/sda"];

  return function (ev) {
    const call = ev.tool_call;
    if (ev.event === "pre_tool_call") {
      if (call.name !== "bash") return;
      const command = call.command;
      for (let i = 0; i < patterns.length; i++) {
        if (command.includes(patterns[i])) {
          return {block: true, reason: "matches " + patterns[i]};
        }
      }
    } else if (call.name === "bash") {
      const out = call.output;
      if (out.length > 8192) {
        return {output: out.slice(0, 4096) + "\n[...]\n" + out.slice(-4096)};
      }
    } else if (call.output.length > 64 * 1024 * 1024) {
      return {block: true, reason: "too long"};
    }
  };
})()
