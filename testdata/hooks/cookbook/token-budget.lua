-- Warns when a session has used most of its tokens, and ends it when they are used up.
--
-- For agents that report what a model call has used. The built-in cost-tracker also knows prices, days and months.
local BUDGET, WARN = 2000000, 0.8

on("post_model_call", function(ev)
  if ev.usage then
    store.session.incr("tokens", ev.usage.input_tokens + ev.usage.output_tokens)
  end
end)

on({ "pre_prompt", "pre_model_call" }, function()
  local used = store.session.get("tokens") or 0
  if used >= BUDGET then
    return halt(("this session has used its %d tokens: begin a new one"):format(BUDGET))
  elseif used >= WARN * BUDGET and store.session.incr("warned") == 1 then
    return message(("this session has used %d of its %d tokens"):format(used, BUDGET))
  end
end)
