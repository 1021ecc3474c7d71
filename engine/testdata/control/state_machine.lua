-- title: a parser of key = value text with sections
-- event: pre_tool_call
-- want: {"data": {"sections": 200, "host": "db7.example.org", "errors": 0, "port": 5432}}
on("pre_tool_call", function()
  local lines = {}
  for i = 1, 200 do lines[#lines + 1] = "[section" .. i .. "]\nhost = db" .. i .. ".example.org ; a comment\nport=" .. 5425 + i .. "\n\n# done" end
  local config, current, errors, sections = {}, nil, 0, 0
  for line in (table.concat(lines, "\n") .. "\n"):gmatch("(.-)\n") do
    line = text.trim((line:gsub("[;#].*$", "")))
    local section = line:match("^%[(%w+)%]$")
    local key, value = line:match("^(%w+)%s*=%s*(.-)$")
    if section then
      current = {}
      config[section], sections = current, sections + 1
    elseif key then
      current[key] = tonumber(value) or value
    elseif line ~= "" then
      errors = errors + 1
    end
  end
  return { data = { sections = sections, host = config.section7.host, port = config.section7.port, errors = errors } }
end)
