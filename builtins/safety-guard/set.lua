-- A set of words, from a text that lists them.

return function(words)
  local members = {}
  for word in words:gmatch("%S+") do
    members[word] = true
  end
  return members
end
