-- Wants something else each time. That ends nevertheless, because luahook keeps an agent going three times at most.
on("stop", function(ev)
  return deny("that isn't enough, because it was: " .. ev.response)
end)
