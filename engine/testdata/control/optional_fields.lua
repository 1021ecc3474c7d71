-- title: protected calls around what may be missing
-- event: pre_tool_call
-- want: {"data": {"missing": 3, "found": "go test ./...", "kept": 4}}
on("pre_tool_call", function(ev)
  local missing, kept = 0, 0
  local function try(f)
    local ok, value = pcall(f)
    kept = kept + 1
    if not ok then missing = missing + 1 end
    return ok and value or nil
  end
  local found = try(function() return ev.tool_call.input.command end)
  try(function() return ev.tool_call.input.options.verbose end)
  try(function() return ev.no_such_field end)
  try(function() return json.decode("{broken") end)
  return { data = { missing = missing, found = found, kept = kept } }
end)
