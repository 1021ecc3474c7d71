-- Fires the edit of a file, after which "formatter" makes its text "after". It gives what the agent is told.
local function edit(name, program, after)
  project.write(name, "before")
  fake.exec(program, function()
    project.write(name, after)
    return { code = 0 }
  end)
  return fire("post_tool_call", { tool_call = { name = "edit", input = { file_path = name, old_string = "a", new_string = "b" }, outcome = "ok" } }).new_context
end

test_each({
  { "main.go", "gofmt", { "-w" } },
  { "web/app.tsx", "npx", { "--no-install", "prettier", "--write", "--log-level=warn" } },
  { "tool.py", "ruff", { "format", "--quiet" } },
}, "%s is formatted by %s", function(name, program, args)
  expect(edit(name, program, "after")):contains(name .. " was formatted: read it again")
  expect(project.read(name)):is("after")
  args[#args + 1] = project.root .. "/" .. name
  expect(fake.calls("exec")[1].args):equals(args)
end)

test("a file that was well-formed is no news", function()
  expect(edit("main.go", "gofmt", "before")):is(nil)
end)

test("what the formatter complains about", function()
  project.write("main.go", "func {")
  fake.exec("gofmt", { code = 2, stderr = "main.go:1:6: expected 'IDENT'" })
  local r = fire("post_tool_call", { tool_call = { name = "Write", input = { file_path = "main.go", content = "func {" }, outcome = "ok" } })
  expect(r.new_context):contains("gofmt can't format")
  expect(r.new_context):contains("expected 'IDENT'")
end)

test("a formatter that isn't there", function()
  project.write("main.go", "package main")
  fake.exec("gofmt", function() return nil, "gofmt: no such program" end)
  local r = fire("post_tool_call", { tool_call = { name = "Write", input = { file_path = "main.go", content = "x" }, outcome = "ok" } })
  expect(r.new_context):contains("was not formatted: gofmt: no such program")
end)

-- Without a fake each start of a program would make these fail.
test_each({
  { name = "a file in no language that is known", tool_call = { name = "Write", input = { file_path = "notes.txt", content = "x" }, outcome = "ok" } },
  { name = "an edit that has failed", tool_call = { name = "edit", input = { file_path = "main.go", old_string = "a", new_string = "b" }, outcome = "error" } },
  { name = "a file outside of the project", tool_call = { name = "Write", input = { file_path = "/srv/other/main.go", content = "x" }, outcome = "ok" } },
  { name = "a file that was only read", tool_call = { name = "read", input = { file_path = "main.go" }, outcome = "ok" } },
  { name = "a file that is gone", tool_call = { name = "edit", input = { file_path = "gone.go", old_string = "a", new_string = "b" }, outcome = "ok" } },
}, "nothing is done for %s", function(case)
  project.write("main.go", "package main")
  expect(fire("post_tool_call", { tool_call = case.tool_call }).new_context):is(nil)
  expect(#fake.calls("exec")):is(0)
end)
