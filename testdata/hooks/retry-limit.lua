-- Gives up after the second retry.
on("on_retry", { name = "retry-limit" }, function(ev)
  print(("[retry] %s attempt %d/%d"):format(ev.tool_name or "step", ev.attempt, ev.max_retries))
  if ev.attempt > 2 then
    return deny("Too many retries")
  end
end)
