-- title: many chains of cases, each as long as it may be
-- expect: any
on("pre_tool_call", function()
  local a = 1
  {{repeat 100 "if a == 'x' then elseif a == 'b' then elseif a == 'c' then elseif a == 'd' then elseif a == 'e' then elseif a == 'f' then elseif a == 'g' then elseif a == 'h' then elseif a == 'i' then elseif a == 'j' then elseif a == 'k' then elseif a == 'l' then elseif a == 'm' then elseif a == 'n' then elseif a == 'o' then elseif a == 'p' then elseif a == 'q' then elseif a == 'r' then elseif a == 's' then elseif a == 't' then end\n"}}
  return context("held")
end)
