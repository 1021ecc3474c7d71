local words = require("words")

local count = 0 -- of one event alone, as each is a process of its own

local RUN = {}

function RUN.npm(ev)
  local r, problem = exec.run("npm", { "test", "-q" }, { stdin = "in", env = { CI = "1" } })
  return ask(problem or ("%s|%s|%d"):format(r.stdout, r.stderr, r.code))
end

function RUN.make()
  return deny(exec.run("make").stdout)
end

function RUN.http()
  local r, problem = http.post("https://example.com/log", "body", { headers = { ["X-A"] = "b" } })
  return deny(problem or r.status .. " " .. r.body .. " " .. (r.headers["x-b"] or "none"))
end

function RUN.git()
  local head, problem = git.head()
  return deny(json.encode({ branch = git.branch(), changed = git.changed(), tracked = git.tracked("src"), head = head or problem }))
end

function RUN.branch()
  local branch, problem = git.branch()
  return deny(branch or problem)
end

function RUN.count()
  count = count + 1
  return deny(("%d %d %d"):format(count, store.incr("n"), store.session.incr("n")))
end

function RUN.keep()
  store.set("short", "x", { ttl = "1m" })
end

function RUN.kept()
  return deny(store.get("short") or "gone")
end

function RUN.time()
  return deny(time.iso())
end

function RUN.file()
  fs.write("made.txt", fs.read("given.txt") .. "!")
end

function RUN.task()
  return deny(assert(tasks.create({ title = "a task" })).title)
end

function RUN.print()
  print("printed by the hook")
end

on("pre_tool_call", { match = "bash" }, function(ev)
  local run = RUN[words.first(ev.tool_call.command)]
  return run and run(ev)
end)

on("pre_tool_call", { match = "write", name = "env" }, function(ev)
  if ev.tool_call.input.path == ".env" then
    return deny("no secrets")
  end
  return modify({ content = "changed" })
end)

on("post_tool_call", { mode = "async" }, function(ev)
  store.set("seen", ev.tool_call.command)
end)

on("pre_prompt", function(ev)
  if ev.prompt == "fail" then
    error("no luck")
  end
  return context("You said " .. ev.prompt)
end)
