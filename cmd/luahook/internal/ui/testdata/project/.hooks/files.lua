-- Migrations that are committed stay as they are.
on("pre_tool_call", { name = "migrations", match = { kind = "edit", path = "db/migrations/**" } }, function(ev)
  return deny("a migration that has run isn't edited; add a new one after " .. ev.tool_call.paths[1])
end)

-- Exports hold customers' names: an agent that opens one has lost its way.
on("pre_tool_call", { name = "customer-data", match = { file = "exports/customers*" } }, function()
  return deny("exports of customers are not for agents"), halt("customer data: a person has to look at this session")
end)
