-- What can't be read: nobody can say what it does before it runs.

return { class = "unknown", title = "What can't be understood", rules = {
  {
    id = "unknown.syntax",
    severity = "medium",
    on = "line",
    looks_at = "line.error",
    when = function(line)
      return line.error
    end,
    reason = "This command can't be understood as shell ({detail}).",
    advice = "Quote it so that bash would take it.",
    suggestion = "echo 'no end'",
    blocked = { "echo 'no end", "if true; then ls" },
    passes = { "echo 'an end'", "if true; then ls; fi" },
  },
  {
    id = "unknown.complex",
    severity = "medium",
    on = "line",
    looks_at = "line.too_complex",
    when = function(line)
      return line.too_complex
    end,
    reason = "This command is too long or too deeply nested to be understood.",
    advice = "Split it up.",
    suggestion = "ls",
    blocked = { "for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do echo $a$b$c; done; done; done" },
    passes = { "for a in {1..100}; do echo $a; done" },
  },
} }
