only("token-budget.lua")

local function use(input, output, session)
  local usage = { input_tokens = input, output_tokens = output }
  fire("post_model_call", { session_id = session, model = "m", usage = usage })
end

local function prompt(session)
  return fire("pre_prompt", { session_id = session, prompt = "go on" })
end

test("below the budget nothing is said", function()
  use(1000000, 500000)
  local r = prompt()
  expect(r.decision):is("")
  expect(r.system_message):is(nil)
end)

test("most of it: one warning", function()
  use(1500000, 200000)
  expect(prompt().system_message):contains("1700000 of its 2000000 tokens")
  expect(prompt().system_message):is(nil)
end)

test("all of it: the end", function()
  use(1500000, 0)
  use(400000, 100000)
  local r = prompt()
  expect(r.decision):is("deny")
  expect(r.halt):is(true)
  expect(r.stop_reason):contains("has used its 2000000 tokens")
end)

test("in the middle of a turn, too", function()
  use(2000000, 0)
  local messages = { { role = "user", content = "go on" } }
  expect(fire("pre_model_call", { model = "m", messages = messages }).decision):is("deny")
end)

test("each session has its own", function()
  use(2000000, 0, "one")
  expect(prompt("two").decision):is("")
end)

test("a model call that nobody has counted", function()
  fire("post_model_call", { model = "m" })
  expect(prompt().decision):is("")
end)
