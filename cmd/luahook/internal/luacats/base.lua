---@meta _

-- What luahook's scripts find, for editors. `luahook types` makes this file; don't edit it. luahook never loads it.

-- `'"async"'` is there because lua-language-server takes "async" for the beginning of a function's type.

-- Of Lua's own global functions these are there. What loads code or reaches the host isn't.

---raises an error with the message if v is false or nil, and else returns its arguments
---@generic T
---@param v? T
---@param message? any
---@return T
---@return any ...
function assert(v, message, ...) end

---raises an error
---@param message any
---@param level? integer
function error(message, level) end

---@param object any
---@return any metatable
function getmetatable(object) end

---goes through t[1], t[2] and so on, up to the first nil
---@generic T: table, V
---@param t T
---@return fun(list: V[], index?: integer): integer, V
---@return T
---@return integer start
function ipairs(t) end

---@generic K, V
---@param t table<K, V>
---@param key? K
---@return K? key
---@return V? value
function next(t, key) end

---goes through all that is in a table, in no order
---@generic T: table, K, V
---@param t T
---@return fun(t: table<K, V>, key?: K): K, V
---@return T
function pairs(t) end

---calls f and returns true with its results, or false with its error; a spent limit it can't catch
---@param f function
---@param ... any
---@return boolean ok
---@return any ...
function pcall(f, ...) end

---@param a any
---@param b any
---@return boolean
function rawequal(a, b) end

---@param t table
---@param key any
---@return any
function rawget(t, key) end

---@param t table
---@param key any
---@param value any
---@return table
function rawset(t, key, value) end

---the arguments from the given one on, or with "#" how many there are
---@param index integer|"#"
---@param ... any
---@return any ...
function select(index, ...) end

---@generic T: table
---@param t T
---@param meta? table
---@return T
function setmetatable(t, meta) end

---@param v any
---@param base? integer
---@return number?
function tonumber(v, base) end

---@param v any
---@return string
function tostring(v) end

---@param v any
---@return "nil"|"number"|"string"|"boolean"|"table"|"function"|"thread"|"userdata"
function type(v) end

---the elements of a list, from the first or the given one on
---@generic T
---@param list T[]
---@param first? integer
---@param last? integer
---@return T ...
function unpack(list, first, last) end

---calls f as pcall does; in place of the error it gives what handler makes of it
---@param f function
---@param handler function
---@return boolean ok
---@return any ...
function xpcall(f, handler) end

---@type table<string, any>
_G = {}

_VERSION = "Lua 5.1"

---What a tool is asked to do, and what came of it.
---@class luahook.ToolCall
---the call's id
---@field id? string
---the tool as hooks know it: bash, read, write, edit, search, web, agent, mcp__server__tool
---@field name string
---the tool as the agent calls it
---@field host_name string
---what the tool does
---@field kind "shell"|"read"|"write"|"edit"|"search"|"web"|"mcp"|"agent"|"other"
---the shell text of a shell tool; nil for others
---@field command string
---the files that its input names, as written
---@field paths string[]
---the same absolute and cleaned, for path.match. For a shell tool they are the files and folders that its commands touch
---@field files string[]
---all arguments
---@field input table<string, any>
---what came of it: text, or the host's object
---@field output any
---how a finished call ended
---@field outcome? "ok"|"error"|"denied"|"timeout"
---how long it took, in milliseconds
---@field language? string
---@field duration_ms? number
---a person was asked about this very call before it was begun again
---@field resumed boolean

---What went wrong.
---@class luahook.ErrorInfo
---what went wrong, in words
---@field message? string
---the agent's word for it (network, timeout, rate_limit); of a failed hook it is hook
---@field kind? string
---whether another try may help
---@field is_retryable boolean
---the hook that failed
---@field hook? string
---where that hook is: file:line
---@field source? string
---the event that the hook was called for
---@field event? string

---Tokens and cost.
---@class luahook.Usage
---tokens that went to the model
---@field input_tokens integer
---tokens that came from the model
---@field output_tokens integer
---tokens that came from a cache
---@field cache_tokens integer
---what it cost, in US dollars
---@field cost_usd number

---How and when a hook runs.
---@class luahook.Options
---what reasons and logs call the hook; default: the file's name
---@field name? string
---which events concern it: the tool's name, a list `"read|edit"`, globs, a regular expression between slashes, or a table of fields; default: all
---@field match? string|luahook.Match
---higher runs first among the hooks of one scope; default 0
---@field priority? integer
---of one run: "200ms", "2s"
---@field timeout? string
---what a failure of this hook means
---@field on_failure? "block"|"warn"|"ignore"
---run once per session
---@field once? boolean
---register this hook even if hooks.yaml lists the script only under another event
---@field always? boolean
---false: registered, never run
---@field enabled? boolean
---whether the event waits for the hook, and the hook for the one before it; default sync
---@field mode? "sync"|"parallel"|'"async"'|"async"

---Fields that must all match. Any field of the event can stand here: `{ ["error.kind"] = "network" }`.
---@class luahook.Match
---what the tool does: shell, read, write, edit, search, web, mcp, agent, other; several with | between them
---@field kind? string
---the tool's name
---@field tool? string
---the shell text
---@field command? string
---a file that the call's input names
---@field path? string
---a file that the call names, or that a shell command touches
---@field file? string
---@field [string] string

---What deny, ask, allow and the others make. Return it from the hook, several at once if need be.
---@class luahook.Answer
local Answer = {}

---An answer as a table.
---@class luahook.AnswerTable
---@field decision? "allow"|"ask"|"deny"
---true denies
---@field block? boolean
---@field reason? string
---@field modified? boolean
---the whole rewritten input
---@field input? table<string, any>
---the tool's output, or what stands in for the call
---@field output? any
---text for the model
---@field new_context? string
---end the whole turn
---@field halt? boolean
---@field stop_reason? string
---text for the user
---@field system_message? string
---@field suppress_output? boolean
---for the program that runs luahook
---@field data? table<string, any>

---What a hook may return; nil is no opinion, and false denies.
---@alias luahook.Returned luahook.Answer|luahook.AnswerTable|false|nil
