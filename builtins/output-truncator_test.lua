-- What is left of long outputs, as agents' hosts report them.

local function lines(n, form)
  local list = {}
  for i = 1, n do
    list[i] = (form or "line %d of a long output"):format(i)
  end
  return table.concat(list, "\n") .. "\n"
end

local function fire(hooks, output, more, event)
  local call = { name = "bash", input = { command = "make" }, outcome = "ok", output = output }
  for key, value in pairs(more or {}) do
    call[key] = value
  end
  local r, problem = hooks:fire(event or "post_tool_call", { session_id = "s", tool_call = call })
  return r or error(type(problem) == "table" and json.encode(problem) or tostring(problem), 2)
end

test("what is short enough is left alone", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  for _, output in ipairs { "", "ok\n", ("x"):rep(30000), ("y\n"):rep(2000), "\27[31mred\27[0m\n", { stdout = "ok", stderr = "" }, json.array(), 12, false } do
    local r = fire(hooks, output)
    same(r.output, nil) same(r.data, nil)
  end
end)

test("beginning, end and errors are left of a long output", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  local full = lines(2000) .. "main.c:12:3: error: expected ';'\n" .. lines(2000)
  local r = fire(hooks, full)
  assert(#r.output <= 30000, #r.output)
  assert(text.starts_with(r.output, "line 1 of a long output\nline 2 "))
  assert(text.ends_with(r.output, "line 1999 of a long output\nline 2000 of a long output\n"))
  has(r.output, "\nmain.c:12:3: error: expected ';'\n")
  local t = r.data.truncated
  same(t.tool, "bash") same(t.bytes, #full) same(t.lines, 4001) same(t.left_bytes, #r.output)
  same(t.snippets[4], { name = "errors", found = 1, kept = 1 })
end)
