-- Bounds what is remembered: the oldest entries of growing tables are dropped.

local newest = {}

-- keep drops the oldest entries of a table that has more than most; at returns the time of an entry, a number.
function newest.keep(entries, most, at)
  local keys = {}
  for key in pairs(entries) do
    keys[#keys + 1] = key
  end
  if #keys <= most then
    return
  end
  table.sort(keys, function(a, b)
    return at(entries[a]) > at(entries[b])
  end)
  for i = most + 1, #keys do
    entries[keys[i]] = nil
  end
end

return newest
