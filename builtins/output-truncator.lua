-- output-truncator: shortens long outputs of tools to what matters, and keeps the full text available.

local options = require("options").read((...))
local texts = require("texts")
local lists = require("lists")
local fulltext = require("fulltext")

-- A text is left alone if less than this would be left of it.
local LEAST_BYTES, LEAST_LINES = 300, 5

-- The most bytes that are squeezed before they are cut, because squeezing rewrites them.
local LARGE = 8 * 1024 * 1024

-- A larger text isn't searched for snippets: that would take a hook's whole time.
local HUGE = 4 * LARGE

-- A text with a marker that is only a little too long was shortened before the event, and has grown since.
local MARKER = patterns.later([=[\[\.\.\. [0-9,]+ (?:lines?|bytes) .*cut.* \.\.\.\]]=])
local SLACK = 1.1

-- Editing tools answer with tables of what the host shows to the user.
local function is_bookkeeping(call)
  return type(call.output) == "table" and (call.kind == "edit" or call.kind == "write")
end

-- The sizes of the texts, each and together.
local function measure(found)
  local bytes, lines = 0, 0
  for _, place in ipairs(found) do
    place.bytes, place.lines = #place.text, text.count_lines(place.text)
    bytes, lines = bytes + place.bytes, lines + place.lines
  end
  return bytes, lines
end

local function was_shortened(found, bytes, lines, limits)
  if bytes > limits.max_bytes * SLACK or lines > limits.max_lines * SLACK then
    return false
  end
  for _, place in ipairs(found) do
    if MARKER:match(place.text) then
      return true
    end
  end
  return false
end

-- Squeezes the texts, and counts what that drops.
local function squeeze(found)
  local counts = { escapes = 0, overwritten = 0, repeated = 0 }
  local room = LARGE
  for _, place in ipairs(found) do
    if options.squeeze and place.bytes >= LEAST_BYTES and place.bytes <= room then
      room = room - place.bytes
      local left_out
      place.text, left_out = text.squeeze_report(place.text)
      for what, n in pairs(left_out) do
        counts[what] = counts[what] + n
      end
    end
  end
  return counts
end

-- The texts that get less space than they would take.
local function too_long(found, limits)
  local bytes = texts.shares(found, "bytes", limits.max_bytes)
  local lines = texts.shares(found, "lines", limits.max_lines)
  local list = {}
  local spare = limits.max_lines
  for _, place in ipairs(found) do
    place.room = { bytes = math.max(bytes[place], LEAST_BYTES), lines = math.max(lines[place], LEAST_LINES) }
    spare = spare - lines[place]
    if place.bytes > place.room.bytes or place.lines > place.room.lines then
      list[#list + 1] = place
    end
  end
  for _, place in ipairs(list) do -- when a text of few long lines is cut it gets more lines
    place.room.lines = place.room.lines + math.floor(spare / #list)
  end
  return list
end

-- Shortens lists with so many texts that no space for each is left.
local function thin_lists(found, whole, limits, bytes)
  if #found * LEAST_BYTES <= limits.max_bytes and #found * LEAST_LINES <= limits.max_lines then
    return whole.output, 0
  end
  return lists.shorten(whole.output, limits, bytes)
end

-- The snippets that text.excerpt keeps between the beginning and the end.
local function snippets_of(limits, call)
  local wanted = {}
  if #options.keep > 0 then
    wanted[1] = { name = "keep", patterns = options.keep }
  end
  local names = options.snippets_of(limits, call)
  for _, group in ipairs(#names > 0 and require("keysnippets") or {}) do
    for _, name in ipairs(names) do
      if name == group.name then
        wanted[#wanted + 1] = group
      end
    end
  end
  return text.snippets(wanted)
end

-- Adds what was cut of one text to the summary of all.
local function add_up(summary, info)
  summary.cut_bytes = summary.cut_bytes + info.cut_bytes
  summary.cut_lines = summary.cut_lines + info.cut_lines
  for i, group in ipairs(info.snippets) do
    local sum = summary.snippets[i] or { name = group.name, found = 0, kept = 0 }
    sum.found, sum.kept = sum.found + group.found, sum.kept + group.kept
    summary.snippets[i] = sum
  end
end

local function cut(long, limits, call, note, summary)
  local snippets = #long > 0 and summary.bytes <= HUGE and snippets_of(limits, call) or nil
  for _, place in ipairs(long) do
    local short, info = text.excerpt_report(place.text, {
      bytes = place.room.bytes,
      lines = place.room.lines,
      head = limits.head,
      tail = limits.tail,
      snippets = snippets,
      note = note,
    })
    if short then
      place.text = short
      add_up(summary, info)
    end
  end
end

-- note adds a note to the issue that the agent works on. If the tracker refuses, the output isn't lost.
local function note(ev, summary)
  local id = ev.issue_id
  if not options.note or not id or text.trim(id) == "" or #id > 200 then
    return
  end
  local lines = { ("output-truncator: an output of %s was shortened from %d bytes to %d (%d lines before)."):format(text.truncate(summary.tool, 100), summary.bytes, summary.left_bytes, summary.lines) }
  if summary.path then
    lines[2] = "The full text is in " .. summary.path
  elseif summary.problem then
    lines[2] = "The full text could not be kept: " .. text.truncate(summary.problem, 300)
  end
  local ok, done, problem = pcall(tasks.comment, id, redact.text(table.concat(lines, "\n")))
  if ok and done then
    summary.noted = true
  else
    summary.not_noted = text.truncate(tostring(ok and problem or done), 300)
  end
end

local function shorten(ev)
  local call = ev.tool_call
  local limits = call and options.of(call)
  if not limits or is_bookkeeping(call) then
    return
  end
  local found, whole = texts.of(call.output)
  local bytes, lines = measure(found)
  if (bytes <= limits.max_bytes and lines <= limits.max_lines) or was_shortened(found, bytes, lines, limits) then
    return
  end

  local summary = { tool = call.name, bytes = bytes, lines = lines, cut_bytes = 0, cut_lines = 0, snippets = json.array() }
  local full = found
  whole.output, summary.cut_items = thin_lists(found, whole, limits, bytes)
  if summary.cut_items > 0 then
    found, whole = texts.of(whole.output)
    measure(found)
  end
  summary.squeezed = squeeze(found)
  bytes, lines = measure(found)
  local long = too_long(found, limits)
  local changed = summary.cut_items > 0 and full or texts.changed(found, long)
  if options.spill and #changed > 0 then
    summary.path, summary.problem = fulltext.keep(changed, call.name)
  end
  cut(long, limits, call, fulltext.note(summary), summary)
  if summary.cut_bytes == 0 then
    fulltext.mention(changed[#changed], summary, limits.max_bytes - bytes, limits.max_lines - lines)
  end
  if not texts.put(found) and summary.cut_items == 0 then
    return
  end
  summary.left_bytes = measure(found)
  note(ev, summary)
  return output(whole.output), { data = { truncated = summary } }
end

-- An output that can't be shortened is better than none.
local patience = options.note and "10s" or nil -- trackers take their time
on("post_tool_call", { on_failure = "warn", timeout = patience }, shorten)
on("tool_result_persist", { on_failure = "warn", timeout = patience }, shorten)
