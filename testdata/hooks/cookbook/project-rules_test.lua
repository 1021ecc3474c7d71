only("project-rules.lua")

local function told(event, context)
  return fire(event, context).new_context ~= nil
end

test_each({ "startup", "clear", "compact" }, "a session that begins by %s is told", function(source)
  expect(told("session_start", { source = source })):is(true)
end)

test("a session that goes on has them already", function()
  expect(told("session_start", { source = "resume" })):is(false)
end)

test("the prompts after that aren't told again", function()
  told("session_start", { source = "startup" })
  expect(told("pre_prompt", { prompt = "go on" })):is(false)
end)

test("an agent that says nothing of its start is told with the first prompt", function()
  expect(told("pre_prompt", { prompt = "go on" })):is(true)
  expect(told("pre_prompt", { prompt = "go on" })):is(false)
end)

test_each({ "pre_compact", "post_compact" }, "and again after %s", function(event)
  told("pre_prompt", { prompt = "go on" })
  fire(event, { trigger = "auto" })
  expect(told("pre_prompt", { prompt = "go on" })):is(true)
  expect(told("pre_prompt", { prompt = "go on" })):is(false)
end)

test("each session is told", function()
  expect(told("pre_prompt", { prompt = "go on", session_id = "one" })):is(true)
  expect(told("pre_prompt", { prompt = "go on", session_id = "two" })):is(true)
end)
