-- The options of test-verifier.

return {
  name = "test-verifier",
  help = "Lets an issue be closed only when its tests have passed since the last edit. "
    .. "It notes which files the tools of a session edit and which commands they run, subagents' included. It denies the close with the command to run and the files that were edited since. Without an edit it asks for nothing. "
    .. "One entry under `pre_close` is enough; under `stop` it sends the agent back to its tests (within the loop guard), under `task_completed` it keeps a task open. "
    .. "A run counts if the command is the configured one, in the same folder, and its failure would have been seen: `cd x && go test ./...` counts, and so does `set -o pipefail; go test ./... | tail`. `go test ./... | tail`, `go test ./... || true` and `go test ./...; echo done` don't, nor does a run in the background. It may have more options that change only how much is printed or how fast it goes (`-v`, `-race`, `-count=1`, `--maxWorkers=4` ...). "
    .. "Edits are what the tools for files write, what the commands of a shell name as files that they write or delete (but for what git ignores), and, once there was an edit, what git brings in (merge, checkout, stash ...). It doesn't see what a program writes of its own accord. "
    .. "A session's edits and runs are its own. Those of a host that gives no session_id, and those of other sessions that worked on the same issue_id, count as well. A close without a session_id looks at all sessions of the project.",
  events = { "pre_close", "stop", "task_completed" },
  options = {
    { name = "command", type = "texts", needed = true, help = "The command that must have passed, or several, each as you would type it in the project's root (`cd web && npm test`). A `*` in a word stands for any text, and as the last word for any words." },
    { name = "ignore", type = "texts", default = {}, help = "Files whose edits need no tests, as globs: `**/*.md`." },
    { name = "flags", type = "texts", default = {}, help = "More options that a run may have, with `*` for the part that may vary: `-tags=*`." },
    { name = "run", type = "boolean", default = false, help = "Whether it runs the missing commands itself; the programs must be granted (`grant: {exec: [go]}`), and each command must be a plain one." },
    { name = "timeout", type = "duration", least = "1s", most = "1h", default = "5m", help = "How long the runs of `run` may take, together." },
    { name = "remember", type = "duration", least = "1h", most = "30d", default = "7d", help = "How long it keeps a session's edits and runs after the last one." },
  },
  data = {
    { name = "verified", type = "boolean", help = "whether all commands have passed since the last edit; absent if nothing was edited" },
  },
  examples = {
    {
      text = "No issue is closed on untested work, except where only documents were changed:",
      yaml = 'pre_close: [{name: tested, builtin: test-verifier, with: {command: "go test ./...", ignore: "**/*.md"}}]',
      before = {
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "edit", input = { file_path = "cart.go", old_string = "a", new_string = "b" }, outcome = "ok" } },
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "go test ./... | tail -5", outcome = "ok" } },
      },
      event = { event = "pre_close", session_id = "s-1", issue_id = "SHOP-41", title = "Round totals half to even" },
      gives = { decision = "deny", reason = "go test ./...", data = { verified = false } },
    },
    {
      text = "Two commands, and an agent that isn't done before they have passed; here they have:",
      yaml = 'stop: [{builtin: test-verifier, with: {command: ["go vet ./...", "cd web && npm test"]}}]\npre_close: [{builtin: test-verifier, with: {command: ["go vet ./...", "cd web && npm test"]}}]',
      before = {
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "write", input = { file_path = "cart.go", content = "package shop" }, outcome = "ok" } },
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "go vet ./... && (cd web && npm test)", outcome = "ok" } },
      },
      event = { event = "stop", session_id = "s-1" },
      gives = { decision = "", data = { verified = true } },
    },
  },
}
