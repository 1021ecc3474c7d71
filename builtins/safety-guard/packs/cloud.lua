-- Rented resources: machines, storage, databases, and the access to them.

local rules = {}
for _, name in ipairs({ "aws", "clouds", "buckets", "hosting", "online", "api", "services" }) do
  for _, rule in ipairs(require("packs.cloud_" .. name)) do
    rule.remote = true -- the deleted resource is the same from any machine
    rules[#rules + 1] = rule
  end
end

return { class = "cloud", title = "Clouds", rules = rules }
