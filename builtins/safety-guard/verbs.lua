-- Programs whose operands end with a verb: "compute instances delete web".


local verbs = {}

-- Words after which only names follow: nothing is changed.
local READS = patterns.later([[^(list|ls|show|describe|get|view|info|status|exists|cat|help|version|search|read|wait|create|update|download|tail|submit|validate)(-\S+)?$]])

-- pattern compiles a list of verbs as a regular expression, "delete|purge|remove-\S+".
function verbs.pattern(list)
  return patterns.later("^(?:" .. list .. ")$")
end

-- idle reports whether a call only shows help, or what it would do.
function verbs.idle(cmd)
  local operands = cmd:operands()
  return cmd:flag("--help", "--dry-run", "--dryrun", "--generate-cli-skeleton") ~= false
    or operands[1] == "help" or operands[#operands] == "help" or cmd.args[#cmd.args] == "-h"
end

-- find returns the words of a call up to the first such verb: "group delete". Calls whose first word is in
-- local_groups concern only the program itself and are ignored.
function verbs.find(cmd, pattern, local_groups)
  local operands = cmd:operands()
  if local_groups and local_groups[operands[1]] then
    return nil
  end
  for i, word in ipairs(operands) do
    if i > 7 or READS:match(word) and not (i == 1 and cmd.name == "az") then -- "az search" is a service
      return nil
    elseif pattern:match(word) then
      return not verbs.idle(cmd) and table.concat(operands, " ", 1, i) or nil
    end
  end
end

-- is_empty reports whether a folder has the name of one that is made to have nothing in it.
function verbs.is_empty(folder)
  return type(folder) == "string" and re.match(folder, [[(^|/)\.?empty[\w.-]*/?$]])
end

-- behind returns the operands as one text without those that may be the value of an option before them, which is not
-- known of a program's options: "-c x downgrade base". It returns nil where there are none.
function verbs.behind(cmd)
  local words, left = {}, false
  local args = cmd.args
  for i, word in ipairs(args) do
    local before = args[i - 1] or ""
    if word:sub(1, 1) == "-" then
      -- an option
    elseif before:sub(1, 1) == "-" and before ~= "--" and not before:find("=", 1, true) then
      left = true
    else
      words[#words + 1] = word
    end
  end
  return left and table.concat(words, " ") or nil
end

-- The last aws call that service read: several rules ask about the same one.
local read = {}

-- service returns "service verb" of an aws call, the verb and the service; nil if it only shows something.
function verbs.service(cmd)
  if read.cmd ~= cmd then
    local operands = cmd:operands()
    read = { cmd = cmd }
    if operands[2] and not verbs.idle(cmd) then
      read.call, read.verb, read.service = operands[1] .. " " .. operands[2], operands[2], operands[1]
    end
  end
  return read.call, read.verb, read.service
end

return verbs
