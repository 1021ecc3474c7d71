-- The options of error-logger.

return {
  name = "error-logger",
  help = "Records and counts what fails, and helps an agent that goes round in circles. Errors and failed tool calls go to the decision log, without secrets, and are counted per task and per error; from a threshold on the agent is told what has failed how often, and a call that has failed twice isn't let through a third time while nothing has been changed. "
    .. "Two errors are the same where they differ in numbers, times, paths, addresses and quoted values only. A task is the event's `issue_id`, else its session, else the project. "
    .. "Under `on_error` it counts the errors that the host reports, under `post_tool_call` the calls that failed, and under `pre_tool_call` it denies; each stands for itself, so name it under those that you want. A hook that fails is recorded, under `on_error`, and not counted: it isn't the agent that goes in circles. Whether a call failed is told by the event (`outcome`, `error`, an exit status or `is_error` in the output), never by what a program printed. "
    .. "A call is the same where tool, input and working folder are. Once it succeeds, its count and that of its error begin anew; a change to a file, any command that does more than look, waiting, and a new prompt make way for another try, and what the host calls retryable isn't held back.",
  events = { "on_error", "post_tool_call", "pre_tool_call" },
  options = {
    { name = "threshold", type = "whole", least = 2, most = 1000, default = 3, help = "From how many times of the same error on the agent is told to do otherwise." },
    { name = "task_threshold", type = "whole", least = 2, most = 10000, default = 12, help = "At how many failures of a task, and at each multiple, the agent is told to stand back." },
    { name = "deny_after", type = "whole", least = 1, most = 1000, default = 2, help = "After how many failures the identical call is denied." },
    { name = "deny_for", type = "duration", least = "1s", most = "30d", default = "10m", help = "How long after its last failure a call is denied; then it may be tried again." },
    { name = "ttl", type = "duration", least = "1m", most = "30d", default = "24h", help = "How long after the last failure of a task its counts are kept." },
    { name = "log", type = "boolean", default = true, help = "Whether errors go to the decision log." },
    { name = "recover", type = "map", default = {}, help = "What is started where an error comes, once for an error in `every` (1h), whatever comes of it: `command`, a list of a program and its arguments without a shell, which must be granted (`grant: {exec: [PROGRAM]}`) and is told of the error in ERROR_KIND, ERROR_MESSAGE, ERROR_TOOL, ERROR_FINGERPRINT, ERROR_COUNT, ERROR_ISSUE and ERROR_SESSION, without secrets; or `task`, the title of a task in the tracker. `kinds` and `tools` are those of errors that are meant, `after` is from how many times of the same error on (1), and `timeout` how long the program may run (60s). Failures of hooks start nothing." },
  },
  data = {
    { name = "failures", type = "number", help = "how many failures this task has had so far, this one included" },
    { name = "same_failures", type = "number", help = "how many of them were this very error, since it was last overcome" },
    { name = "recovery", type = "text", help = "what came of a recovery that was started" },
    { name = "fingerprint", type = "text", help = "what the error is known by: 16 hex digits, the same for the same error" },
  },
  examples = {
    {
      text = "Errors are recorded and counted, and the third of a kind makes the agent think again:",
      yaml = "on_error: [{name: log-failure, builtin: error-logger}]",
      before = {
        { event = "on_error", session_id = "s-1", error = { kind = "network", message = "dial tcp 10.0.0.7:5432: connection refused after 1.2s" } },
        { event = "on_error", session_id = "s-1", error = { kind = "network", message = "dial tcp 10.0.0.8:5432: connection refused after 0.9s" } },
      },
      event = { event = "on_error", session_id = "s-1", error = { kind = "network", message = "dial tcp 10.0.0.7:5432: connection refused after 2s" } },
      gives = { data = { failures = 3, same_failures = 3 }, new_context = "3 times" },
    },
    {
      text = "The third identical call is denied while nothing has been changed since the second failed:",
      yaml = "pre_tool_call: [{builtin: error-logger}]",
      before = {
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "npm test", outcome = "error", output = "Error: Cannot find module 'left-pad'" } },
        { event = "post_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "npm test", outcome = "error", output = "Error: Cannot find module 'left-pad'" } },
      },
      event = { event = "pre_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "npm test" } },
      gives = { decision = "deny", reason = "failed 2 times" },
    },
    {
      text = "All of it, with a longer patience:",
      yaml = "on_error: [{builtin: error-logger, with: {threshold: 5}}]\npost_tool_call: [{builtin: error-logger, with: {threshold: 5}}]\npre_tool_call: [{builtin: error-logger, with: {deny_after: 4}}]",
      event = { event = "post_tool_call", session_id = "s-1", issue_id = "SHOP-41", tool_call = { name = "bash", command = "go build ./...", outcome = "error", output = "cart.go:12:3: undefined: Total" } },
      gives = { decision = "", data = { failures = 1, same_failures = 1 } },
    },
  },
}
