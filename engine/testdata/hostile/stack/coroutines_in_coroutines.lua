-- title: every coroutine resumes a new one
-- expect: limit or error
on("pre_tool_call", function()
  local function down()
    local ok, why = coroutine.resume(coroutine.create(down))
    if not ok then error(why, 0) end
  end
  down()
end)
