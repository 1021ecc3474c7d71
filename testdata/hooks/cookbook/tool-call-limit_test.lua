only("tool-call-limit.lua")

local function call(session)
  local read = { name = "read", input = { file_path = "a.go" } }
  return fire("pre_tool_call", { session_id = session, tool_call = read })
end

test("fifty calls, and no more", function()
  for _ = 1, 50 do
    expect(call().decision):is("")
  end
  local r = call()
  expect(r.decision):is("deny")
  expect(r.reason):contains("50 tool calls are used up")
  expect(call().decision):is("deny")
end)

test("a word before they are used up, once", function()
  fake.store.set("calls", 38, { scope = "session" })
  expect(call().new_context):is(nil)
  expect(call().new_context):contains("10 tool calls are left")
  expect(call().new_context):is(nil)
end)

test("each session has its own", function()
  for _ = 1, 51 do
    call("one")
  end
  expect(call("one").decision):is("deny")
  expect(call("two").decision):is("")
end)

test("all tools count", function()
  fake.store.set("calls", 50, { scope = "session" })
  expect(fire("pre_tool_call", "ls").decision):is("deny")
end)

test("a store that can't be reached is no permission", function()
  fake.store.fails("the disk is full")
  expect(fire("pre_tool_call", "ls", { failures = true }).decision):is("deny")
end)

test("other events don't count", function()
  fake.store.set("calls", 50, { scope = "session" })
  expect(fire("pre_prompt", { prompt = "go on" }).decision):is("")
end)
