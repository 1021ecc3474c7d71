-- Takes secrets out of a tool's result before it is stored, and shortens it.
on("tool_result_persist", { name = "filter-result" }, function(ev)
  local result = ev.tool_call.output
  if type(result) ~= "string" then
    return
  end
  local clean = re.replace(result, [[sk-[A-Za-z0-9]{20,}]], "[REDACTED-SECRET]")
  clean = re.replace(clean, [[\b\d{3}-\d{2}-\d{4}\b]], "[SSN]")
  clean = text.truncate(clean, 2000, "... [cut]")
  if clean ~= result then
    return output(clean)
  end
end)
