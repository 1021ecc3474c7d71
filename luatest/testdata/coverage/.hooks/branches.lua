-- Lines that end with --+ have run, those that end with --! have not, and the others don't
-- count: so it was counted by hand.

local LIMIT = 3 --+
local NAMES = { --+
  main = true, --+
  next = kind, --+
  text = "a text is part of the line on which the table begins",
}

--[[
on("pre_tool_call", function() end)
]]

local function kind(command) --+
  if command == "one" then --+
    return 1 --+
  elseif command == "two" then --+
    return 2 --!
  elseif command == "three" then --+
    return 3 --!
  else
    return 4 --+
  end
end

local function never(x) --+
  local y = x + 1 --!

  return y --!
end

on("pre_tool_call", { match = "bash" }, function(ev) --+
  local c = ev.tool_call.command --+
  local n = kind(c) --+
  if n == 1 and NAMES.main then --+
    return deny( --+
      ("no %s"):format( --+
        c --+
      )
    )
  end
  if n > LIMIT then return ask("?") end --+
  never(n) --!
end)

on("stop", function(ev) --+
  print(ev.event) --!
end)
