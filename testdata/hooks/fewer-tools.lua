-- Offers small models fewer tools, and nobody the ones that delete.
on("pre_tool_selection", { name = "fewer-tools" }, function(ev)
  local kept = {}
  for _, tool in ipairs(ev.tools) do
    local name = type(tool) == "table" and tool.name or tool
    if not name:lower():find("delete", 1, true) and not (text.starts_with(ev.model or "", "small-") and #kept == 3) then
      kept[#kept + 1] = tool
    end
  end
  if #kept < #ev.tools then
    return modify{ tools = kept }
  end
end)
