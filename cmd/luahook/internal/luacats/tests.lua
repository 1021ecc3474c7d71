-- What test files (*_test.lua) find beside all that.

---a test; it fails with an error
---@param name string
---@param fn fun()
function test(name, fn) end

---tests that belong together
---@param name string
---@param fn fun()
function describe(name, fn) end

---runs before each test of the same describe, or of the file
---@param fn fun()
function before_each(fn) end

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

---says what a value should be
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

---a text has this part, or a list this element
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

---What stands in for the world outside; forgotten before each test.
---@class luahook.Fake
---what the store holds
---@field store any
fake = {}

---what exec.run gives
---@param ... any
function fake.exec(...) end

---what the functions of http give
---@param ... any
function fake.http(...) end

---what the functions of git give
---@param facts table<string, any>
function fake.git(facts) end

---what the clock says, as "2026-01-02T03:04:05Z"
---@param now string
function fake.time(now) end

---The project of the test, in a folder of its own.
---@class luahook.Project
---its folder
---@field root string
project = {}

---@param name string
---@param text string
function project.write(name, text) end

---@param name string
---@return string
function project.read(name) end
