-- title: rebound globals are back in the next run
-- expect: ok
-- fires: 3
on("pre_tool_call", function(ev)
  assert(leftover == nil and type(string) == "table" and string.upper("a") == "A" and type(pcall) == "function" and _G._G == _G)
  assert(_G.deny ~= nil and rawget(_G, "deny") == nil, "deny")
  local answer = context("held")
  leftover = ev
  string, table, pcall, deny, on, _G.pairs, _G.context = nil, { concat = print }, error, allow, nil, print, deny
  _G._G = {}
  tostring = function() return "evil" end
  for k in next, _G do _G[k] = false end
  return answer
end)
