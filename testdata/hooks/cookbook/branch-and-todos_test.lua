only("branch-and-todos.lua")

local function told()
  return fire("pre_prompt", { prompt = "go on" }).new_context
end

test("the branch and what has changed", function()
  local changed = { { path = "a.go", index = " ", worktree = "M" }, { path = "b.go", index = "?", worktree = "?" } }
  fake.git{ branch = "totals", status = changed }
  expect(told()):is("Branch: totals, 2 files differ from the last commit")
end)

test("a repository that takes too long to look at", function()
  fake.git{ branch = "totals", status = function() return nil, "timeout" end }
  expect(told()):is("Branch: totals")
end)

test("open items, not those that are done", function()
  fake.git(false)
  project.write("TODO.md", "# To do\n- [ ] round the totals\n- [x] parse the file\n  * [ ] half to even\nwrite [ ] here\n")
  expect(told()):is("Open in TODO.md: round the totals\nOpen in TODO.md: half to even")
end)

test("no more than ten", function()
  fake.git(false)
  project.write("TODO.md", ("- [ ] more\n"):rep(12))
  expect(told()):contains("TODO.md has 2 more.")
  expect(#text.lines(told())):is(11)
end)

test("a long item is cut", function()
  fake.git(false)
  project.write("TODO.md", "- [ ] " .. ("x"):rep(5000) .. "\n")
  expect(#told() < 300):is(true)
end)

test("nothing to tell", function()
  fake.git(false)
  expect(told()):is(nil)
  project.write("TODO.md", "- [x] all done\n")
  expect(told()):is(nil)
end)

test("a detached head has no branch", function()
  fake.git{ branch = function() return nil, "no branch is checked out" end }
  expect(told()):is(nil)
end)
