-- mcp-pin: a tool of an MCP server that isn't what it was when it was first seen is asked about.
--
-- On pre_tool_selection, which the gate (luahook mcp) and the adapters for MCP fire with the definitions of a
-- server's tools, each definition is held against the one that was first seen (pins.lua). The model goes on with
-- the first one: what a changed description says may be meant for it. A call of such a tool is asked about. The
-- first call that a person lets through makes the new definition the one that counts.

local settings = require("settings").read(require("options"), (...))
local pins = require("pins")

local function ignored(name)
  if name:find("[*?]") then
    return false -- for path.match such a name may be any
  end
  for _, pattern in ipairs(settings.ignore) do
    if path.match(pattern, name) then
      return true
    end
  end
  return false
end

on("pre_tool_selection", { name = "mcp-pin", always = true, on_failure = "block" }, function(ev)
  local tools, changed = {}, {}
  for i, tool in ipairs(ev.tools or {}) do
    tools[i] = tool
    if type(tool) == "table" and type(tool.name) == "string" and not ignored(tool.name) then
      local pin = pins.see(tool)
      if pin.now then
        tools[i] = pins.first_seen(pin, tool)
        changed[#changed + 1] = ("%s (%s)"):format(text.truncate(tool.name, 100), pin.what)
      end
    end
  end
  if #changed == 0 then
    return nil
  end
  table.sort(changed)
  local named = table.concat(changed, ", ", 1, math.min(#changed, 8)) .. (#changed > 8 and (" and %d more"):format(#changed - 8) or "")
  return modify({ tools = json.array(tools) }), message("mcp-pin: changed since first seen: " .. named .. ". The model is given them as they were, and a call is asked about.")
end)

on("pre_tool_call", { name = "mcp-pin", always = true, match = { tool = "mcp__*" } }, function(ev)
  local pin = not ignored(ev.tool_call.host_name) and pins.of(ev.tool_call.host_name)
  if pin and pin.now then
    pins.asked(ev.tool_call.host_name, pin.now.hash)
    return ask(pins.question(ev.tool_call.host_name, pin))
  end
end)

-- It ran, so a person has let it through.
on("post_tool_call", { name = "mcp-pin", always = true, match = { tool = "mcp__*" }, on_failure = "warn" }, function(ev)
  if ev.tool_call.outcome ~= "denied" then
    pins.accept(ev.tool_call.host_name)
  end
end)
