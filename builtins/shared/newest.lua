-- Bounds of what is remembered: of tables that grow, the oldest entries go.

local newest = {}

-- keep leaves most entries of a table in it, the newest; at gives when one of them was, a
-- number.
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
