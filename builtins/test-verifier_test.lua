-- test-verifier: what counts as an edit, as a run, and what a close is told.

test("one entry is enough", function()
  local hooks = start('pre_close: [{builtin: test-verifier, with: {command: "go test ./..."}}]')
  expect(hooks:fire("pre_close", { session_id = "s", issue_id = "X-1" }).decision, "nothing was edited"):is("")
  hooks:fire("post_tool_call", { session_id = "s", tool_call = { name = "edit", input = { file_path = "cart.go" }, outcome = "ok" } })
  local r = hooks:fire("pre_close", { session_id = "s", issue_id = "X-1" })
  expect(r.decision):is("deny")
  expect(r.reason):contains("go test ./...")
  expect(r.reason):contains("cart.go")
  hooks:fire("post_tool_call", { session_id = "s", tool_call = { name = "bash", command = "go test ./...", outcome = "ok" } })
  r = hooks:fire("pre_close", { session_id = "s", issue_id = "X-1" })
  expect(r.decision):is("")
  expect(r.data.verified):is(true)
end)

local PLAIN = 'pre_close: [{builtin: test-verifier, with: {command: "go test ./..."}}]'

local function edit(file, fields)
  local ev = { session_id = "s", tool_call = { name = "edit", input = { file_path = file, old_string = "a", new_string = "b" }, outcome = "ok" } }
  for k, v in pairs(fields or {}) do
    ev[k] = v
  end
  return ev
end

local function shell_call(command, outcome, fields)
  local ev = { session_id = "s", tool_call = { name = "bash", command = command, outcome = outcome or "ok" } }
  for k, v in pairs(fields or {}) do
    ev[k] = v
  end
  return ev
end

local function closes(hooks, fields)
  local r = hooks:fire("pre_close", fields or { session_id = "s", issue_id = "X-1" })
  return r.decision ~= "deny", r.reason
end

-- Whether a close goes through after an edit and this line, for this configuration.
local started = {}
local function counts(configured, line, outcome)
  local hooks = started[configured] or start("pre_close: [{builtin: test-verifier, with: " .. json.encode({ command = configured }) .. "}]")
  started[configured] = hooks
  local session = { session_id = configured .. line .. (outcome or "") }
  hooks:fire("post_tool_call", edit("cart.go", session))
  hooks:fire("pre_tool_call", { session_id = session.session_id, tool_call = { name = "bash", command = line } })
  hooks:fire("post_tool_call", shell_call(line, outcome, session))
  return closes(hooks, session)
end

-- Lines that are the configured command.
local COUNT = {
  { "go test ./...", "go test ./..." },
  { "go test ./...", "  go   test  './...'  " },
  { "go test ./...", "/usr/local/go/bin/go test ./..." },
  { "go test ./...", "go test ./... 2>&1" },
  { "go test ./...", "go test ./... > out.txt 2>&1" },
  { "go test ./...", "go test -v -race -count=1 ./..." },
  { "go test ./...", "go test ./... -count 1 -timeout 120s -p 4" },
  { "go test ./...", "go test -coverprofile cover.out ./..." },
  { "go test ./...", "CGO_ENABLED=0 go test ./..." },
  { "go test ./...", "timeout 300 go test ./..." },
  { "go test ./...", "time go test ./... && echo PASS" },
  { "go test ./...", "gofmt -l . && go vet ./... && go test ./..." },
  { "go test ./...", "cd . && go test ./..." },
  { "go test ./...", "bash -c 'go test ./...'" },
  { "go test ./...", "set -o pipefail; go test ./... | tail -20" },
  { "go test ./...", "set -euo pipefail\ngo test ./... 2>&1 | tee test.log\necho done" },
  { "go test ./...", "go test ./... || exit 1" },
  { "go test ./...", "sed -i s/a/b/ cart.go && go test ./..." },
  { "go test ./...", "cat > x_test.go <<'E'\npackage x\nE\ngo test ./..." },
  { "go test -race ./...", "go test ./... -race" },
  { "go test -run * ./...", "go test -run TestX ./..." },
  { "go test -tags=* ./...", "go test -tags=unit ./..." },
  { "npm test", "npm test" },
  { "npm test", "npm test --silent -- --ci --maxWorkers=4" },
  { "npm test *", "npm test -- cart" },
  { "npm test", "npm run test" },
  { "npm run test -- --project=unit", "npm t -- --project=unit --ci" },
  { "npx jest", "npx jest --runInBand" },
  { "cd web && npm test", "cd web && npm test" },
  { "cd web && npm test", "(cd web; npm test)" },
  { "cd web && npm test", "npm --version; cd ./web/ && npm test" },
  { "pytest", "pytest -q -x --tb=short" },
  { "pytest", "python -m pytest -n auto" },
  { "pytest", "uv run pytest -v" },
  { "uv run pytest", "uv run pytest" },
  { "make test", "make -j4 test" },
  { "make test", "make -j 4 test" },
  { "cargo test", "cargo test --workspace --locked" },
  { "CI=1 npm test", "CI=1 npm test" },
  { "CI=1 npm test", "export CI=1; env CI=1 npm test" },
  { "docker compose run --rm app go test ./...", "docker compose run --rm app go test ./..." },
  { "./scripts/test.sh", "./scripts/test.sh" },
}

-- Lines that aren't, or whose failure can't be seen.
local DONT = {
  { "go test ./...", "go test ./... | tail -20", "exit status" },
  { "go test ./...", "go test ./... || true", "exit status" },
  { "go test ./...", "go test ./...; echo $?", "exit status" },
  { "go test ./...", "go test ./... &", "exit status" },
  { "go test ./...", "! go test ./...", "exit status" },
  { "go test ./...", "go test ./... && echo ok || echo failed", "exit status" },
  { "go test ./...", "if go test ./...; then echo ok; fi", "exit status" },
  { "go test ./...", "go test ./... | tee test.log; exit 0", "exit status" },
  { "go test ./...", "echo $(go test ./...)", "exit status" },
  { "go test ./...", "go test ./cart", "not the whole" },
  { "go test ./...", "go test", "not the whole" },
  { "go test ./...", "go test -run TestX ./...", "not the whole" },
  { "go test ./...", "go test -short ./...", "not the whole" },
  { "go test ./...", "go test -count=0 ./...", "not the whole" },
  { "go test ./...", "go test -list . ./...", "not the whole" },
  { "go test ./...", "go test ./... -exec true", "not the whole" },
  { "go test ./...", "go test $PKG", "not the whole" },
  { "go test ./...", "cd sub && go test ./...", "another folder" },
  { "go test ./...", "cd /tmp && go test ./...", "another folder" },
  { "go test ./...", "cd $(cat dir) && go test ./...", "another folder" },
  { "go test ./...", "go vet ./...", "hasn't been run" },
  { "go test ./...", "echo go test ./...", "hasn't been run" },
  { "go test ./...", "git commit -m 'go test ./... passes'", "hasn't been run" },
  { "go test ./...", "ssh host go test ./...", "hasn't been run" },
  { "go test ./...", "docker run x go test ./...", "hasn't been run" },
  { "go test ./...", "cat <<E\ngo test ./...\nE", "hasn't been run" },
  { "go test ./...", "go test ./... && sed -i s/a/b/ cart.go", "edited since it passed: cart.go" },
  { "go test ./...", "go test ./... && git stash pop", "edited since it passed" },
  { "go test -race ./...", "go test ./...", "not the whole" },
  { "npm test", "npm test -- cart.test.js", "not the whole" },
  { "npm test", "npm test -v", "not the whole" },
  { "npm test", "npm run test:unit", "hasn't been run" },
  { "go test ./...", "API_KEY=correct-horse-9-battery go test ./... | tail", "API_KEY=[redacted" },
  { "npm test", "npm run lint", "hasn't been run" },
  { "npx jest", "npx jest -v", "not the whole" },
  { "npx jest", "npx jest -t total", "not the whole" },
  { "cd web && npm test", "npm test", "another folder" },
  { "pytest", "pytest tests/test_cart.py", "not the whole" },
  { "pytest", "pytest -k total", "not the whole" },
  { "pytest", "pytest --collect-only", "not the whole" },
  { "make test", "make -n test", "not the whole" },
  { "make test", "make -i test", "not the whole" },
  { "make test", "make", "hasn't been run" },
  { "cargo test", "cargo test --no-run", "not the whole" },
  { "cargo test", "cargo test cart", "not the whole" },
  { "CI=1 npm test", "npm test", "not the whole" },
}

test("which lines are a run", function()
  local wrong = {}
  for i, case in ipairs(COUNT) do
    local ok, reason = counts(case[1], case[2])
    if not ok then
      wrong[#wrong + 1] = case[2] .. ": " .. reason
    end
  end
  expect(table.concat(wrong, "\n")):is("")
end)

test("which lines are none", function()
  local wrong = {}
  for _, case in ipairs(DONT) do
    local ok, reason = counts(case[1], case[2])
    if ok or not reason:find(case[3], 1, true) then
      wrong[#wrong + 1] = case[2] .. ": " .. (ok and "counts" or "no '" .. case[3] .. "' in: " .. reason)
    end
  end
  expect(table.concat(wrong, "\n")):is("")
end)

test("only a run that went well counts", function()
  expect(counts("make test", "make test", "error"), "failed"):is(false)
  expect(counts("make test", "make test", "timeout"), "timed out"):is(false)
  expect(counts("make test", "make test", "denied"), "denied"):is(false)
  local _, reason = counts("make test", "make test", "error")
  expect(reason):contains("failed in its latest run")
  local function with(call)
    local hooks = start('pre_close: [{builtin: test-verifier, with: {command: "make test"}}]')
    hooks:fire("post_tool_call", edit("a.c"))
    call.name = "bash"
    hooks:fire("post_tool_call", { session_id = "s", tool_call = call })
    return closes(hooks)
  end
  expect(with({ command = "make test", outcome = "ok", output = { exit_code = 2 } }), "status 2"):is(false)
  expect(with({ command = "make test", output = { exit_code = 0 } }), "status 0"):is(true)
  expect(with({ command = "make test", output = "ok" }), "not told"):is(false)
  expect(with({ input = { command = "make test", run_in_background = true }, outcome = "ok" }), "in the background"):is(false)
end)

test("what is edited after the run must be tested again", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  expect(closes(hooks)):is(true)
  hooks:fire("post_tool_call", edit("b.go"))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("edited since it passed: b.go")
  expect(reason):never():contains("a.go")
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  expect(closes(hooks)):is(true)
end)

test("what is edited while the tests run isn't tested", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go"))
  local call = { id = "call_1", name = "bash", command = "go test ./..." }
  hooks:fire("pre_tool_call", { session_id = "s", tool_call = call })
  hooks:fire("post_tool_call", edit("b.go"))
  call.outcome = "ok"
  hooks:fire("post_tool_call", { session_id = "s", tool_call = call })
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("edited since it passed: b.go")
end)

test("a failure after a pass takes it back", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  hooks:fire("post_tool_call", shell_call("go test ./...", "error"))
  expect(closes(hooks)):is(false)
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  expect(closes(hooks)):is(true)
end)

test("a run that doesn't count takes nothing back", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  hooks:fire("post_tool_call", shell_call("go test ./... | tail"))
  hooks:fire("post_tool_call", shell_call("go test ./cart"))
  expect(closes(hooks)):is(true)
end)

test("each of several commands must have passed", function()
  local hooks = start('pre_close: [{builtin: test-verifier, with: {command: ["go vet ./...", "go test ./..."]}}]')
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("go vet ./...")
  expect(reason):never():contains("`go test")
  hooks:fire("post_tool_call", shell_call("go vet ./... && go test ./..."))
  expect(closes(hooks)):is(true)
end)

-- What is an edit: a call, and the name that the reason has, or false.
local EDITS = {
  { "edit", edit("cart.go"), "cart.go" },
  { "edit, absolute", edit("%ROOT/sub/cart.go"), "sub/cart.go" },
  { "write", { tool_call = { name = "Write", input = { file_path = "a b.go", content = "" }, outcome = "ok" } }, "a b.go" },
  { "backslashes", edit("sub\\cart.go"), "sub/cart.go" },
  { "outcome not told", { tool_call = { name = "edit", input = { file_path = "cart.go" } } }, "cart.go" },
  { "a subagent's", edit("cart.go", { agent_id = "a-2", parent_agent_id = "a-1" }), "cart.go" },
  { "patch", { tool_call = { name = "apply_patch", input = { input = "*** Begin Patch\n*** Update File: cart.go\n@@\n-a\n+b\n*** End Patch" }, outcome = "ok" } }, "cart.go" },
  { "a document that is too long to be read", shell_call("cat > cart.go <<'E'\n" .. ("// a line\n"):rep(10000) .. "E"), "what a line writes" },
  { "a line of a thousand commands", shell_call(("echo x;"):rep(1000) .. "echo x > cart.go"), "what a line writes" },
  { "another shell's line", shell_call("echo 'x"), "what a line writes" },
  { "what isn't a line at all", shell_call("echo 'x", "error"), false },
  { "a server's tool", { tool_call = { name = "mcp__fs__write_file", input = { path = "cart.go" }, outcome = "ok" } }, "cart.go" },
  { "sed -i", shell_call("sed -i s/a/b/ cart.go"), "cart.go" },
  { "redirection", shell_call("cd sub && echo x > cart.go"), "sub/cart.go" },
  { "tee", shell_call("echo x | tee -a cart.go"), "cart.go" },
  { "rm", shell_call("rm -f cart.go"), "cart.go" },
  { "mv", shell_call("mv cart.go basket.go"), "basket.go" },
  { "python", shell_call("python3 -c 'open(\"cart.py\", \"w\").write(\"x\")'"), "cart.py" },
  { "half of it failed", shell_call("sed -i s/a/b/ cart.go; false", "error"), "cart.go" },
  { "an unknown name", shell_call("echo x > $OUT"), "$OUT" },
  { "failed edit", { tool_call = { name = "edit", input = { file_path = "cart.go" }, outcome = "error" } }, false },
  { "denied edit", { tool_call = { name = "edit", input = { file_path = "cart.go" }, outcome = "denied" } }, false },
  { "reading", { tool_call = { name = "read", input = { file_path = "cart.go" }, outcome = "ok" } }, false },
  { "a server's reading", { tool_call = { name = "mcp__fs__read_file", input = { path = "cart.go" }, outcome = "ok" } }, false },
  { "outside", edit("/etc/other/cart.go"), false },
  { "above", edit("../cart.go"), false },
  { "git's own", edit(".git/COMMIT_EDITMSG"), false },
  { "ignored by glob", edit("docs/a/guide.md"), false },
  { "looking", shell_call("grep -rn x . | sort > /dev/null; ls 2>&1"), false },
  { "temporary", shell_call("f=$(mktemp); echo x > $f"), false },
  { "a folder", shell_call("mkdir -p sub/new"), false },
  { "elsewhere by shell", shell_call("echo x > /etc/motd; echo y >> ~/.bashrc"), false },
  { "on another machine", shell_call("ssh host 'echo x > cart.go'"), false },
  { "git alone", shell_call("git pull && git checkout main"), false },
  { "a commit", shell_call("git add -A && git commit -m x"), false },
}
for _, case in ipairs(EDITS) do
  test("edit: " .. case[1], function()
    local ev = json.decode((json.encode(case[2]):gsub("%%ROOT", function() return project.root end)))
    ev.session_id = "s"
    local hooks = start('pre_close: [{builtin: test-verifier, with: {command: "go test ./...", ignore: ["**/*.md"]}}]')
    hooks:fire("post_tool_call", ev)
    local ok, reason = closes(hooks)
    expect(not ok, reason):equals(case[3] ~= false)
    if case[3] then
      expect(reason):contains("edited: " .. case[3])
    end
  end)
end

-- What git does after tests have passed: true where they must run again.
local BRINGS = {
  ["git pull"] = true, ["git merge main"] = true, ["git checkout main"] = true, ["git stash"] = true, ["git stash pop"] = true, ["git reset --hard"] = true, ["git restore a.go"] = true, ["git apply x.diff"] = true,
  ["git cherry-pick abc"] = true, ["git checkout -b x"] = false, ["git switch -c x"] = false, ["git commit -am x"] = false, ["git reset HEAD~1"] = false, ["git restore --staged a.go"] = false, ["git stash list"] = false,
  ["git push"] = false, ["git status"] = false, ["git fetch"] = false,
}
test("what git brings in", function()
  local hooks = start(PLAIN)
  for line, again in pairs(BRINGS) do
    local function fire(event, fields)
      fields.session_id = line
      return hooks:fire(event, fields)
    end
    fire("post_tool_call", edit("a.go"))
    fire("post_tool_call", shell_call("go test ./..."))
    fire("post_tool_call", shell_call(line))
    expect(fire("pre_close", {}).decision == "deny", line):equals(again)
  end
end)

test("what git ignores is no edit", function()
  project.git("init", "-q")
  project.write(".gitignore", "bin/\n*.log\n")
  project.write("a.go", "package a")
  project.git("add", "-A")
  project.git("commit", "-q", "-m", "first")
  project.write("bin/app", "x")
  project.write("x.log", "x")
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", shell_call("go build -o bin/app . 2> x.log; echo x >> x.log; rm -rf build"))
  expect(closes(hooks)):is(true)
  project.write("new/b.go", "package b")
  hooks:fire("post_tool_call", shell_call("echo 'package b' > new/b.go"))
  local ok, reason = closes(hooks)
  expect(ok, "a new file that git doesn't know yet"):is(false)
  expect(reason):contains("edited: new/b.go")
  expect(reason):never():contains("bin/app")
  hooks:fire("post_tool_call", shell_call("go test ./..."))
  hooks:fire("post_tool_call", shell_call("go build -o bin/app ."))
  expect(closes(hooks), "a build after the tests"):is(true)
  project.remove("a.go")
  hooks:fire("post_tool_call", shell_call("rm a.go"))
  expect(closes(hooks), "a file that git knew"):is(false)
end)

test("a session is asked for its own edits", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go", { session_id = "a" }))
  hooks:fire("post_tool_call", edit("b.go", { session_id = "b" }))
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", { session_id = "a" }))
  hooks:fire("post_tool_call", edit("c.go", { session_id = "b" }))
  expect(closes(hooks, { session_id = "a" })):is(true)
  local ok, reason = closes(hooks, { session_id = "b" })
  expect(ok):is(false)
  expect(reason):contains("c.go, b.go")
  expect(closes(hooks, { session_id = "new" })):is(true)
end)

test("another session that goes on with the issue is asked, too", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go", { session_id = "a", issue_id = "X-1" }))
  expect(closes(hooks, { session_id = "b", issue_id = "X-2" })):is(true)
  expect(closes(hooks, { session_id = "b", issue_id = "X-1" })):is(false)
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", { session_id = "b", issue_id = "X-1" }))
  expect(closes(hooks, { session_id = "b", issue_id = "X-1" })):is(true)
end)

test("the project may have another name for the host", function()
  local hooks = start(PLAIN)
  local other = "/elsewhere/" .. path.base(project.root)
  hooks:fire("post_tool_call", edit(other .. "/a.go", { cwd = other .. "/sub" }))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("a.go")
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", { cwd = other .. "/sub" }))
  expect(closes(hooks), "a folder below it"):is(false)
  hooks:fire("post_tool_call", shell_call("cd .. && go test ./...", "ok", { cwd = other .. "/sub" }))
  expect(closes(hooks)):is(true)
end)

test("a linked worktree is a place to work in", function()
  project.git("init", "-q")
  project.write("a.go", "package a")
  project.git("add", "-A")
  project.git("commit", "-q", "-m", "first")
  project.git("worktree", "add", "-q", "wt/one")
  local hooks, at = start(PLAIN), { cwd = project.root .. "/wt/one" }
  hooks:fire("post_tool_call", edit("a.go", at))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("wt/one/a.go")
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", at))
  expect(closes(hooks)):is(true)
end)

test("without a session_id the project is looked at", function()
  local hooks = start(PLAIN)
  hooks:fire("post_tool_call", edit("a.go", { session_id = "a" }))
  expect(closes(hooks, { session_id = "", issue_id = "X-1" }), "a close that doesn't know its session"):is(false)
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", { session_id = "b" }))
  expect(closes(hooks, { session_id = "", issue_id = "X-1" })):is(true)
  hooks:fire("post_tool_call", edit("b.go", { session_id = "" }))
  expect(closes(hooks, { session_id = "c" }), "an edit of nobody knows whom"):is(false)
  expect(closes(hooks, { session_id = "c", issue_id = "X-1" }), "the same with an issue"):is(false)
  hooks:fire("post_tool_call", shell_call("go test ./...", "ok", { session_id = "" }))
  expect(closes(hooks, { session_id = "c" })):is(true)
end)

test("each event is a process of its own", function()
  start(PLAIN):fire("post_tool_call", edit("a.go"))
  expect(closes(start(PLAIN))):is(false)
  start(PLAIN):fire("pre_tool_call", { session_id = "s", tool_call = { name = "bash", command = "go test ./..." } })
  start(PLAIN):fire("post_tool_call", shell_call("go test ./..."))
  expect(closes(start(PLAIN))):is(true)
end)

test("many edits are named in part", function()
  local hooks = start(PLAIN)
  for n = 1, 70 do
    hooks:fire("post_tool_call", edit("f" .. n .. ".go"))
  end
  hooks:fire("post_tool_call", edit(("long"):rep(300) .. ".go"))
  hooks:fire("post_tool_call", edit("x\n\27[31m.go"))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("f70.go, f69.go")
  expect(reason):contains("and 64 more")
  expect(reason):never():contains("\27")
  expect(#reason < 1000, "length"):is(true)
end)

test("stop and task_completed ask as well, where they are listed", function()
  local hooks = start('stop: [{builtin: test-verifier, with: {command: "make test"}}]\ntask_completed: [{builtin: test-verifier, with: {command: "make test"}}]')
  expect(hooks:fire("stop", { session_id = "s" }).decision):is("")
  hooks:fire("post_tool_call", edit("a.c"))
  expect(hooks:fire("stop", { session_id = "s" }).decision):is("deny")
  expect(hooks:fire("task_completed", { session_id = "s", task_id = "t" }).decision):is("deny")
  expect(closes(hooks), "not listed"):is(true)
  hooks:fire("post_tool_call", shell_call("make test"))
  expect(hooks:fire("stop", { session_id = "s" }).decision):is("")
end)

test("more options may be allowed", function()
  local hooks = start('pre_close: [{builtin: test-verifier, with: {command: "go test ./...", flags: ["-tags=*", "-short"]}}]')
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("go test -tags=unit,fast -short ./..."))
  expect(closes(hooks)):is(true)
end)

test("commands that can't be verified are errors", function()
  local function problem(command)
    return start("pre_close: [{builtin: test-verifier, with: " .. json.encode({ command = command }) .. "}]").problem()
  end
  expect(problem("go test ./... | tail")):contains("passes even if the command fails")
  expect(problem("make test || true")):contains("passes even if the command fails")
  expect(problem("make lint && make test")):contains("several commands")
  expect(problem("make 'test")):contains("can't be read")
  expect(problem("$TEST")):contains("can't be read")
  expect(problem("cd web")):contains("can't be read")
  expect(start("pre_close: [{builtin: test-verifier}]").problem()):contains("command is missing")
  expect(start("pre_close: [{builtin: test-verifier, with: {comand: go test}}]").problem()):contains('no option "comand", did you mean "command"?')
  expect(start("pre_close: [{builtin: test-verifier, with: {command: []}}]").problem()):contains("command is empty")
  expect(problem("")):contains("command: entry 1 is empty")
  expect(start('pre_close: [{builtin: test-verifier, with: {command: "cd web && npm test", run: true}}]').problem()):contains("needs a shell")
end)

test("hostile lines are borne", function()
  local hooks = start(PLAIN)
  for _, line in ipairs({ ("go test ./...;"):rep(5000), ("("):rep(5000), ("> x"):rep(10000), "echo " .. ("a"):rep(200000), "go test ./... '", "\0", "" }) do
    hooks:fire("post_tool_call", shell_call(line))
  end
end)

-- A project whose tests are a script that passes where there is a file "good", and an
-- entry that runs it itself.
local RUNS = 'pre_close: [{builtin: test-verifier, with: {command: "sh test.sh", run: true}, grant: {exec: [sh]}}]'

local function scripted()
  project.write("test.sh", "echo tested >> log.txt\necho 'password=hunter2-hunter2' ; test -f good\n")
end

test("it runs what is missing itself, where that is granted", function()
  scripted()
  local hooks = start(RUNS)
  expect(closes(hooks)):is(true)
  expect(project.read("log.txt"), "nothing was edited"):is(nil)
  hooks:fire("post_tool_call", edit("a.go"))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("failed (status 1)")
  expect(reason):never():contains("hunter2")
  project.write("good", "")
  expect(closes(hooks)):is(true)
  expect(closes(hooks), "once more"):is(true)
  expect(project.read("log.txt"), "what has passed isn't run again"):is("tested\ntested\n")
  hooks:fire("post_tool_call", edit("b.go"))
  expect(closes(hooks)):is(true)
  expect(project.read("log.txt"), "after an edit it is"):is("tested\ntested\ntested\n")
end)

test("a run of the agent's own is enough", function()
  scripted()
  local hooks = start(RUNS)
  hooks:fire("post_tool_call", edit("a.go"))
  hooks:fire("post_tool_call", shell_call("sh test.sh"))
  expect(closes(hooks)):is(true)
  expect(project.read("log.txt")):is(nil)
end)

test("a program that isn't there", function()
  local hooks = start('pre_close: [{builtin: test-verifier, with: {command: "no-such-program test", run: true}, grant: {exec: [no-such-program]}}]')
  hooks:fire("post_tool_call", edit("a.go"))
  local ok, reason = closes(hooks)
  expect(ok):is(false)
  expect(reason):contains("could not be run")
end)
