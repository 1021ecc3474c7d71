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

test("the first marker says that there is no full text, and why", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  local r = fire(hooks, lines(3000))
  if not r.data.truncated.path then
    has(r.output, "cut; the full text could not be kept: ")
    assert(#r.data.truncated.problem > 0)
  end
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {spill: false}}]")
  r = fire(hooks, lines(3000))
  lacks(r.output, "full text") same(r.data.truncated.path, nil) same(r.data.truncated.problem, nil)
end)

test("lines alone can be too many", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_lines: 100}}]")
  local r = fire(hooks, lines(500))
  assert(text.count_lines(r.output) <= 100)
  assert(text.ends_with(r.output, "line 500 of a long output\n"))
  same(r.data.truncated.cut_lines, 500 - (text.count_lines(r.output) - 1))
end)

test("one long line is cut inside, at characters", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 1000, spill: false}}]")
  local r = fire(hooks, ("äöü€🙂"):rep(4000))
  assert(#r.output <= 1000 and text.starts_with(r.output, "äöü") and text.ends_with(r.output, "€🙂"))
  assert(json.encode(r.output):find("\239\191\189", 1, true) == nil, "a character was cut")
  has(r.output, " bytes cut ...]\n")
end)

test("bytes that are no text are cut as well", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 1000}}]")
  assert(#fire(hooks, ("\0\1\2bin"):rep(5000)).output <= 1000)
end)

test("line ends of Windows stay", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, spill: false}}]")
  local r = fire(hooks, (lines(200):gsub("\n", "\r\n")))
  assert(not r.output:gsub("\r\n", ""):find("[\r\n]"), r.output)
end)

test("colours, progress and repeated lines are left out of what is too long", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {spill: false}}]")
  local r = fire(hooks, "start\n" .. ("\27[32mwaiting\27[0m\n"):rep(5000) .. "10%\r20%\r100%\nend\n")
  same(r.output, "start\nwaiting\n[the line above 4,999 times more]\n100%\nend\n[... left out: 10000 escape sequences, 2 overwritten states of lines, 4999 repeated lines ...]\n")
  same(r.data.truncated.squeezed, { escapes = 10000, overwritten = 2, repeated = 4999 })
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {squeeze: false}}]")
  has(fire(hooks, ("\27[32mwaiting\27[0m\n"):rep(5000)).output, "\27[32mwaiting\27[0m\n\27[32mwaiting")
end)

test("what was shortened isn't shortened again", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]\ntool_result_persist: [{builtin: output-truncator}]")
  local once = fire(hooks, lines(3000)).output
  same(fire(hooks, once).output, nil)
  same(fire(hooks, once, nil, "tool_result_persist").output, nil)
  same(fire(hooks, once .. "a hook has added this\n", nil, "tool_result_persist").output, nil)
  assert(#fire(hooks, once .. lines(3000), nil, "tool_result_persist").output <= 30000)
end)

test("what matters is kept first, whatever stands beside it", function()
  local x, words, colour = ("x"):rep(300000), ("some words in a row "):rep(15000), "\27[31mERROR: the cause\27[0m\n"
  local item = '{"error":null,"id":12,"text":"some words"},'
  for name, full in pairs {
    ["a long line after"] = lines(4) .. "ERROR: the cause\n" .. x .. "\n",
    ["a long line before"] = x .. "\nERROR: the cause\n",
    ["long lines around"] = lines(300) .. x .. "\nERROR: the cause\n" .. x .. "\n" .. lines(300),
    ["the first line"] = "ERROR: the cause\n" .. x,
    ["the last line"] = x .. "\nERROR: the cause",
    ["in a line"] = words .. "ERROR: the cause " .. words,
    ["JSON"] = '{"items":[' .. item:rep(5000) .. '{"error":"the cause"},' .. item:rep(5000) .. "null]}",
    ["CRLF"] = x .. "\r\nERROR: the cause\r\n" .. x .. "\r\n",
    ["progress"] = ("%d %%\r"):rep(30000) .. "ERROR: the cause\r" .. ("%d %%\r"):rep(30000),
    ["colours"] = lines(2000) .. colour .. lines(2000),
    ["base64"] = lines(3) .. ("QUJD+err/ERRORS=="):rep(20000) .. "\nERROR: the cause\n" .. ("QUJD+err/ERRORS=="):rep(20000),
    ["alike"] = ("error 12 in a part\n" .. "some other line\n"):rep(3000) .. lines(500) .. "ERROR: the cause\n" .. lines(2000),
    ["tables"] = { stdout = lines(4) .. "ERROR: the cause\n" .. x, stderr = lines(3) .. x },
  } do
    for _, with in ipairs { "{spill: false}", "{max_lines: 10, spill: false}", "{max_bytes: 1000, spill: false}", "{squeeze: false, spill: false}", "{head: 0.1, tail: 0.89}", "{max_bytes: 2000, max_lines: 12}" } do
      if not (name == "tables" and with:find("max_lines")) then
        local r = fire(start("post_tool_call: [{builtin: output-truncator, with: " .. with .. "}]"), full)
        local left = type(r.output) == "table" and r.output.stdout or r.output
        assert(left:find("the cause", 1, true), name .. ", " .. with .. ": the cause is lost in " .. left:sub(1, 300))
      end
    end
  end
end)

test("a marker in a long output saves it from nothing", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  local marker = "[... 3 lines (40 bytes) cut ...]\n"
  assert(#fire(hooks, marker .. ("x"):rep(40000)).output <= 30000)
  assert(text.count_lines(fire(hooks, marker .. ("y\n"):rep(5000)).output) <= 2000)
end)

test("what is persisted is shortened, and failed calls are", function()
  local hooks = start("tool_result_persist: [{builtin: output-truncator}]\npost_tool_call: [{builtin: output-truncator}]")
  assert(#fire(hooks, lines(3000), nil, "tool_result_persist").output <= 30000)
  assert(#fire(hooks, lines(3000), { outcome = "error" }).output <= 30000)
  assert(#fire(hooks, lines(3000), { outcome = "timeout" }).output <= 30000)
end)

test("what was read is not searched for errors", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000}}]")
  local full = lines(200) .. "error: this is documentation\n" .. lines(200)
  has(fire(hooks, full).output, "error: this")
  lacks(fire(hooks, full, { name = "Read", input = { file_path = "a.md" } }).output, "error: this")
end)

test("snippets can be chosen", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, snippets: [summaries]}}]")
  local r = fire(hooks, lines(200) .. "error: not wanted\nFAIL\tshop/cart\t0.1s\n" .. lines(200))
  has(r.output, "FAIL\tshop/cart") lacks(r.output, "not wanted")
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, snippets: []}}]")
  lacks(fire(hooks, lines(200) .. "FAIL\tshop/cart\t0.1s\n" .. lines(200)).output, "FAIL")
end)

test("lines of the user's are kept before others", function()
  local hooks = start([[post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, keep: ["^ticket [A-Z]+-", "deployed to"]}}]
]])
  local r = fire(hooks, lines(200) .. lines(200, "error %d") .. "ticket AB-12\nit was deployed to prod\n" .. lines(200))
  has(r.output, "\nticket AB-12\n") has(r.output, "deployed to prod\n")
  same(r.data.truncated.snippets[1], { name = "keep", found = 2, kept = 2 })
end)

test("a pattern that can't be looked for is told when the hooks are loaded", function()
  has(start([[post_tool_call: [{builtin: output-truncator, with: {keep: "("}}]
]]).problem(), 'output-truncator: keep: pattern "(": ')
  has(start([[post_tool_call: [{builtin: output-truncator, with: {keep: "[0-9]+"}}]
]]).problem(), 'pattern "[0-9]+" has no text of 2 bytes that each match must have; add one')
end)

test("options are checked, those of tools as well", function()
  local function problem(with)
    return start("post_tool_call: [{builtin: output-truncator, with: " .. with .. "}]").problem()
  end
  has(problem("{max_byte: 1}"), 'did you mean "max_bytes"?')
  has(problem("{max_bytes: 10}"), "max_bytes is 10, want at least 1000")
  has(problem("{head: 0.7, tail: 0.5}"), "head and tail are 1.2 together, want at most 1")
  has(problem("{tools: {bash: {max_byte: 1}}}"), 'tools.bash: no option "max_byte", did you mean "max_bytes"?')
  has(problem("{tools: {bash: 100}}"), "tools.bash: is a mapping of options, or false")
  has(problem("{tools: {bash: {head: 0.7}}}"), "tools.bash: head and tail are 1.1 together")
end)

test("tools have limits of their own, by name, beginning and kind", function()
  local hooks = start([[
post_tool_call:
  - builtin: output-truncator
    with: {max_bytes: 2000, tools: {BASH: {max_bytes: 5000}, read: {max_bytes: 3000}, "mcp__big__*": false, "mcp__*": {max_bytes: 4000}}}
]])
  local function left(name, input)
    local r = fire(hooks, lines(2000), { name = name, input = input or {} })
    return r.output and math.ceil(#r.output / 1000) * 1000
  end
  same(left("Bash", { command = "make" }), 5000)
  same(left("read_file", { path = "x" }), 3000)
  same(left("mcp__big__dump"), nil)
  same(left("mcp__other__dump"), 4000)
  same(left("other_tool"), 2000)
end)

test("texts in a table are cut and its shape stays", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 3000, spill: false}}]")
  local r = fire(hooks, { stdout = lines(1000), stderr = "warning: unused\n", interrupted = false, code = 2, id = "x", list = json.array() })
  assert(#r.output.stdout <= 3000 and text.ends_with(r.output.stdout, "line 1000 of a long output\n"))
  same(r.output.stderr, "warning: unused\n") same(r.output.interrupted, false) same(r.output.code, 2)
  same(json.encode(r.output.list), "[]")
end)

test("the room is shared: short texts stay whole", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 3000, spill: false}}]")
  local r = fire(hooks, { content = { { type = "text", text = lines(500) }, { type = "text", text = lines(10) }, { type = "text", text = lines(500) } } })
  local content = r.output.content
  same(#content, 3) same(content[2].text, lines(10))
  assert(#content[1].text + #content[2].text + #content[3].text <= 3000)
  assert(#content[1].text > 1000 and #content[3].text > 1000)
end)

test("images stay as they are", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, spill: false}}]")
  local data = ("iVBORw0KGgo"):rep(5000)
  for _, image in ipairs {
    { type = "image", data = data, mimeType = "image/png" },
    { type = "image", source = { type = "base64", media_type = "image/png", data = data } },
    { type = "resource", resource = { uri = "file:///a.bin", blob = data } },
    { type = "image_url", image_url = { url = "data:image/png;base64," .. data } },
  } do
    local r = fire(hooks, { content = { image, { type = "text", text = lines(200) } } })
    same(r.output.content[1], image)
    assert(#r.output.content[2].text <= 2000)
    same(fire(hooks, { content = { image } }).output, nil)
  end
end)

test("what tools for editing answer is the host's", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000}}]")
  same(fire(hooks, { filePath = "a", originalFile = lines(1000) }, { name = "Edit", input = { file_path = "a" } }).output, nil)
end)

test("numbers beyond 2^53 in a table stay exact", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, spill: false}}]")
  local event = json.decode('{"tool_call":{"name":"bash","input":{"command":"x"},"output":{"id":9007199254740993,"stdout":' .. json.encode(lines(500)) .. "}}}")
  local r = hooks:fire("post_tool_call", event)
  has(json.encode(r.output), '"id":90071992547409')
end)

test("many short texts in a list become fewer", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 3000, spill: false}}]")
  local content, rows = {}, {}
  for i = 1, 1000 do
    content[i], rows[i] = { type = "text", text = "result " .. i }, "row " .. i
  end
  local r = fire(hooks, { content = content })
  local n = #r.output.content
  assert(n < 400 and r.output.content[1].text == "result 1" and r.output.content[n].text == "result 1000")
  has(json.encode(r.output), " items")
  r = fire(hooks, rows)
  assert(#r.output < 500 and r.output[1] == "row 1" and r.output[#r.output] == "row 1000")
  has(json.encode(r.output), " items")
end)
