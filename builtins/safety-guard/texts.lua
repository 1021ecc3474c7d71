-- What the commands of a line write into a file, as far as they say it themselves.

local texts = {}

local MANY, LONG = 200, 20000
local PRINTS = rules.set("echo printf")

-- The path of a file as a command names it, from the root on where that's known.
local function full(cmd, name)
  return path.clean(cmd.dir and not path.is_abs(name) and name:sub(1, 1) ~= "~" and path.join(cmd.dir, name) or name)
end

-- What a command prints or passes on: the words of echo and printf, else its input.
local function printed(cmd)
  if PRINTS[cmd.name or ""] then
    return (table.concat(cmd.args, " "):gsub("\\n", "\n"))
  end
  return cmd.input and cmd.input.text or ""
end

-- of lists the texts that the commands before one write into the file that it names.
function texts.of(cmd, name, scene)
  local list, commands = {}, scene.commands or {}
  local target = full(cmd, name)
  for i = 1, #commands <= MANY and #commands or 0 do
    local other = commands[i]
    if rawequal(other, cmd) then
      break
    end
    local body = printed(other)
    for _, file in ipairs(body ~= "" and #body <= LONG and other:files("write") or {}) do
      if full(other, file.path) == target then
        list[#list + 1] = body
      end
    end
  end
  return list
end

return texts
