-- Reports the end of a run: a summary, or an alert where it failed.
on("run_end", { name = "run-report" }, function(ev)
  if ev.success then
    local names = {}
    for name in pairs(ev.outputs or {}) do
      names[#names + 1] = name
    end
    table.sort(names)
    return message(("%s finished in %.1f s: %s"):format(ev.program_name, ev.duration or 0, table.concat(names, ", ")))
  end
  log.error(("ALERT: %s failed: %s"):format(ev.program_name, ev.error and ev.error.message or "no error given"))
  return message(("ALERT: %s failed"):format(ev.program_name))
end)
