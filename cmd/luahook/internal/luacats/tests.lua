-- What test files (*_test.lua) find beside all that.

---a test; it fails with an error
---@param name string
---@param fn fun()
function test(name, fn) end

---a test for each case. A case that is a list gives fn its items and the name its %s; another one is given to fn as it is.
---
---```lua
---test_each({ { "main", "deny" }, { "next", "" } }, "a push to %s", function(branch, want)
---  expect(fire("pre_tool_call", "git push origin " .. branch).decision):is(want)
---end)
---```
---@param cases any[]
---@param name string
---@param fn fun(...: any)
function test_each(cases, name, fn) end

---tests that belong together
---@param name string
---@param fn fun()
function describe(name, fn) end

---runs before each test of the same describe, or of the file
---@param fn fun()
function before_each(fn) end

---has the tests of this file fire at the hooks of one file alone, which lies beside it
---@param file string
function only(file) end

---fires an event at the hooks, and gives what they decide together. A text is a shell command that is about to run. A hook that
---fails is an error, unless options say otherwise.
---
---```lua
---local r = fire("pre_tool_call", "git push origin main")
---local r = fire("pre_tool_call", { tool_call = { name = "write", input = { path = ".env", content = "" } } })
---```
---@param event luahook.EventName|string
---@param context? string|table
---@param options? { failures?: boolean }
---@return luahook.Result
function fire(event, context, options) end

---What the hooks decide together.
---@class luahook.Result
---"" if nobody objects
---@field decision ""|"allow"|"ask"|"deny"
---whether the decision is deny
---@field block boolean
---@field reason? string
---something that the agent is about to use has changed
---@field modified? boolean
---the whole rewritten input of the tool; on other events the rewritten fields by name
---@field input? table<string, any>
---what replaces the tool's output; on pre_tool_call what stands in for the call
---@field output? any
---text for the model: contexts, joined by newlines
---@field new_context? string
---text for the model, with the hooks that it comes from
---@field contexts? { hook: string, text: string }[]
---the whole turn ends
---@field halt? boolean
---@field stop_reason? string
---text for the user
---@field system_message? string
---@field suppress_output? boolean
---@field data? table<string, any>
---what the user should know about the hooks
---@field warnings? string[]
---what ran
---@field summary table<string, any>

---says what a value should be. A test fails if it asks nothing about the value.
---
---```lua
---expect(r.decision):is("deny")
---expect(r.reason):contains("main")
---```
---@param value any
---@return luahook.Expectation
function expect(value) end

---@class luahook.Expectation
local Expectation = {}

---it is this very value
---@param value any
function Expectation:is(value) end

---it is equal, tables by what is in them
---@param value any
function Expectation:equals(value) end

---a text has this part, a list this item, a table all these fields
---@param part any
function Expectation:contains(part) end

---a Lua pattern matches the text
---@param pattern string
function Expectation:matches(pattern) end

---the function raises an error, with this text in it if one is given
---@param text? string
function Expectation:errors(text) end

---the opposite of what follows
---@return luahook.Expectation
function Expectation:never() end

---starts other hooks: those that this hooks.yaml lists, as the user's, and those of the test's project
---@param yaml string
---@return luahook.StartedHooks
function start(yaml) end

---@class luahook.StartedHooks
local StartedHooks = {}

---fires an event at these hooks, as fire does
---@param event luahook.EventName|string
---@param context? string|table
---@param options? { failures?: boolean }
---@return luahook.Result
function StartedHooks:fire(event, context, options) end

---why they don't load; nil if they do
---@return string?
function StartedHooks.problem() end

---What stands in for the world outside, in one test. What a hook isn't granted it doesn't get from here either.
---@class luahook.Fake
---what hooks keep
---@field store luahook.FakeStore
---the task tracker
---@field tasks luahook.FakeTasks
fake = {}

---stands in for a program of exec.run, named as it is granted
---@param program string
---@param answer { stdout?: string, stderr?: string, code?: integer, signal?: string }|fun(args: string[], options: table): table?, string?
function fake.exec(program, answer) end

---stands in for a host. The address is a URL with * for anything; a method may stand before it: "POST https://example.com/*".
---@param address string
---@param answer { status?: integer, body?: string, headers?: table<string, string> }|fun(request: { method: string, url: string, body: string, headers: table<string, string> }): table?, string?
function fake.http(address, answer) end

---stands in for functions of the git module, by their names; false: there is no repository
---
---```lua
---fake.git{ branch = "main", changed = { "a.go" } }
---```
---@param answers table<string, any>|false
function fake.git(answers) end

---sets an environment variable. Hooks see those that the test has set, and no others
---@param name string
---@param value string
function fake.env(name, value) end

---stops the clock at a time: RFC 3339, or seconds since 1970
---@param time string|number
function fake.time(time) end

---puts the clock ahead
---@param seconds number
function fake.time_passes(seconds) end

---the calls of exec, http or git in this test, in order
---@param what "exec"|"http"|"git"
---@return table<string, any>[]
function fake.calls(what) end

---@class luahook.FakeStore
local FakeStore = {}

---puts a value into the stores of all hooks; nil takes it away
---@param key string
---@param value any
---@param options? { scope?: "project"|"session"|"user"|"shared", name?: string }
function FakeStore.set(key, value, options) end

---what a hook keeps under a key
---@param key string
---@param options? { scope?: "project"|"session"|"user"|"shared", name?: string }
---@return any
function FakeStore.get(key, options) end

---makes the store one that can't be reached
---@param message string
function FakeStore.fails(message) end

---@class luahook.FakeTasks
local FakeTasks = {}

---makes the tracker fail
---@param message string
function FakeTasks.fails(message) end

---The project that hooks see in a test: an empty folder of its own.
---@class luahook.Project
---its folder
---@field root string
project = {}

---writes a file, and the folders that it lies in
---@param name string
---@param text string
function project.write(name, text) end

---the text of a file; nil if there is none
---@param name string
---@return string?
function project.read(name) end

---removes a file, or a folder with all that is in it
---@param name string
function project.remove(name) end

---makes a link
---@param target string
---@param name string
function project.link(target, name) end

---runs git in the project, where programs may run (`luahook test --run-programs`)
---@param ... string
function project.git(...) end
