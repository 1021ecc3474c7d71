on("pre_tool_call", { match = "bash" }, function(ev) --+
  local sum = 0 --+
  for i = 1, 3 do --+
    if i == 2 then --+
      goto continue --+
    end
    sum = sum + i --+
    ::continue::
  end
  while sum > 100 do --+
    sum = sum - 1 --!
  end
  repeat
    sum = sum + 1 --+
    if sum > 1000 then --+
      break --!
    end
  until sum > 6 --+
  for _, word in ipairs({}) do --+
    print(word) --!
  end
  for word in ("a b"):gmatch("%a") do --+
    sum = sum + #word --+
  end
  do
    local text = --[[ which
    is short ]] "a" --+
    text = text .. sum --+
  end
  while true do
    if sum > 0 then break end --+
    sum = 1 --!
  end
  return nil --+
end)
