-- title: functions of the libraries can't be replaced, by any way to store
-- expect: ok
on("pre_tool_call", function()
  local evil = function() return "evil" end
  for name, library in pairs({ string = string, table = table, math = math, coroutine = coroutine, json = json, re = re, text = text, path = path, time = time, hash = hash, log = log, shell = shell }) do
    local key = next(library)
    local old = library[key]
    assert(not pcall(function() library[key] = evil end), name)
    assert(not pcall(function() library.extra = evil end), name)
    assert(not pcall(rawset, library, key, evil), name)
    assert(not pcall(table.insert, library, evil), name)
    assert(not pcall(table.insert, library, 1, evil), name)
    assert(not pcall(setmetatable, library, { __index = evil }), name)
    assert(not getmetatable(library), name)
    pcall(json.array, library)
    pcall(table.sort, library)
    pcall(table.remove, library)
    for k in pairs(library) do pcall(function() library[k] = nil end) end
    assert(library[key] == old and not rawget(library, "extra"), name)
  end
  return context("held")
end)
