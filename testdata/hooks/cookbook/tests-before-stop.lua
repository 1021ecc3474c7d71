-- Sends the agent back to work if it stops before the tests have passed since its last edit.
--
-- The built-in test-verifier does the same for tests with more options, in other folders, and on closing an issue.
local TESTS = {
  ["go test ./..."] = true, ["npm test"] = true, ["pnpm test"] = true, ["pytest"] = true, ["cargo test"] = true,
  ["make test"] = true,
}
-- The files whose change needs a test.
local SOURCES = "*.{go,rs,py,js,jsx,ts,tsx}|go.mod|Cargo.toml|package.json"
-- Options with which all tests still run.
local HARMLESS = { ["-v"] = true, ["-q"] = true, ["-race"] = true, ["-count=1"] = true }

-- Whether a command runs all tests, and its failure would have been seen: that of "go test ./... | tail" wouldn't.
local function runs_tests(cmd)
  local words = { cmd.name }
  for _, word in ipairs(cmd.args) do
    if not HARMLESS[word] then
      words[#words + 1] = word
    end
  end
  return TESTS[table.concat(words, " ")] and cmd.decides
end

local function changed(file)
  if path.match(SOURCES, file) then
    store.session.set("untested", file)
  end
end

on("post_tool_call", { match = { kind = "write|edit|shell" } }, function(ev)
  local call = ev.tool_call
  if call.outcome == "denied" then
    return
  end
  local ok = call.outcome == "ok" and not call.input.run_in_background -- what has only begun hasn't passed
  if call.kind ~= "shell" then
    for _, file in ipairs(call.files) do
      changed(file)
    end
    return
  end
  for _, cmd in ipairs(shell.parse(call.command, { cwd = ev.cwd }).commands) do
    for _, file in ipairs(cmd:files("write", "delete")) do -- such as that of "sed -i"
      changed(file.path)
    end
    if ok and runs_tests(cmd) then
      store.session.delete("untested")
    end
  end
end)

on("stop", function()
  local file = store.session.get("untested")
  if file then
    return deny(file .. " was changed, and the tests have not passed since: run all of them, as a command of their own")
  end
end)
