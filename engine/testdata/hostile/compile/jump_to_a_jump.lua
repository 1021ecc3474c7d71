-- title: loops that begin with a jump, which the compiler follows too far
-- expect: ok
on("pre_tool_call", function()
  local log = ""
  local function say(s) log = log .. s end
  for i = 1, 3 do
    for _ in pairs({ 1 }) do break end
    say(i)
  end
  for i = 1, 3 do
    for _ in function() return 1 end do break end
  end
  while true do
    for _ in pairs({ 1 }) do break end
    while true do break end
    say("w")
    break
  end
  for i in ipairs({ 1, 2 }) do
    goto continue
    say("never")
    ::continue::
    repeat break until false
  end
  for _ in pairs({ 1 }) do
    if true then break end
  end
  for _ = 1, 2 do
    for _ in pairs({ 1, 2 }) do
      do goto out end
    end
    ::out::
    say("o")
  end
  assert(log == "123woo", log)
  return context("held")
end)
