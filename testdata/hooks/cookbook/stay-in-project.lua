-- Refuses to write, move or delete files outside of the project.
--
-- Temporary files are free. What a script or a program writes of its own accord isn't seen; a sandbox is for that.
--
-- denies: echo "alias ll='ls -l'" >> ~/.bashrc
-- denies: cd / && rm -rf srv/other
-- denies: sudo cp app.service /etc/systemd/system/
-- denies: echo x > /*/passwd
-- asks: cp report.txt "$TARGET"
-- passes: cat /etc/hosts
-- passes: rm /tmp/*.log build/*
-- passes: make > /tmp/make.log 2>/dev/null
-- passes: git commit -m "write to /etc"
local FREE = "/tmp/**|/var/tmp/**|/dev/{null,stdout,stderr,tty}"

-- What a call would change: a list of tables with a path, and what is known of it.
local function changed_by(ev)
  local files = {}
  if ev.tool_call.kind ~= "shell" then
    for i, name in ipairs(ev.tool_call.files) do
      files[i] = { path = name }
    end
    return files
  end
  for _, cmd in ipairs(shell.parse(ev.tool_call.command, { cwd = ev.cwd }).commands) do
    for _, file in ipairs(cmd:files("write", "delete")) do
      if file.reach and cmd.parent and cmd.parent.name == "find" then -- what find finds is below its folders
        for _, name in ipairs(file.reach) do
          files[#files + 1] = { path = name }
        end
      else
        files[#files + 1] = file
      end
    end
  end
  return files
end

-- Whether a file may be changed: true, false, or nil if that can't be known.
local function free(root, file)
  if file.temporary then -- such as what mktemp has made
    return true
  end
  local place = file.path
  if file.dynamic then -- of "src/$NAME" it is known that it lies under src
    if file.under == "" then
      return nil
    end
    place = file.under
  elseif file.glob then -- a pattern stands for files of the folder before it
    place = (place:match("^[^*?%[(]*/") or "") .. "x"
  end
  return path.inside(root, place) or path.match(FREE, place)
end

on("pre_tool_call", { match = { kind = "write|edit|shell" } }, function(ev)
  local unknown
  for _, file in ipairs(changed_by(ev)) do
    local is_free = free(ev.root, file)
    if is_free == false then
      return deny(file.path .. " is outside of the project: ask the user to change it")
    elseif is_free == nil then
      unknown = file.path
    end
  end
  if unknown then
    return ask("whether " .. unknown .. " is in the project can't be known before it runs")
  end
end)
