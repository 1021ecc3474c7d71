-- Records every error with what was going on.
on("on_error", { name = "record-errors" }, function(ev)
  local record = {
    error = ev.error.message,
    kind = ev.error.kind or "unknown",
    retry = ev.error.is_retryable,
    session = ev.session_id,
    issue = ev.issue_id,
    tool = ev.tool_call and ev.tool_call.name,
    context = ev.metadata,
  }
  log.error("agent error", record)
  return { data = { recorded = record } }
end)
