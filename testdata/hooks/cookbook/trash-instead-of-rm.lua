-- Refuses to delete files, and gives the command that moves them to the trash.
--
-- "trash" is a command of macOS, and of trash-cli on Linux; if yours has another name, put it there. Temporary files
-- may be deleted. What git has can be brought back, so "git rm" is free.
--
-- denies: rm notes.txt
-- denies: cd web && sudo rm -rf dist
-- denies: find . -name '*.orig' -delete
-- passes: git rm --cached notes.txt
-- passes: docker exec app rm -f /run/app.pid
-- passes: git commit -m "rm -rf build"
local TRASH = "trash"
local DELETES = { rm = true, unlink = true, shred = true }

on("pre_tool_call", { match = { kind = "shell" } }, function(ev)
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    local names = {}
    for _, file in ipairs(DELETES[cmd.name] and cmd:files("delete") or {}) do
      local temporary = file.temporary or path.inside("/tmp", file.path) and not path.inside(ev.root, file.path)
      if not temporary then
        local as_written = file.dynamic or file.glob or file.home -- "$NAME", "*.orig" and "~" mean nothing in quotes
        local found = cmd.parent and cmd.parent.name == "find" -- "-delete", as "-exec trash {} +"
        names[#names + 1] = found and "{}" or as_written and file.path or shell.quote(file.path)
      end
    end
    if #names > 0 then
      return deny(("files are moved to the trash here, not deleted: %s %s"):format(TRASH, table.concat(names, " ")))
    end
  end
end)
