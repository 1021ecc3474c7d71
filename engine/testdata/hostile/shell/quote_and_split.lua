-- title: quoting what is quoted, and splitting it again
-- expect: limit or error
on("pre_tool_call", function()
  local s = "it's"
  while true do
    s = shell.quote(s, s)
    shell.split(s)
  end
end)
