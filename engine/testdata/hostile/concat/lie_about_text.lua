-- title: a __concat that gives tables, functions and nothing
-- expect: ok
on("pre_tool_call", function(ev)
  local odd = setmetatable({}, { __concat = function(a, b) return a end })
  assert(type(odd .. "x") == "table" and ("x" .. odd) == "x")
  for _, v in ipairs({ true, print, {}, ev, json.null, coroutine.create(function() end) }) do
    assert(not pcall(function() return "x" .. v .. "y" end) or v == ev or v == json.null)
  end
  assert(not pcall(function() return "x" .. nil end))
  return context("held")
end)
