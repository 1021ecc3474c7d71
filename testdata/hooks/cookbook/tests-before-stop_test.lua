only("tests-before-stop.lua")

local function edit(file, outcome)
  local input = { file_path = file, old_string = "a", new_string = "b" }
  fire("post_tool_call", { tool_call = { name = "edit", input = input, outcome = outcome or "ok" } })
end

local function run(command, outcome, more)
  local input = more or {}
  input.command = command
  fire("post_tool_call", { tool_call = { name = "bash", input = input, outcome = outcome or "ok" } })
end

local function stop()
  return fire("stop")
end

test("an edit without a test", function()
  edit("cart.go")
  local r = stop()
  expect(r.decision):is("deny")
  expect(r.reason):contains("cart.go was changed")
end)

test_each({
  "go test ./...", "go test -race -count=1 ./...", "go vet ./... && go test ./...", "pytest -q",
  "set -o pipefail; npm test | tail", "cargo test > test.log",
}, "tests that have passed: %s", function(command)
  edit("cart.go")
  run(command)
  expect(stop().decision):is("")
end)

test_each({
  "go test ./... | tail", "go test ./... || true", "go test ./cart", "go test -run TestOne ./...", "go test ./... &",
  "echo go test ./...", "pytest tests/test_cart.py", "go test ./...; echo done",
}, "this proves nothing: %s", function(command)
  edit("cart.go")
  run(command)
  expect(stop().decision):is("deny")
end)

test("tests that have failed, or have only begun", function()
  edit("cart.go")
  run("go test ./...", "error")
  expect(stop().decision):is("deny")
  run("go test ./...", "ok", { run_in_background = true })
  expect(fire("stop").decision):is("deny")
end)

test("an edit after the tests", function()
  edit("cart.go")
  run("go test ./...")
  edit("cart_test.go")
  expect(stop().decision):is("deny")
end)

test("a shell edits, too", function()
  run("go test ./... && sed -i s/a/b/ cart.go")
  expect(stop().decision):is("deny")
  run("sed -i s/b/a/ cart.go && go test ./...")
  expect(stop().decision):is("")
end)

test("no test is asked for", function()
  expect(stop().decision):is("")
  edit("README.md")
  run("go build -o bin/app . && cp a.png b.png")
  run("rm cart.go", "denied")
  edit("cart.go", "denied")
  expect(stop().decision):is("")
end)

test("another session is another matter", function()
  edit("cart.go")
  expect(fire("stop", { session_id = "other" }).decision):is("")
end)
