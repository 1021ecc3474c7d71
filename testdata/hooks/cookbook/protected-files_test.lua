only("protected-files.lua")

local function edit(tool, file)
  local input = { file_path = file, content = "x" }
  if tool == "Edit" then
    input = { file_path = file, old_string = "x", new_string = "y" }
  end
  return fire("pre_tool_call", { tool_call = { name = tool, input = input } })
end

test_each({ "Write", "Edit" }, "%s of .env is denied", function(tool)
  local r = edit(tool, project.root .. "/config/.env")
  expect(r.decision):is("deny")
  expect(r.reason):contains("/config/.env is protected")
end)

test_each({ ".env", "web/.env.local", "package-lock.json", "api/go.sum" }, "a relative path: %s", function(file)
  expect(edit("write", file).decision):is("deny")
end)

test_each({ ".env.example", "env.lua", "docs/yarn.lock.md", "src/main.go" }, "%s may be written", function(file)
  expect(edit("write", file).decision):is("")
end)

test("reading is no change", function()
  expect(fire("pre_tool_call", { tool_call = { name = "read", input = { file_path = ".env" } } }).decision):is("")
end)

test_each({
  "tee -a .env < new", "cp defaults .env", "rm .env.local", "rm -rf web/.env*", "git checkout -- yarn.lock",
  "truncate -s 0 go.sum",
  "ln -sf ../.env .env", "cp shared/.env web/", [[python3 -c 'open(".env", "w").write("")']],
  "find . -name .env -delete",
}, "denied: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("deny")
end)

test_each({
  "npm install", "go mod tidy", "source .env && npm start", "git add package-lock.json", "rm -rf node_modules",
  "cat .env > /dev/null", "unzip site.zip",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)
