only("format-after-edit.lua")

-- Fires what follows an edit of a file, and gives what the agent is told.
local function after_edit(file, outcome, tool)
  local call = { name = tool or "Write", input = { file_path = file, content = "x" }, outcome = outcome or "ok" }
  return fire("post_tool_call", { tool_call = call }).new_context
end

-- The same with a program that makes the file's text "after".
local function edit(file, program, after)
  project.write(file, "before")
  fake.exec(program, function()
    project.write(file, after)
    return { code = 0 }
  end)
  return after_edit(file)
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
  expect(after_edit("main.go")):matches("gofmt can't format .*expected 'IDENT'")
end)

test("a formatter that isn't there", function()
  project.write("main.go", "package main")
  fake.exec("gofmt", function() return nil, "gofmt: no such program" end)
  expect(after_edit("main.go")):contains("was not formatted: gofmt: no such program")
end)

-- Without a fake each start of a program would make these fail.
test_each({
  { "a file in no language that is known", "notes.txt" },
  { "an edit that has failed", "main.go", "error" },
  { "a file outside of the project", "/srv/other/main.go" },
  { "a file that was only read", "main.go", "ok", "read" },
  { "a file that is gone", "gone.go" },
}, "nothing is done for %s", function(_, file, outcome, tool)
  project.write("main.go", "package main")
  project.write("notes.txt", "notes")
  expect(after_edit(file, outcome, tool)):is(nil)
  expect(#fake.calls("exec")):is(0)
end)
