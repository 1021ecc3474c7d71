-- title: objects with inheritance, operators and their own text
-- event: pre_tool_call
-- want: {"data": {"total": "30.00 EUR", "less": true, "equal": true, "kind": "Money", "sum": 30}}
local Base = {}
Base.__index = Base
function Base:kind() return self.name or "Base" end
local Money = setmetatable({ name = "Money" }, { __index = Base })
Money.__index = Money
Money.__add = function(a, b) return Money.new(a.cents + b.cents) end
Money.__eq = function(a, b) return a.cents == b.cents end
Money.__lt = function(a, b) return a.cents < b.cents end
Money.__tostring = function(m) return string.format("%.2f EUR", m.cents / 100) end
function Money.new(cents) return setmetatable({ cents = cents }, Money) end
on("pre_tool_call", function()
  local total = Money.new(0)
  for _ = 1, 300 do total = total + Money.new(10) end
  return { data = { total = tostring(total), less = Money.new(1) < total, equal = Money.new(3000) == total, kind = total:kind(), sum = total.cents / 100 } }
end)
