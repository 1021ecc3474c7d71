-- title: what loads code, reads files or reaches the host isn't there
-- expect: ok
on("pre_tool_call", function()
  for _, name in ipairs({
    "io", "os", "debug", "package", "module", "load", "loadstring", "loadfile", "dofile", "getfenv", "setfenv", "newproxy",
    "collectgarbage", "channel", "gcinfo", "_printregs", "LUA_PATH", "arg", "jit", "ffi", "bit", "bit32", "utf8",
  }) do
    assert(_G[name] == nil and rawget(_G, name) == nil, name)
    assert(not pcall(require, name), name)
  end
  -- What reaches the host is there by its name, and refuses.
  for _, call in ipairs({ "fs.read", "fs.write", "fs.list", "fs.stat", "env.get", "env.list", "git.status", "git.diff", "exec.run", "http.get", "http.post" }) do
    local library, name = call:match("(%a+)%.(%a+)")
    local ok, why = pcall(_G[library][name], "PATH", "x")
    assert(not ok and tostring(why):find("not granted", 1, true), call .. ": " .. tostring(why))
  end
  for _, path in ipairs({ "string.dump", "string.gfind", "string.pack", "math.randomfoo", "table.setn", "coroutine.kill", "coroutine.close" }) do
    local library, name = path:match("(%a+)%.(%a+)")
    local ok, v = pcall(function() return _G[library][name] end)
    assert(not ok or v == nil, path)
  end
  return context("held")
end)
