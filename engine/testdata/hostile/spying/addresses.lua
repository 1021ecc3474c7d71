-- title: no text shows where a value lies in the process
-- expect: ok
on("pre_tool_call", function(ev)
  local texts, shown = 0, 0
  local co = coroutine.create(function() end)
  local function hidden(s)
    texts = texts + 1
    if tostring(s):find(ev.metadata.heap, 1, true) then shown = shown + 1 end
  end
  for _, v in ipairs({ {}, print, function() end, co, string, _G, ev, json.null, deny("x"), re.compile("a"), shell.parse("ls"), shell.parse("ls").commands[1], time.now }) do
    hidden(v)
    hidden(string.format("%s", v))
    hidden(select(2, pcall(error, v)))
    for _, f in ipairs({ string.rep, table.concat, json.encode, json.decode, re.match, shell.parse, setmetatable, require, on, deny, modify, error, unpack, next, ipairs, tonumber, log.info, hash.md5, coroutine.wrap, coroutine.resume }) do
      hidden(select(2, pcall(f, v)))
      hidden(select(2, pcall(f, "x", v)))
    end
    hidden(select(2, pcall(function() return v + 1 end)))
    hidden(select(2, pcall(function() return v < 1 end)))
    hidden(select(2, pcall(function() return v .. "x" end)))
    hidden(select(2, pcall(function() return { [v] = 1 } == v.x.y.z end)))
    hidden(select(2, pcall(function() v() end)))
  end
  assert(texts > 500 and shown < 3, shown .. " of " .. texts .. " texts show an address") -- one may by chance
  return context("held")
end)
