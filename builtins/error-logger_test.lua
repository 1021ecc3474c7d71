-- error-logger: what is counted, told and denied.

local ALL = [[
on_error: [{builtin: error-logger}]
post_tool_call: [{builtin: error-logger}]
pre_tool_call: [{builtin: error-logger}]
]]

local function failing(command, fields)
  local call = { name = "bash", command = command, outcome = "error", output = "boom in " .. command }
  for k, v in pairs(fields or {}) do
    call[k] = v
  end
  return { session_id = "s", tool_call = call }
end

local function fine(command)
  return { session_id = "s", tool_call = { name = "bash", command = command, outcome = "ok", output = "" } }
end

local function about(command)
  return { session_id = "s", tool_call = { name = "bash", command = command } }
end

test("three errors in three processes are 1, 2, 3", function()
  for n = 1, 3 do
    local r = start("on_error: [{builtin: error-logger}]"):fire("on_error", { session_id = "s", error = { kind = "network", message = "no route " .. n } })
    expect(r.data.failures):equals(n)
    expect(r.data.same_failures):equals(n)
    expect(#r.data.fingerprint):is(16)
    expect(r.decision):is("")
    expect(r.new_context ~= nil):equals(n == 3)
  end
end)

-- Pairs of texts that are the same error.
local SAME = {
  { "connection refused after 1.2s", "connection refused after 950ms" },
  { "timed out after 30 seconds", "timed out after 5 seconds" },
  { "took 3m20s, giving up", "took 1h2m3.5s, giving up" },
  { "5 tests failed", "17 tests failed" },
  { "allocated 1,024 bytes", "allocated 99,999,999 bytes" },
  { "wrote 12 KiB of 3.5 MB (40%)", "wrote 900 KiB of 1 MB (7.5%)" },
  { "panic: nil pointer at 0xc000012345", "panic: nil pointer at 0xc0ffee" },
  { "no commit 3f2a91c4d5", "no commit 0123abcdef" },
  { "layer sha256:9b1f0a7b3c2d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789ab is missing", "layer sha256:0000aa7b3c2d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789ff is missing" },
  { "request 6f1c2b1e-8c1d-4f7e-9d52-1a2b3c4d5e6f failed", "request 00000000-8c1d-4f7e-9d52-1A2B3C4D5E6F failed" },
  { "/home/kim/shop/cart.go: permission denied", "/srv/x.y/other-file.txt: permission denied" },
  { "cart.go:12:3: undefined: Total", "internal/pay/total.go:140:17: undefined: Total" },
  { "./a.go:1: syntax error", "../b/c.go:22: syntax error" },
  { [[C:\Users\kim\shop\cart.go(12,3): error CS1002: ; expected]], [[D:\a\b.go(7,44): error CS1002: ; expected]] },
  { "src/app.ts(12,5): error TS2304: Cannot find name 'foo'.", "src/lib/x.ts(1,1): error TS2304: Cannot find name 'bar'." },
  { [[open "/tmp/a b/c": no such file]], [[open "d": no such file]] },
  { "can't open 'a.txt'", "can't open 'b c.txt'" },
  { "unknown column `price`", "unknown column `total`" },
  { "unknown name “Größe”", "unknown name “weight”" },
  { "2026-01-02T03:04:05Z ERROR disk full", "2025-12-31T23:59:59.123Z ERROR disk full" },
  { "2026/01/02 03:04:05 disk full", "2026/11/22 13:14:15 disk full" },
  { "[12:13:14.999] disk full", "[1:02:03] disk full" },
  { "Jan  2 03:04:05 host sshd[99]: closed", "Nov 22 13:14:15 host sshd[12345]: closed" },
  { "Mon, 02 Jan 2026 03:04:05 GMT expired", "Tue, 13 Oct 2025 23:04:05 GMT expired" },
  { "\27[31mError:\27[0m disk full", "Error: disk full" },
  { "\27]0;title\7Error: disk full", "Error: disk full" },
  { "Error: disk full\r\nat x\r\n", "error: disk full\nat x" },
  { "dial tcp 10.0.0.7:5432: refused", "dial tcp 192.168.1.20:6543: refused" },
  { "dial tcp [::1]:5432: refused", "dial tcp [fe80::1:2]:80: refused" },
  { "GET https://example.com/a?b=1 failed", "GET http://127.0.0.1:8080/x failed" },
  { "goroutine 18 [running]: main.f(0x1, 0x2f)", "goroutine 7 [running]: main.f(0xa1, 0x3)" },
  { [[  File "/usr/lib/x.py", line 12, in run]], [[  File "app/y.py", line 3400, in run]] },
  { "process 4242 exited with code 1", "process 17 exited with code 1" },
  { "retry 1 of 5, next in 200 ms", "retry 4 of 5, next in 1600 ms" },
  { "listen tcp :8080: address already in use", "listen tcp :9090: address already in use" },
  { "expected 3.14 got -2.5e-7", "expected 1 got 6" },
  { "  too   many\tblanks ", "too many blanks" },
  { "/tmp/go-build123/b001/shop.test: cannot execute", "/tmp/go-build987/b077/shop.test: cannot execute" },
  { "npm ERR! A complete log is in /home/kim/.npm/_logs/2026-01-02T03_04_05_678Z-debug-0.log", "npm ERR! A complete log is in /root/.npm/_logs/2026-11-22T13_14_15_000Z-debug-0.log" },
  { "needs left-pad v1.2.3", "needs left-pad 2.0.10-rc.1" },
  { "--- FAIL: TestTotal (0.41s)", "--- FAIL: TestTotal (12.03s)" },
}

-- Pairs of texts that are different errors.
local DIFFERENT = {
  { "connection refused", "connection reset by peer" },
  { "undefined: Total", "undefined: Sum" },
  { "cart.go:12:3: undefined: Total", "cart.go:12:3: Total redeclared" },
  { "status 404", "status 500" },
  { "HTTP 429 from server", "HTTP 503 from server" },
  { "HTTP/1.1 401 Unauthorized", "HTTP/1.1 403 Unauthorized" },
  { "exit status 1", "exit status 2" },
  { "process exited with code 1", "process exited with code 137" },
  { "make: *** [Makefile:12: test] Error 1", "make: *** [Makefile:12: test] Error 2" },
  { "[Errno 2] it failed", "[Errno 13] it failed" },
  { "error[E0308]: it failed", "error[E0277]: it failed" },
  { "x.ts(1,1): error TS2304: it failed", "x.ts(1,1): error TS2305: it failed" },
  { "ORA-00942: it failed", "ORA-01017: it failed" },
  { "SQLSTATE 42703: it failed", "SQLSTATE 42P01: it failed" },
  { "ERROR 1062 (23000): it failed", "ERROR 1045 (23000): it failed" },
  { "failed (os error 2)", "failed (os error 13)" },
  { "TypeError: x is undefined", "ReferenceError: x is undefined" },
  { "--- FAIL: TestTotal (0.41s)", "--- FAIL: TestSum (0.41s)" },
  { "no such table: carts", "no such table: prices" },
  { "can't read it", "can't write it" },
  { "disk full", "" },
  { "Größe fehlt", "Große fehlt" },
  { "killed by signal 9", "killed by signal 11" },
  { "module a is missing", "module b is missing" },
}

test("which errors are the same", function()
  local hooks = start("on_error: [{builtin: error-logger, with: {log: false}}]")
  local function of(message)
    return hooks:fire("on_error", { error = { message = message } }).data.fingerprint
  end
  local wrong = {}
  for _, pair in ipairs(SAME) do
    if of(pair[1]) ~= of(pair[2]) then
      wrong[#wrong + 1] = "these are two: " .. pair[1] .. " | " .. pair[2]
    end
  end
  for _, pair in ipairs(DIFFERENT) do
    if of(pair[1]) == of(pair[2]) then
      wrong[#wrong + 1] = "these are one: " .. pair[1] .. " | " .. pair[2]
    end
  end
  expect(table.concat(wrong, "\n")):is("")
end)

test("a task is the issue, else the session, else the project", function()
  local hooks = start("on_error: [{builtin: error-logger}]")
  local function failures(fields)
    fields.error = { message = "boom" }
    return hooks:fire("on_error", fields).data.failures
  end
  expect(failures({ issue_id = "SHOP-1", session_id = "a" })):is(1)
  expect(failures({ issue_id = "SHOP-1", session_id = "b", agent_id = "x" })):is(2)
  expect(failures({ issue_id = "SHOP-2", session_id = "b" })):is(1)
  expect(failures({ session_id = "b" })):is(1)
  expect(failures({ session_id = ("b"):rep(5000) })):is(1)
  expect(failures({ session_id = "" })):is(1)
  expect(failures({ session_id = "" })):is(2)
end)

test("different errors are counted each, and together at their own threshold", function()
  local hooks = start("on_error: [{builtin: error-logger, with: {task_threshold: 4}}]")
  local told = {}
  for n, word in ipairs({ "one", "two", "three", "four", "five" }) do
    local r = hooks:fire("on_error", { error = { message = word } })
    expect(r.data.failures):equals(n)
    expect(r.data.same_failures):is(1)
    told[n] = r.new_context or ""
  end
  expect(told[3] .. told[5]):is("")
  expect(told[4]):contains("4 failures in this task")
end)

test("the kind tells errors apart", function()
  local hooks = start("on_error: [{builtin: error-logger}]")
  local a = hooks:fire("on_error", { error = { kind = "network", message = "boom" } }).data
  local b = hooks:fire("on_error", { error = { kind = "timeout", message = "boom" } }).data
  expect(b.same_failures):is(1)
  expect(a.fingerprint == b.fingerprint):is(false)
end)

test("an error without words is one as well", function()
  local hooks = start("on_error: [{builtin: error-logger}]")
  expect(hooks:fire("on_error", {}).data.failures):is(1)
  expect(hooks:fire("on_error", { error = { message = "" } }).data.same_failures):is(2)
  expect(hooks:fire("on_error", {}).new_context):contains("3 times")
end)

test("what is told has no secret, no colour and no great length", function()
  local hooks = start("on_error: [{builtin: error-logger, with: {threshold: 2}}]")
  local long = "\27[31mlogin with password=correct-horse-9 failed\27[0m " .. ("€"):rep(200000)
  hooks:fire("on_error", { error = { message = long } })
  local told = hooks:fire("on_error", { error = { message = long } }).new_context
  expect(told):contains("login with password=[redacted")
  expect(told):never():contains("horse")
  expect(told):never():contains("\27")
  expect(told):never():contains("\239\191\189") -- a character that was cut becomes this in JSON
  expect(#told < 1000, "length"):is(true)
end)

test("hostile texts are cheap", function()
  local hooks = start(ALL)
  for _, part in ipairs({ '"', "'", "`", "\\", "/a", "a.", "1", "1.", "-", "<path>", "[", ":", "\27[", "\27]", "\0", "0x", "2026-01-02 ", "jan 1 ", "  ", "\n", "sha256:", "1h" }) do
    local r = hooks:fire("on_error", { session_id = part, error = { message = part:rep(50000) } })
    expect(r.data.failures, part):is(1)
  end
  local r = hooks:fire("post_tool_call", failing(("x;"):rep(20000), { output = { stderr = ("9/"):rep(200000) } }))
  expect(r.data.failures):is(1)
end)

test("which calls failed is told by the fields", function()
  local hooks = start("post_tool_call: [{builtin: error-logger}]")
  local function counted(call, failure)
    call.name = "bash"
    call.command = "make"
    local r = hooks:fire("post_tool_call", { tool_call = call, error = failure })
    return r.data ~= nil and r.data.failures ~= nil
  end
  expect(counted({ outcome = "error" }), "error"):is(true)
  expect(counted({ outcome = "timeout" }), "timeout"):is(true)
  expect(counted({ outcome = "ok" }), "ok"):is(false)
  expect(counted({ outcome = "denied", output = "no" }), "denied by a guard"):is(false)
  expect(counted({ outcome = "ok", output = { exit_code = 2 } }), "an exit status though the call went well"):is(true)
  expect(counted({ outcome = "ok", output = { exitCode = 0, stderr = "error" } }), "status 0"):is(false)
  expect(counted({ output = { output = "x", metadata = { exit_code = 1 } } }), "status in metadata"):is(true)
  expect(counted({ output = { isError = true, content = { { type = "text", text = "no" } } } }), "MCP"):is(true)
  expect(counted({ output = { success = false } }), "success"):is(true)
  expect(counted({ output = { timed_out = true } }), "timed out"):is(true)
  expect(counted({ outcome = "ok", output = "Exit code 1\nError: no" }), "what is printed"):is(false)
  expect(counted({ output = "Exit code 1\nError: no" }), "nothing said"):is(false)
  expect(counted({ output = "x" }, { message = "boom", kind = "crash" }), "an error"):is(true)
end)

test("the message of a failed call is its error, else its output", function()
  local hooks = start("post_tool_call: [{builtin: error-logger, with: {threshold: 2}}]")
  local function told(fields)
    hooks:fire("post_tool_call", fields)
    return hooks:fire("post_tool_call", fields).new_context
  end
  expect(told(failing("a", { output = "it is broken" }))):contains("error in bash: it is broken")
  expect(told(failing("b", { output = { stdout = "fine", stderr = "not so fine" } }))):contains("not so fine")
  expect(told(failing("c", { output = { content = { { type = "text", text = "from a server" } } } }))):contains("from a server")
  local given = failing("d", { outcome = "timeout" })
  given.error = { kind = "timeout", message = "over after 2 minutes" }
  expect(told(given)):contains("timeout in bash: over after 2 minutes")
  expect(told(failing("e", { output = 7 }))):contains("error in bash: ")
end)

test("a failure that comes under two events counts once", function()
  local hooks = start(ALL)
  local function both(id, message)
    local a = hooks:fire("post_tool_call", failing("make", { id = id, output = message }))
    local b = hooks:fire("on_error", { session_id = "s", tool_call = { id = id, name = "bash", command = "make" }, error = { kind = "error", message = message } })
    expect(a.data.fingerprint):equals(b.data.fingerprint)
    return a.data.failures, b.data.failures
  end
  local a, b = both("call_1", "boom")
  expect(a .. b):is("11")
  a, b = both("call_2", "boom")
  expect(a .. b):is("22")
end)

test("the third identical call is denied, and says why", function()
  for n = 1, 2 do
    expect(start(ALL):fire("pre_tool_call", about("make")).decision, "call " .. n):is("")
    start(ALL):fire("post_tool_call", failing("make"))
  end
  local r = start(ALL):fire("pre_tool_call", about("make"))
  expect(r.decision):is("deny")
  expect(r.reason):contains("failed 2 times")
  expect(r.reason):contains("boom in make")
  expect(start(ALL):fire("pre_tool_call", about(" make\n")).decision, "blanks around it"):is("deny")
  expect(start(ALL):fire("pre_tool_call", about("make -B")).decision, "another call"):is("")
  expect(start(ALL):fire("pre_tool_call", { session_id = "other", tool_call = { name = "bash", command = "make" } }).decision, "another session"):is("")
  local elsewhere = about("make")
  elsewhere.cwd = project.root .. "/sub"
  expect(start(ALL):fire("pre_tool_call", elsewhere).decision, "another folder"):is("")
end)

test("pre_tool_call alone is enough, and decides nothing under other names", function()
  local hooks = start("pre_tool_call: [{builtin: error-logger}]")
  for _ = 1, 2 do
    local r = hooks:fire("post_tool_call", failing("make"))
    expect(r.data):is(nil)
    expect(r.new_context):is(nil)
  end
  expect(hooks:fire("pre_tool_call", about("make")).decision):is("deny")

  hooks = start("post_tool_call: [{builtin: error-logger}]")
  expect(hooks:fire("pre_tool_call", about("make")).decision, "not listed"):is("")
  hooks = start("on_error: [{builtin: error-logger}]")
  expect(hooks:fire("post_tool_call", failing("make")).data, "not counted: not listed"):is(nil)
end)

test("inputs are compared as JSON", function()
  local hooks = start(ALL)
  local function call(input, outcome)
    return { session_id = "s", tool_call = { name = "mcp__shop__find", input = input, outcome = outcome } }
  end
  hooks:fire("post_tool_call", call({ a = 1, b = { 2, 3 } }, "error"))
  hooks:fire("post_tool_call", call({ b = { 2, 3 }, a = 1 }, "error"))
  expect(hooks:fire("pre_tool_call", call({ a = 1, b = { 2, 3 } })).decision):is("deny")
  expect(hooks:fire("pre_tool_call", call({ a = 1, b = { 3, 2 } })).decision):is("")
  expect(hooks:fire("pre_tool_call", call({})).decision):is("")
end)

-- Whether the third call of make goes through where this was in between.
local function denied_after(event, fields)
  local hooks = start(ALL)
  hooks:fire("post_tool_call", failing("make"))
  hooks:fire("post_tool_call", failing("make"))
  hooks:fire(event, fields)
  return hooks:fire("pre_tool_call", about("make")).decision == "deny"
end

local function file_call(name, outcome)
  return { session_id = "s", tool_call = { name = name, input = { file_path = "a.go", content = "x", old_string = "a", new_string = "b" }, outcome = outcome } }
end

local BETWEEN = {
  { true, "looking", "post_tool_call", fine("ls -la && git status | head -3; cat Makefile") },
  { true, "a search", "post_tool_call", fine("cd src && rg -n Total . 2>/dev/null | sort > /dev/null") },
  { true, "reading", "post_tool_call", file_call("read", "ok") },
  { true, "an edit that failed", "post_tool_call", file_call("edit", "error") },
  { true, "an edit that was denied", "post_tool_call", file_call("write", "denied") },
  { true, "another failure", "post_tool_call", failing("npm ci") },
  { true, "another session's edit", "post_tool_call", { session_id = "t", tool_call = { name = "edit", input = { file_path = "a.go" }, outcome = "ok" } } },
  { false, "an edit", "post_tool_call", file_call("edit", "ok") },
  { false, "a new file", "post_tool_call", file_call("write", "ok") },
  { false, "an edit by shell", "post_tool_call", fine("sed -i s/a/b/ a.go") },
  { false, "a file by shell", "post_tool_call", fine("echo x > a.go") },
  { false, "an installation", "post_tool_call", fine("npm install") },
  { false, "git checkout", "post_tool_call", fine("git checkout main") },
  { false, "what can't be read", "post_tool_call", fine("$TOOL x") },
  { false, "no shell at all", "post_tool_call", fine("echo 'x") },
  { false, "a server's tool", "post_tool_call", { session_id = "s", tool_call = { name = "mcp__db__migrate", outcome = "ok" } } },
  { false, "the call's success", "post_tool_call", fine("make") },
  { false, "waiting", "post_tool_call", fine("sleep 5") },
  { false, "a new prompt", "pre_prompt", { session_id = "s", prompt = "try again" } },
}
for _, case in ipairs(BETWEEN) do
  test("in between: " .. case[2], function()
    expect(denied_after(case[3], case[4])):equals(case[1])
  end)
end

test("a call that fails twice after a change is denied again", function()
  local hooks = start(ALL)
  for _ = 1, 2 do
    hooks:fire("post_tool_call", failing("make"))
  end
  hooks:fire("post_tool_call", file_call("edit", "ok"))
  hooks:fire("post_tool_call", failing("make"))
  expect(hooks:fire("pre_tool_call", about("make")).decision, "one failure since"):is("")
  hooks:fire("post_tool_call", failing("make"))
  expect(hooks:fire("pre_tool_call", about("make")).decision):is("deny")
end)

test("success overcomes the error, not the task's count", function()
  local hooks = start(ALL)
  hooks:fire("post_tool_call", failing("make"))
  local r = hooks:fire("post_tool_call", failing("make"))
  expect(r.data.same_failures):is(2)
  hooks:fire("post_tool_call", fine("make"))
  r = hooks:fire("post_tool_call", failing("make"))
  expect(r.data.same_failures):is(1)
  expect(r.data.failures):is(3)
  expect(r.new_context):is(nil)
end)

test("success overcomes an error that only the host reported", function()
  local hooks = start(ALL)
  local reported = { session_id = "s", tool_call = { name = "bash", command = "make" }, error = { message = "boom" } }
  hooks:fire("on_error", reported)
  expect(hooks:fire("on_error", reported).data.same_failures):is(2)
  hooks:fire("post_tool_call", fine("make all"))
  expect(hooks:fire("on_error", reported).data.same_failures, "another call"):is(3)
  hooks:fire("post_tool_call", fine("make"))
  expect(hooks:fire("on_error", reported).data.same_failures):is(1)
end)

test("what can be tried again isn't denied", function()
  local hooks = start(ALL)
  local failed = failing("curl localhost")
  failed.error = { kind = "network", message = "refused", is_retryable = true }
  for _ = 1, 3 do
    hooks:fire("post_tool_call", failed)
  end
  expect(hooks:fire("pre_tool_call", about("curl localhost")).decision):is("")
end)

test("a call that waits isn't denied", function()
  local hooks = start(ALL)
  for _ = 1, 3 do
    hooks:fire("post_tool_call", failing("sleep 2 && curl -f localhost:3000"))
  end
  expect(hooks:fire("pre_tool_call", about("sleep 2 && curl -f localhost:3000")).decision):is("")
end)

test("more errors and calls than are kept", function()
  local hooks = start(ALL)
  local words = {}
  for a in ("abcdefgh"):gmatch(".") do
    for b in ("ijklmnop"):gmatch(".") do
      words[#words + 1] = a .. b
    end
  end
  for n, word in ipairs(words) do
    expect(hooks:fire("post_tool_call", failing("make " .. word)).data.failures):equals(n)
  end
  hooks:fire("post_tool_call", failing("make " .. words[#words]))
  expect(hooks:fire("pre_tool_call", about("make " .. words[#words])).decision):is("deny")
end)

test("a store that fails is told in plain words", function()
  fake.store.fails("it is broken")
  local hooks = start("on_error: [{builtin: error-logger}]")
  local r = hooks:fire("on_error", { session_id = "s-1", error = { message = "boom" } })
  expect(r.system_message):contains("error-logger can't count: store.update: ")
end)

test("options are checked", function()
  expect(start("on_error: [{builtin: error-logger, with: {treshold: 3}}]").problem()):contains('did you mean "threshold"?')
  expect(start("on_error: [{builtin: error-logger, with: {threshold: 1}}]").problem()):contains("at least 2")
  expect(start("on_error: [{builtin: error-logger, with: {ttl: forever}}]").problem()):contains('a time like "10m"')
end)

test("thresholds and patience are options", function()
  local hooks = start([[
pre_tool_call: [{builtin: error-logger, with: {deny_after: 1}}]
on_error: [{builtin: error-logger, with: {threshold: 2}}]
]])
  hooks:fire("post_tool_call", failing("make"))
  expect(hooks:fire("pre_tool_call", about("make")).reason):contains("failed once")
  hooks:fire("on_error", { error = { message = "boom" } })
  expect(hooks:fire("on_error", { error = { message = "boom" } }).new_context):contains("2 times")
end)

-- Recoveries.

local function recovering(with, grant)
  project.write("fix.sh", 'echo "$ERROR_KIND|$ERROR_TOOL|$ERROR_COUNT|$ERROR_MESSAGE" >> log.txt\necho fixed password=hunter2-hunter2\nexit 3\n')
  return start("on_error: [{builtin: error-logger, with: {recover: " .. with .. "}" .. (grant or ", grant: {exec: [sh]}") .. "}]")
end

local function network(message)
  return { session_id = "s", error = { kind = "network", message = message or "no route; password=hunter2-hunter2 $(touch bad)" } }
end

test("a program is run once for an error, and told of it without secrets", function()
  local hooks = recovering("{command: [sh, fix.sh]}")
  local r = hooks:fire("on_error", network())
  expect(r.new_context):contains("`sh` ended with status 3:\nfixed") expect(r.new_context):never():contains("hunter2")
  expect(r.data.recovery):contains("Recovery: ")
  expect(hooks:fire("on_error", network()).data.recovery, "not once more, though it failed"):is(nil)
  local log = project.read("log.txt")
  expect(log):contains("network||1|no route; ") expect(log):never():contains("hunter2")
  expect(log):contains("$(touch bad)")
  expect(#text.split(text.trim(log), "\n")):is(1)
  assert(hooks:fire("on_error", network("another error")).data.recovery)
end)

test("a recovery is for what is named, and from a number on", function()
  local hooks = recovering("{command: [sh, fix.sh], kinds: [network], after: 2}")
  expect(hooks:fire("on_error", network()).data.recovery):is(nil)
  assert(hooks:fire("on_error", network()).data.recovery)
  for _, kind in ipairs({ "auth", "hook" }) do
    for _ = 1, 3 do
      expect(hooks:fire("on_error", { session_id = "s", error = { kind = kind, message = "x " .. kind } }).data.recovery):is(nil)
    end
  end
  expect(recovering("{command: [sh, fix.sh]}"):fire("on_error", { session_id = "s2", error = { kind = "hook", message = "y" } }).data.recovery):is(nil)
end)

test("a program that isn't granted isn't run, and the error is counted all the same", function()
  local r = recovering("{command: [sh, fix.sh]}", ""):fire("on_error", network())
  expect(r.data.failures):is(1)
  expect(r.data.recovery):contains("Recovery failed: ")
  expect(project.read("log.txt")):is(nil)
end)

test("a task is made once for an error", function()
  local hooks = recovering("{task: look at the network}", "")
  local event = network()
  event.issue_id = "shop-42"
  local r = hooks:fire("on_error", event)
  local list = assert(tasks.list{ parent = "shop-42" })
  expect(#list):is(1)
  expect(list[1].title):is("look at the network")
  expect(r.data.recovery):contains("Recovery: the task " .. list[1].id .. " was made")
  expect(list[1].body):contains("network: no route") expect(list[1].body):never():contains("hunter2")
  expect(hooks:fire("on_error", event).data.recovery):is(nil)
  expect(#assert(tasks.list{})):is(1)
end)

test("a task that can't be made, and a program that doesn't end, are told", function()
  fake.tasks.fails("it is broken")
  local r = recovering("{task: look at the network}", ""):fire("on_error", network())
  expect(r.data.failures):is(1)
  expect(r.data.recovery):contains("Recovery failed: ")
  project.write("fix.sh", "sleep 600\n")
  r = start("on_error: [{builtin: error-logger, with: {recover: {command: [sh, fix.sh], timeout: 1s}}, grant: {exec: [sh]}}]"):fire("on_error", network("another error"))
  expect(r.data.failures):is(2)
  expect(r.data.recovery):contains("Recovery failed: sh had not ended after its timeout of 1s")
end)

test("recover says one thing, and is checked", function()
  for with, problem in pairs({ ["{command: [sh], task: x}"] = "give either command", ["{kinds: [x]}"] = "give either command", ["{comand: [sh]}"] = 'did you mean "command"?' }) do
    expect(start("on_error: [{builtin: error-logger, with: {recover: " .. with .. "}}]").problem()):contains(problem)
  end
end)
