-- The options of error-logger.

return {
  name = "error-logger",
  help = "Records and counts what fails, and helps an agent that goes round in circles. "
    .. "Errors and failed tool calls go to the decision log, without secrets, and are counted per task and per error. From a threshold on it tells the agent what has failed how often. It doesn't let a call that has failed twice through a third time while nothing has been changed. "
    .. "Two errors are the same if they differ in numbers, times, paths, addresses and quoted values only. A task is the event's `issue_id`, else its session, else the project. "
    .. "Under `on_error` it counts the errors that the host reports, under `post_tool_call` the calls that failed, and under `pre_tool_call` it denies. These are independent, so name it under those that you want. "
    .. "Under `on_error` it records a hook that fails, and doesn't count it: it isn't the agent that goes in circles. The event says whether a call failed (`outcome`, `error`, an exit status or `is_error` in the output), never the text that a program printed. "
    .. "Two calls are the same if tool, input and working folder are. Once a call succeeds, its count and that of its error begin anew. A change to a file, any command that does more than look, waiting, and a new prompt make way for another try. It doesn't hold back what the host calls retryable.",
  events = { "on_error", "post_tool_call", "pre_tool_call" },
  options = {
    { name = "threshold", type = "whole", least = 2, most = 1000, default = 3, help = "The number of times of the same error from which on it tells the agent to do otherwise." },
    { name = "task_threshold", type = "whole", least = 2, most = 10000, default = 12, help = "The number of failures of a task at which, and at each multiple of which, it tells the agent to stand back." },
    { name = "deny_after", type = "whole", least = 1, most = 1000, default = 2, help = "The number of failures after which it denies the identical call." },
    { name = "deny_for", type = "duration", least = "1s", most = "30d", default = "10m", help = "How long it denies a call after its last failure; then the agent may try again." },
    { name = "ttl", type = "duration", least = "1m", most = "30d", default = "24h", help = "How long it keeps the counts of a task after the last failure." },
    { name = "log", type = "boolean", default = true, help = "Whether errors go to the decision log." },
    { name = "recover", type = "map", default = {}, help = "What it starts on an error, once for an error in `every` (1h), successful or not: `command` or `task`. `command` is a list of a program and its arguments without a shell. The program must be granted (`grant: {exec: [PROGRAM]}`) and gets the error in ERROR_KIND, ERROR_MESSAGE, ERROR_TOOL, ERROR_FINGERPRINT, ERROR_COUNT, ERROR_ISSUE and ERROR_SESSION, without secrets. `task` is the title of a task in the tracker. `kinds` and `tools` select errors, `after` is the number of times of the same error from which on it starts (1), and `timeout` is how long the program may run (60s). Failures of hooks start nothing." },
  },
  data = {
    { name = "failures", type = "number", help = "how many failures this task has had so far, this one included" },
    { name = "same_failures", type = "number", help = "how many of them were this very error, since it was last overcome" },
    { name = "recovery", type = "text", help = "what came of a recovery that was started" },
    { name = "fingerprint", type = "text", help = "identifies the error: 16 hex digits, the same for the same error" },
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
