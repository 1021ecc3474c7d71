-- The options of cost-tracker.

local function budget(name, type, least, help)
  return { name = name, type = type, least = least, help = help }
end

return {
  name = "cost-tracker",
  help = "Counts the tokens and the money that models cost, per session and per day, month and in total, and holds them against budgets. "
    .. "It counts what `post_model_call` and `session_end` report as `usage`, under whichever event it is listed. It takes the report of `session_end` as the sum of the whole session, and adds only what it hasn't counted. "
    .. "A budget that is used up asks or denies under `pre_prompt`, `pre_model_call`, `pre_tool_call`, `pre_agent` or `subagent_start`, if it is listed there; under the other events it can only report. "
    .. "Its entries share their counts; two under one event would count twice. If a report has no `cost_usd`, the cost is that of `prices`, which is empty by default. Days and months are those of UTC.",
  events = { "pre_prompt", "pre_model_call", "pre_tool_call", "pre_agent", "subagent_start", "post_model_call", "session_end" },
  options = {
    { name = "prices", type = "map", default = {}, help = "Dollars per million tokens by model, whose name may have * in it; the most specific name counts: `\"claude-sonnet-*\": {input: 3, output: 15, cache: 0.3}`. `cache` defaults to `input`. Set `cache_in_input: true` if the host's `input_tokens` contain the `cache_tokens`." },
    budget("session_usd", "number", 0.01, "Budget of a session, in dollars."),
    budget("day_usd", "number", 0.01, "Budget of a day."),
    budget("month_usd", "number", 0.01, "Budget of a month."),
    budget("total_usd", "number", 0.01, "Budget of all time."),
    budget("session_tokens", "whole", 1, "Budget of a session, in tokens: input, output and cache together."),
    budget("day_tokens", "whole", 1, "Budget of a day, in tokens."),
    budget("month_tokens", "whole", 1, "Budget of a month, in tokens."),
    budget("total_tokens", "whole", 1, "Budget of all time, in tokens."),
    { name = "over", type = "choice", of = { "ask", "deny", "warn" }, default = "ask", help = "What happens when a budget is used up; warn only says it, once." },
    { name = "warn_at", type = "number", least = 1, most = 100, default = 80, help = "The percentage of a budget at which it warns, once, that the budget comes to its end." },
    { name = "totals", type = "choice", of = { "user", "project" }, default = "user", help = "Whose days, months and totals count: those of all projects together, or of this one." },
  },
  data = {
    { name = "cost", type = "table", help = "session_usd, day_usd, month_usd, total_usd and session_tokens, day_tokens, month_tokens, total_tokens so far; of the session calls, input_tokens, output_tokens, cache_tokens, unpriced_tokens (of models without a price), and by name models and agents, each {usd, tokens, calls}" },
  },
  examples = {
    {
      text = "Counts, and sums up at the end of each session:",
      yaml = 'session_end:\n  - {builtin: cost-tracker, with: {prices: {"sonnet-*": {input: 3, output: 15, cache: 0.3}}}}',
      before = {
        { event = "post_model_call", session_id = "s-1", model = "sonnet-5", usage = { input_tokens = 100000, output_tokens = 2000, cache_tokens = 500000 } },
      },
      event = { event = "session_end", session_id = "s-1", model = "sonnet-5" },
      gives = { system_message = "1 model call, 602,000 tokens, $0.48", data = { cost = { session_usd = 0.48, session_tokens = 602000 } } },
    },
    {
      text = "Ends a session that has cost 2 dollars, and asks before each prompt of a day that has cost 20:",
      yaml = "pre_tool_call:\n  - {name: session-budget, builtin: cost-tracker, with: {session_usd: 2, over: deny}}\npre_prompt:\n  - {name: day-budget, builtin: cost-tracker, with: {day_usd: 20}}",
      before = {
        { event = "post_model_call", session_id = "s-1", model = "opus-5", usage = { input_tokens = 60000, output_tokens = 9000, cost_usd = 2.04 } },
      },
      event = { event = "pre_tool_call", session_id = "s-1", tool_call = { name = "bash", command = "make" } },
      gives = { decision = "deny", reason = "$2.04 of $2.00 for this session" },
    },
    {
      text = "A budget in tokens for each project, where the provider has no prices:",
      yaml = "pre_prompt:\n  - {builtin: cost-tracker, with: {day_tokens: 3000000, totals: project}}",
      before = {
        { event = "post_model_call", session_id = "s-1", model = "local", usage = { input_tokens = 3100000, output_tokens = 20000 } },
      },
      event = { event = "pre_prompt", session_id = "s-1", prompt = "go on" },
      gives = { decision = "ask", reason = "3,120,000 of 3,000,000 tokens for today" },
    },
  },
}
