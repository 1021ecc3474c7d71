-- cost-tracker as hooks.yaml lists it.

local COUNT = "post_model_call: [{builtin: cost-tracker}]"

local function call(hooks, session, usage, more)
  local fields = { session_id = session, model = "sonnet-5", usage = usage }
  for k, v in pairs(more or {}) do
    fields[k] = v
  end
  return hooks:fire("post_model_call", fields)
end

test("calls add up over processes, in the session and over all of them", function()
  call(start(COUNT), "a", { input_tokens = 1000, output_tokens = 20, cost_usd = 0.1 })
  call(start(COUNT), "a", { input_tokens = 1000, output_tokens = 30, cache_tokens = 7, cost_usd = 0.2 })
  local cost = call(start(COUNT), "b", { input_tokens = 5, cost_usd = 0.4 }).data.cost
  expect(cost.session_usd):is(0.4)
  expect(cost.session_tokens):is(5)
  expect(cost.total_usd):is(0.7)
  expect(cost.day_usd):is(0.7)
  expect(cost.month_usd):is(0.7)
  expect(cost.total_tokens):is(2062)
  expect(cost.calls):is(1)
end)

test("many small costs don't drift", function()
  local hooks = start(COUNT)
  local cost
  for _ = 1, 100 do
    cost = call(hooks, "a", { input_tokens = 1, cost_usd = 0.1 }).data.cost
  end
  expect(cost.session_usd):is(10)
  expect(cost.total_usd):is(10)
end)

test("what session_end reports again isn't counted twice", function()
  local hooks = start(COUNT)
  call(hooks, "a", { input_tokens = 1000, output_tokens = 20, cost_usd = 0.1 })
  call(hooks, "a", { input_tokens = 1000, output_tokens = 20, cost_usd = 0.1 })
  local r = hooks:fire("session_end", { session_id = "a", usage = { input_tokens = 2000, output_tokens = 40, cost_usd = 0.2 } })
  expect(r.data.cost.session_usd):is(0.2)
  expect(r.data.cost.total_usd):is(0.2)
  expect(r.data.cost.session_tokens):is(2040)
  expect(r.data.cost.calls):is(2)
  expect(r.system_message):contains("this session: 2 model calls, 2,040 tokens, $0.20; today $0.20")
end)

test("session_end adds what no call has reported", function()
  local hooks = start("session_end: [{builtin: cost-tracker}]")
  call(hooks, "a", { input_tokens = 1000, cost_usd = 0.1 })
  local whole = { session_id = "a", usage = { input_tokens = 1500, output_tokens = 40, cost_usd = 0.25 } }
  expect(hooks:fire("session_end", whole).data.cost.session_usd):is(0.25)
  local cost = hooks:fire("session_end", whole).data.cost -- resumed, and ended again
  expect(cost.session_usd):is(0.25)
  expect(cost.total_usd):is(0.25)
  expect(cost.total_tokens):is(1540)
end)

test("a session_end that reports less takes nothing away", function()
  local hooks = start(COUNT)
  call(hooks, "a", { input_tokens = 1000, cost_usd = 0.1 })
  expect(hooks:fire("session_end", { session_id = "a", usage = { input_tokens = 10, cost_usd = 0.01 } }).data.cost.total_usd):is(0.1)
end)

test("a session that used nothing says nothing", function()
  expect(start("session_end: [{builtin: cost-tracker}]"):fire("session_end", { session_id = "a" }).system_message):is(nil)
end)

test("without a session_id there is one session at a time", function()
  local hooks = start(COUNT)
  call(hooks, "", { input_tokens = 1000, cost_usd = 0.1 })
  local r = hooks:fire("session_end", { session_id = "", usage = { input_tokens = 1000, cost_usd = 0.1 } })
  expect(r.data.cost.session_usd):is(0.1)
  expect(r.data.cost.total_usd):is(0.1)
  expect(r.warnings):is(nil)
  expect(call(hooks, "", { input_tokens = 1, cost_usd = 0.2 }).data.cost.session_usd):is(0.2)
end)

test("the most specific price holds, whatever the case", function()
  local hooks = start('post_model_call: [{builtin: cost-tracker, with: {prices: {"*": {input: 1, output: 1}, "Sonnet-*": {input: 3, output: 15, cache: 0.3}, "sonnet-5-mini": {input: 0.25, output: 2}}}}]')
  local function cost(model, usage)
    return call(hooks, model, usage, { model = model }).data.cost.session_usd
  end
  expect(cost("sonnet-5", { input_tokens = 1000000 })):is(3)
  expect(cost("sonnet-5.1", { output_tokens = 1000, cache_tokens = 1000000 })):is(0.315)
  expect(cost("sonnet-5-mini", { input_tokens = 1000, cache_tokens = 1000 })):is(0.0005)
  expect(cost("vendor/other:0", { input_tokens = 7 })):is(0.000007)
  expect(cost("opus [1m]", { input_tokens = 1, cost_usd = 0.5 }), "the host's word goes before"):is(0.5)
end)

test("a name of a model is no pattern but for the *", function()
  local hooks = start('post_model_call: [{builtin: cost-tracker, with: {prices: {"a.b+c[1m]": {input: 1, output: 1}}}}]')
  expect(call(hooks, "a", { input_tokens = 1000000 }, { model = "a.b+c[1m]" }).data.cost.session_usd):is(1)
  expect(call(hooks, "b", { input_tokens = 1000000 }, { model = "axb+c[1m]" }).data.cost.session_usd):is(0)
end)

test("tokens from the cache that are in the input aren't paid twice", function()
  local hooks = start('post_model_call: [{builtin: cost-tracker, with: {prices: {"g*": {input: 2, output: 8, cache: 0.5, cache_in_input: true}}}}]')
  local cost = call(hooks, "a", { input_tokens = 1000000, cache_tokens = 400000 }, { model = "gpt" }).data.cost
  expect(cost.session_usd):is(1.4)
  expect(cost.session_tokens):is(1000000)
end)

test("a model without a price is told once a session, where costs are wanted", function()
  local yaml = 'post_model_call: [{builtin: cost-tracker, with: {prices: {"a": {input: 1, output: 1}}}}]'
  expect(call(start(yaml), "a", { input_tokens = 5 }).system_message):contains('"sonnet-5" has no price')
  local r = call(start(yaml), "a", { input_tokens = 5 })
  expect(r.system_message):is(nil)
  expect(r.data.cost.unpriced_tokens):is(10)
  expect(call(start(COUNT), "b", { input_tokens = 5 }).system_message):is(nil)
end)

test("the host's sum of a session has the tokens without a price in it", function()
  local hooks = start(COUNT)
  expect(call(hooks, "a", { input_tokens = 5 }).data.cost.unpriced_tokens):is(5)
  local r = hooks:fire("session_end", { session_id = "a", usage = { input_tokens = 5, cost_usd = 0.5 } })
  expect(r.data.cost.unpriced_tokens):is(0)
  expect(r.data.cost.session_usd):is(0.5)
  expect(r.system_message):never():contains("no price")
end)

test("models and agents are counted by name", function()
  local hooks = start(COUNT)
  call(hooks, "a", { input_tokens = 5, cost_usd = 1 }, { model = "opus-5" })
  call(hooks, "a", { input_tokens = 7, cost_usd = 2 }, { agent_id = "reviewer" })
  local cost = call(hooks, "a", { input_tokens = 7, cost_usd = 2 }, { agent_id = "reviewer" }).data.cost
  expect(cost.models):equals({ ["opus-5"] = { calls = 1, tokens = 5, usd = 1 }, ["sonnet-5"] = { calls = 2, tokens = 14, usd = 4 } })
  expect(cost.agents.reviewer.usd):is(4)
  expect(cost.agents.main.usd):is(1)
  expect(hooks:fire("session_end", { session_id = "a" }).system_message):contains("(sonnet-5 $4.00, opus-5 $1.00)")
end)

test("names without end don't fill the store", function()
  local hooks = start(COUNT)
  local cost
  for i = 1, 60 do
    cost = call(hooks, "a", { input_tokens = 1, cost_usd = 1 }, { model = ("m"):rep(5000) .. i, agent_id = "agent" .. i }).data.cost
  end
  expect(cost.session_usd):is(60)
  local n = 0
  for name in pairs(cost.agents) do
    n = n + 1
    expect(#name <= 80):is(true)
  end
  expect(n <= 41):is(true)
  expect(cost.agents.other.calls):is(20)
end)

test("a report that can't be true is left out, and told", function()
  local hooks = start(COUNT)
  for _, usage in ipairs({ { input_tokens = -5 }, { input_tokens = 9e18 }, { cost_usd = -1 }, { cost_usd = 1e300 }, { input_tokens = 1, output_tokens = 2e12 } }) do
    expect(call(hooks, "a", usage).system_message):contains("an impossible usage report")
  end
  expect(call(hooks, "a", { cost_usd = 1 }).data.cost.total_usd):is(1)
end)

test("calls without usage are counted as such", function()
  local hooks = start(COUNT)
  call(hooks, "a", nil)
  call(hooks, "a", { input_tokens = 0 })
  call(hooks, "a", { input_tokens = 3 })
  expect(hooks:fire("session_end", { session_id = "a" }).system_message):contains("3 model calls, 3 tokens; 2 calls came without usage")
end)

local function used_up(with)
  call(start(COUNT), "a", { input_tokens = 900, output_tokens = 100, cost_usd = 2 })
  return start(([[
pre_prompt: [{builtin: cost-tracker, with: %s}]
pre_tool_call: [{builtin: cost-tracker, with: %s}]
pre_model_call: [{builtin: cost-tracker, with: %s}]
]]):format(with, with, with))
end

local BASH = { session_id = "a", tool_call = { name = "bash", command = "make" } }

test("a budget that is used up asks, denies or warns under each event", function()
  for _, over in ipairs({ "ask", "deny" }) do
    local hooks = used_up(("{session_usd: 1.5, over: %s}"):format(over))
    expect(hooks:fire("pre_prompt", { session_id = "a", prompt = "go" }).decision):equals(over)
    expect(hooks:fire("pre_model_call", { session_id = "a", model = "m" }).decision):equals(over)
    expect(hooks:fire("pre_tool_call", BASH).decision):equals(over)
    expect(hooks:fire("pre_prompt", { session_id = "other", prompt = "go" }).decision):is("")
  end
  local hooks = used_up("{session_usd: 1.5, over: warn}")
  local r = hooks:fire("pre_tool_call", BASH)
  expect(r.decision):is("")
  expect(r.system_message):contains("of $1.50 for this session")
  expect(hooks:fire("pre_tool_call", BASH).system_message):is(nil)
end)

test("each budget is held against its own sum", function()
  local hooks = used_up("{session_tokens: 1000}")
  expect(hooks:fire("pre_tool_call", BASH).reason):contains("1,000 of 1,000 tokens for this session")
  for _, case in ipairs({
    { "session_tokens: 1001", "" }, { "day_usd: 4", "ask" }, { "day_usd: 100", "" }, { "month_usd: 3.5", "ask" }, { "total_usd: 4", "ask" },
    { "day_tokens: 2000", "ask" }, { "month_tokens: 1500", "ask" }, { "total_tokens: 2000", "ask" }, { "total_tokens: 200000", "" },
  }) do
    local r = start(("pre_tool_call: [{builtin: cost-tracker, with: {%s}}]"):format(case[1])):fire("pre_tool_call", BASH)
    if case[2] == "ask" and case[1]:find("session") == nil then
      call(start(COUNT), "b", { input_tokens = 1000, cost_usd = 2 })
      r = start(("pre_tool_call: [{builtin: cost-tracker, with: {%s}}]"):format(case[1])):fire("pre_tool_call", BASH)
    end
    expect(r.decision, case[1]):equals(case[2])
  end
end)

test("a budget denies only where it is listed", function()
  call(start(COUNT), "a", { cost_usd = 2 })
  local hooks = start("pre_prompt: [{builtin: cost-tracker, with: {session_usd: 1, over: deny}}]")
  expect(hooks:fire("pre_tool_call", BASH).decision):is("")
  expect(hooks:fire("pre_prompt", { session_id = "a", prompt = "go" }).decision):is("deny")
end)

test("one entry under an event before counts, too", function()
  local yaml = "pre_prompt: [{builtin: cost-tracker, with: {session_usd: 1}}]"
  call(start(yaml), "a", { cost_usd = 2 })
  expect(start(yaml):fire("pre_prompt", { session_id = "a", prompt = "go" }).decision):is("ask")
end)

test("the end of a budget is told once, and again in the next session", function()
  local yaml = "post_model_call: [{builtin: cost-tracker, with: {session_usd: 1, warn_at: 80}}]"
  expect(call(start(yaml), "a", { cost_usd = 0.79 }).system_message):is(nil)
  expect(call(start(yaml), "a", { cost_usd = 0.01 }).system_message):contains("$0.80 of $1.00 for this session is used")
  expect(call(start(yaml), "a", { cost_usd = 0.01 }).system_message):is(nil)
  local r = call(start(yaml), "a", { cost_usd = 0.5 })
  expect(r.system_message):contains("used up")
  expect(r.system_message):contains("It asks only if it is listed under an earlier event, such as pre_prompt or pre_tool_call.")
  expect(r.new_context):contains("tell the user")
  expect(r.decision):is("")
  expect(call(start(yaml), "a", { cost_usd = 0.5 }).system_message):is(nil)
  expect(call(start(yaml), "b", { cost_usd = 0.9 }).system_message):contains("is used")
end)

test("the totals of a project are its own where that is wanted", function()
  local yaml = "post_model_call: [{builtin: cost-tracker, with: {totals: project}}]"
  call(start(COUNT), "a", { cost_usd = 5 })
  expect(call(start(yaml), "b", { cost_usd = 2 }).data.cost.total_usd):is(2)
end)

test("a mistake in prices is told with what may have been meant", function()
  local function problem(prices)
    return start(("session_end: [{builtin: cost-tracker, with: {prices: %s}}]"):format(prices)).problem()
  end
  expect(problem('{"a": {inptu: 3, output: 1}}')):contains('no "inptu", did you mean "input"?')
  expect(problem('{"a": {input: 3}}')):contains("needs input and output")
  expect(problem('{"a": 3}')):contains("in dollars per million tokens, got number")
  expect(problem('{"a": {input: -3, output: 1}}')):contains("from 0 on")
  expect(problem('{"a": {input: "3", output: 1}}')):contains("from 0 on")
  expect(problem('{"a": {input: 3, output: 1, cache_in_input: 1}}')):contains("true or false")
  expect(problem("[1]")):contains("mapping")
  expect(start("pre_prompt: [{builtin: cost-tracker, with: {sesion_usd: 3}}]").problem()):contains('did you mean "session_usd"?')
  expect(start("pre_prompt: [{builtin: cost-tracker, with: {session_usd: 0}}]").problem()):contains("at least 0.01")
end)
