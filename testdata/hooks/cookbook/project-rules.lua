-- Tells the agent the project's rules when a session starts, and again after a compaction.
local RULES = [[
Rules of this project:
- Use pnpm, not npm. Run "pnpm test" before each commit.
- Errors are wrapped with what was tried. No panics.
- Ask before you change the database's schema.]]

-- Some agents say that a session starts, also after a compaction.
on("session_start", { match = "startup|clear|compact" }, function()
  store.session.set("told", true)
  return context(RULES)
end)

-- Others only say that the conversation is compacted. The rules come with the next prompt then.
on({ "pre_compact", "post_compact" }, function()
  store.session.delete("told")
end)

on("pre_prompt", function()
  if not store.session.get("told") then
    store.session.set("told", true)
    return context(RULES)
  end
end)
