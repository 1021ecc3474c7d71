-- Reminds the agent of the project's rules, again after the context was compacted.
on("session_start", { name = "project-rules", match = "startup|compact" }, function(ev)
  return context("Use bun, not npm. Run `bun test` before each commit.")
end)
