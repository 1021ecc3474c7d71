-- title: patterns to keep, of a list that was a million long
-- expect: error or limit
on("pre_tool_call", function()
  local keep, p = {}, re.compile("x")
  for i = 1, 20000 do keep[i] = p end
  for n = 4e5, 12e5, 4e5 do keep[n] = 1 keep[n] = nil end
  redact.text("--password hunter2", { keep = keep })
end)
