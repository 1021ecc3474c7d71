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
    expect(r.output):is(nil) expect(r.data):is(nil)
  end
end)

test("beginning, end and errors are left of a long output", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  local full = lines(2000) .. "main.c:12:3: error: expected ';'\n" .. lines(2000)
  local r = fire(hooks, full)
  assert(#r.output <= 30000, #r.output)
  assert(text.starts_with(r.output, "line 1 of a long output\nline 2 "))
  assert(text.ends_with(r.output, "line 1999 of a long output\nline 2000 of a long output\n"))
  expect(r.output):contains("\nmain.c:12:3: error: expected ';'\n")
  local t = r.data.truncated
  expect(t.tool):is("bash") expect(t.bytes):equals(#full) expect(t.lines):is(4001) expect(t.left_bytes):equals(#r.output)
  expect(t.snippets[4]):equals({ name = "errors", found = 1, kept = 1 })
end)

test("the first marker says that there is no full text, and why", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]")
  local r = fire(hooks, lines(3000))
  if not r.data.truncated.path then
    expect(r.output):contains("cut; the full text could not be kept: ")
    assert(#r.data.truncated.problem > 0)
  end
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {spill: false}}]")
  r = fire(hooks, lines(3000))
  expect(r.output):never():contains("full text") expect(r.data.truncated.path):is(nil) expect(r.data.truncated.problem):is(nil)
end)

test("lines alone can be too many", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_lines: 100}}]")
  local r = fire(hooks, lines(500))
  assert(text.count_lines(r.output) <= 100)
  assert(text.ends_with(r.output, "line 500 of a long output\n"))
  expect(r.data.truncated.cut_lines):equals(500 - (text.count_lines(r.output) - 1))
end)

test("one long line is cut inside, at characters", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 1000, spill: false}}]")
  local r = fire(hooks, ("äöü€🙂"):rep(4000))
  assert(#r.output <= 1000 and text.starts_with(r.output, "äöü") and text.ends_with(r.output, "€🙂"))
  assert(json.encode(r.output):find("\239\191\189", 1, true) == nil, "a character was cut")
  expect(r.output):contains(" bytes cut ...]\n")
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
  expect(r.output):is("start\nwaiting\n[the line above 4,999 times more]\n100%\nend\n[... left out: 10000 escape sequences, 2 overwritten states of lines, 4999 repeated lines ...]\n")
  expect(r.data.truncated.squeezed):equals({ escapes = 10000, overwritten = 2, repeated = 4999 })
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {squeeze: false}}]")
  expect(fire(hooks, ("\27[32mwaiting\27[0m\n"):rep(5000)).output):contains("\27[32mwaiting\27[0m\n\27[32mwaiting")
end)

test("what was shortened isn't shortened again", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator}]\ntool_result_persist: [{builtin: output-truncator}]")
  local once = fire(hooks, lines(3000)).output
  expect(fire(hooks, once).output):is(nil)
  expect(fire(hooks, once, nil, "tool_result_persist").output):is(nil)
  expect(fire(hooks, once .. "a hook has added this\n", nil, "tool_result_persist").output):is(nil)
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
  expect(fire(hooks, full).output):contains("error: this")
  expect(fire(hooks, full, { name = "Read", input = { file_path = "a.md" } }).output):never():contains("error: this")
end)

test("snippets can be chosen", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, snippets: [summaries]}}]")
  local r = fire(hooks, lines(200) .. "error: not wanted\nFAIL\tshop/cart\t0.1s\n" .. lines(200))
  expect(r.output):contains("FAIL\tshop/cart") expect(r.output):never():contains("not wanted")
  hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, snippets: []}}]")
  expect(fire(hooks, lines(200) .. "FAIL\tshop/cart\t0.1s\n" .. lines(200)).output):never():contains("FAIL")
end)

test("lines of the user's are kept before others", function()
  local hooks = start([[post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, keep: ["^ticket [A-Z]+-", "deployed to"]}}]
]])
  local r = fire(hooks, lines(200) .. lines(200, "error %d") .. "ticket AB-12\nit was deployed to prod\n" .. lines(200))
  expect(r.output):contains("\nticket AB-12\n") expect(r.output):contains("deployed to prod\n")
  expect(r.data.truncated.snippets[1]):equals({ name = "keep", found = 2, kept = 2 })
end)

test("a pattern that can't be looked for is told when the hooks are loaded", function()
  expect(start([[post_tool_call: [{builtin: output-truncator, with: {keep: "("}}]
]]).problem()):contains('output-truncator: keep: pattern "(": ')
  expect(start([[post_tool_call: [{builtin: output-truncator, with: {keep: "[0-9]+"}}]
]]).problem()):contains('pattern "[0-9]+" has no text of 2 bytes that each match must have; add one')
end)

test("options are checked, those of tools as well", function()
  local function problem(with)
    return start("post_tool_call: [{builtin: output-truncator, with: " .. with .. "}]").problem()
  end
  expect(problem("{max_byte: 1}")):contains('did you mean "max_bytes"?')
  expect(problem("{max_bytes: 10}")):contains("max_bytes is 10, want at least 1000")
  expect(problem("{head: 0.7, tail: 0.5}")):contains("head and tail are 1.2 together, want at most 1")
  expect(problem("{tools: {bash: {max_byte: 1}}}")):contains('tools.bash: no option "max_byte", did you mean "max_bytes"?')
  expect(problem("{tools: {bash: 100}}")):contains("tools.bash: is a mapping of options, or false")
  expect(problem("{tools: {bash: {head: 0.7}}}")):contains("tools.bash: head and tail are 1.1 together")
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
  expect(left("Bash", { command = "make" })):is(5000)
  expect(left("read_file", { path = "x" })):is(3000)
  expect(left("mcp__big__dump")):is(nil)
  expect(left("mcp__other__dump")):is(4000)
  expect(left("other_tool")):is(2000)
end)

test("texts in a table are cut and its shape stays", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 3000, spill: false}}]")
  local r = fire(hooks, { stdout = lines(1000), stderr = "warning: unused\n", interrupted = false, code = 2, id = "x", list = json.array() })
  assert(#r.output.stdout <= 3000 and text.ends_with(r.output.stdout, "line 1000 of a long output\n"))
  expect(r.output.stderr):is("warning: unused\n") expect(r.output.interrupted):is(false) expect(r.output.code):is(2)
  expect(json.encode(r.output.list)):is("[]")
end)

test("the room is shared: short texts stay whole", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 3000, spill: false}}]")
  local r = fire(hooks, { content = { { type = "text", text = lines(500) }, { type = "text", text = lines(10) }, { type = "text", text = lines(500) } } })
  local content = r.output.content
  expect(#content):is(3) expect(content[2].text):equals(lines(10))
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
    expect(r.output.content[1]):equals(image)
    assert(#r.output.content[2].text <= 2000)
    expect(fire(hooks, { content = { image } }).output):is(nil)
  end
end)

test("what tools for editing answer is the host's", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000}}]")
  expect(fire(hooks, { filePath = "a", originalFile = lines(1000) }, { name = "Edit", input = { file_path = "a" } }).output):is(nil)
end)

test("numbers beyond 2^53 in a table stay exact", function()
  local hooks = start("post_tool_call: [{builtin: output-truncator, with: {max_bytes: 2000, spill: false}}]")
  local event = json.decode('{"tool_call":{"name":"bash","input":{"command":"x"},"output":{"id":9007199254740993,"stdout":' .. json.encode(lines(500)) .. "}}}")
  local r = hooks:fire("post_tool_call", event)
  expect(json.encode(r.output)):contains('"id":90071992547409')
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
  expect(json.encode(r.output)):contains(" items")
  r = fire(hooks, rows)
  assert(#r.output < 500 and r.output[1] == "row 1" and r.output[#r.output] == "row 1000")
  expect(json.encode(r.output)):contains(" items")
end)
