local function used(x) return x end --+
local function unused(x) return x end --!
local function outer() --+
  local n = 0 --+
  return function() --+
    n = n + 1 --+
    return function() --+
      return n --!
    end
  end
end

local M = { --+
  a = function() return 1 end, --!
  b = function() --+
    return 2 --!
  end,
}

function M.c() --+
  return used(3) --+
end

function M:d() --+
  return self --!
end

on("pre_tool_call", { match = "bash" }, function(ev) --+
  outer()() --+
  local ok = ev.tool_call.command == "none" and unused(1) --+
    or M.c() --+
  local thread = coroutine.wrap(function() --+
    coroutine.yield(ok) --+
    used(1) --!
  end)
  thread() --+
  local _, problem = pcall(function() --+
    error("no") --+
    used(2) --!
  end)
  table.sort({ 2, 1 }, function(a, b) --+
    return a < b --+
  end)
  return problem and nil --+
end)
