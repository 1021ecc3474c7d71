-- What is rented elsewhere: machines, storage, databases, and who may use them.

local rules = {}
for _, name in ipairs({ "aws", "clouds", "buckets", "hosting", "online" }) do
  for _, rule in ipairs(require("packs.cloud_" .. name)) do
    rule.remote = true -- what is deleted is the same, wherever from
    rules[#rules + 1] = rule
  end
end

return { class = "cloud", title = "Clouds", rules = rules }
