-- Which agents have got the page: each agent of a session has a key, which is deleted when its conversation is
-- compacted. If the store can't be reached the agent gets the page again.

local session = {}

local TOLD, COMPACTING = "told:", "compacting"

local function key(ev)
  return TOLD .. hash.sha256(ev.agent_id or ""):sub(1, 16)
end

-- knows reports whether this agent has got the page.
function session.knows(ev)
  local ok, told = pcall(store.session.get, key(ev))
  return ok and told == true
end

-- remember notes that this agent has got the page, and returns the error if that fails.
function session.remember(ev)
  local ok, problem = pcall(store.session.set, key(ev), true)
  return not ok and tostring(problem) or nil
end

local function forget_all()
  for _, told in ipairs(store.session.list(TOLD)) do
    store.session.delete(told)
  end
end

-- quietly runs f if there is a session, and logs an error, which is no reason to stop anything.
local function quietly(ev, f)
  if not ev.session_id then
    return
  end
  local ok, problem = pcall(f)
  if not ok then
    log.warn("context-injector: the agent may not be told again of the project", { problem = tostring(problem) })
  end
end

function session.forget(ev)
  quietly(ev, forget_all)
end

-- Hosts report before a compaction, or after, or both. Some restart the session in between, and the page that
-- was given then must not be forgotten.
function session.before_compaction(ev)
  quietly(ev, function()
    forget_all()
    store.session.set(COMPACTING, true, { ttl = "10m" })
  end)
end

function session.after_compaction(ev)
  quietly(ev, function()
    if store.session.get(COMPACTING) then
      store.session.delete(COMPACTING)
    else
      forget_all()
    end
  end)
end

return session
