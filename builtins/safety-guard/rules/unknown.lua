-- Commands that can't be read: nobody can say what they do before they run.

-- Letters of rm's options, which make an rm -rf of any file with such a name.
local LETTERS = patterns.later("^-[dfiIPrRvWx]+$")
local BLANKS = patterns.later([[\$\{?IFS\b]])

local function like_rm(cmd)
  if not cmd.name_dynamic or cmd.remote then
    return nil
  end
  local recursive = BLANKS:match(cmd.path) -- it hides blanks, and so the options
  local force = recursive
  for _, argument in ipairs(cmd.args) do
    local letters = LETTERS:match(argument) and argument or ""
    recursive = recursive or argument == "--recursive" or letters:lower():find("r", 1, true)
    force = force or argument == "--force" or letters:find("f", 1, true)
  end
  return recursive and force and cmd.path
end

-- A program by a pattern: in a folder from the root or a home folder on, or by a name alone.
local PATTERN = patterns.later([=[^([/~][\w/.@+~*?\[\]!-]*[*?\[][\w/.@+*?\[\]!-]*|[\w.+-]*[*?\[][\w.+*?\[\]!-]*)$]=])

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
  {
    id = "unknown.deletion",
    severity = "medium",
    programs = { "?" },
    looks_at = "cmd.name_dynamic, cmd.args",
    when = like_rm,
    reason = "This may be an rm -rf: the program that {detail} stands for can't be known before it runs.",
    advice = "Write the command out.",
    suggestion = "rm build/app.o build/main.o",
    blocked = { "$TOOL -rf x", "${R:-rm} -r --force build" },
    passes = { "TOOL=ls; $TOOL -rf x", "$CC -framework x -r y", "$EDITOR file" },
  },
  {
    id = "unknown.pattern",
    severity = "medium",
    programs = { "?" },
    looks_at = "cmd.path: a pattern for a program in a folder of programs outside of the working folder",
    when = function(cmd, scene)
      local name = cmd.path
      if not PATTERN:match(name) or not scene.cwd then
        return nil
      end
      local full = name:sub(1, 1) == "~" and name or cmd.dir and path.abs(name, cmd.dir) or name
      return full:find("bin/", 1, true) and not path.inside(scene.cwd, full) and (path.is_abs(full) or full:sub(1, 1) == "~") and name
    end,
    reason = "Which program {detail} starts can't be known before it runs.",
    advice = "Write its name out.",
    suggestion = "ls /usr/local/bin",
    blocked = { "/usr/local/bin/* off", "/usr/local/sbin/q*z now", "cd /usr/local/bin && l* off" },
    passes = { "git commit -m \"all of `/v1/*`\"", "./scripts/*.sh", "build/*/app --version", "/bin/ls *" },
  },
  {
    id = "unknown.handed-over",
    severity = "medium",
    needs = { "hands_on" },
    looks_at = "cmd.args, cmd.redirects: a command that a program is handed",
    when = function(cmd)
      return rawget(cmd, "hands_on")
    end,
    reason = "This hands a program a command that would be stopped ({detail}), and it can't be known what the program does with it.",
    advice = "Run what you mean as a command of its own, or say which file has it.",
    suggestion = "cat notes.md",
    blocked = { "sometool rm -rf /", "sometool <<'EOF'\ngit reset --hard\nEOF", "./cat <<'EOF'\nrm -rf /\nEOF" },
    passes = { "sometool rm -rf build", "cat <<'EOF'\nrm -rf /\nEOF", "sometool comment 'rm -rf / is refused'" },
  },
  {
    id = "unknown.quoted-line",
    severity = "medium",
    needs = { "blank" },
    looks_at = "cmd.path: blanks in it",
    when = function(cmd)
      return cmd.path:find(" -", 1, true) and not cmd.name_dynamic and cmd.path:match("^[^%s/]+%s") and cmd.path
    end,
    reason = "{detail} is quoted as a whole, so that all of it is the name of a program.",
    advice = "Leave out the quotes.",
    suggestion = "ls -l",
    blocked = { "'ls -l build'" },
    passes = { "ls -l build", "'./my tool' -l build", "echo 'ls -l build'" },
  },
} }
