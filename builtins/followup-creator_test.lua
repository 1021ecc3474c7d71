-- What followup-creator does with what it finds; the sentences have a table of their own.

local function texts(r)
  local list = {}
  for i, item in ipairs((r.data or {}).followups or {}) do
    list[i] = item.text
  end
  return table.concat(list, " | ")
end

local LOOK = "post_response: [{builtin: followup-creator, with: {tasks: false}}]"
local FINISH = "stop: [{builtin: followup-creator, with: {continue: true, tasks: false}}]"

test("a follow-up says its kind, text, line and place", function()
  local r = start(LOOK):fire("post_response", { session_id = "a", response = "Done.\n\nThe tax in src/cart.go:12 still needs to be rounded." })
  expect(r.data):equals({ followups = { { kind = "prose", text = "The tax in src/cart.go:12 still needs to be rounded", line = 3, source = "src/cart.go:12" } } })
  expect(r.decision):is("")
end)

test("an answer that leaves nothing open says nothing", function()
  for _, response in ipairs({ "All tests pass.", "", "   \r\n\r\n", "\0\1\2", ("x"):rep(100000) }) do
    local r = start(LOOK):fire("post_response", { session_id = "a", response = response })
    expect(r.data):is(nil)
    expect(r.system_message):is(nil)
  end
  expect(start(LOOK):fire("post_response", { session_id = "a" }).data):is(nil)
end)

test("the same follow-up counts once in a session, in other words, processes and events too", function()
  expect(texts(start(LOOK):fire("post_response", { session_id = "a", response = "TODO: add retries" }))):is("add retries")
  local hooks = start(LOOK .. "\nstop: [{builtin: followup-creator, with: {tasks: false}}]")
  expect(hooks:fire("post_response", { session_id = "a", response = "- [ ] **Add retries!**" }).data):is(nil)
  expect(hooks:fire("stop", { session_id = "a", response = "I still need to add retries." }).data):is(nil)
  expect(texts(hooks:fire("post_response", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" }))):is("add a timeout")
  expect(texts(hooks:fire("post_response", { session_id = "b", response = "TODO: add retries" }))):is("add retries")
end)

test("the line of a place in a file is no other follow-up", function()
  local hooks = start(LOOK)
  hooks:fire("post_response", { session_id = "a", response = "TODO: round the tax in cart.go:12" })
  expect(hooks:fire("post_response", { session_id = "a", response = "TODO: round the tax in cart.go:15" }).data):is(nil)
end)

test("no more than max, and it says how many more", function()
  local lines = {}
  for i = 1, 26 do
    lines[i] = "- [ ] step " .. ("x"):rep(i)
  end
  local r = start(LOOK):fire("post_response", { session_id = "a", response = table.concat(lines, "\n") })
  expect(#r.data.followups):is(20)
  expect(r.data.followups_left_out):is(6)
  expect(r.system_message):contains("6 more follow-ups are left out (max is 20)")
  r = start("post_response: [{builtin: followup-creator, with: {max: 2, tasks: false}}]"):fire("post_response", { session_id = "b", response = table.concat(lines, "\n") })
  expect(#r.data.followups):is(2)
end)

test("a text is bounded, and whole in its characters", function()
  local r = start(LOOK):fire("post_response", { session_id = "a", response = "TODO: " .. ("ä"):rep(5000) })
  local said = r.data.followups[1].text
  assert(#said <= 300 and #said > 250, #said)
  expect(re.match(said, "^ä+\\.\\.\\.$")):is(true)
end)

test("of a long answer the end is read, and that is said", function()
  local r = start(LOOK):fire("post_response", { session_id = "a", response = "TODO: the start\n" .. ("All is well here.\n"):rep(10000) .. "TODO: the end" })
  expect(texts(r)):is("the end")
  expect(r.data.followups[1].line):is(nil)
  expect(r.system_message):contains("too long to look at all of it")
end)

test("hostile answers take no more than three of the usual five million instructions", function()
  local piece = { "TODO: ", "still need to ", "`", '"', "'", "“", "<!--", "~~", "[", "[a](", "**", "*", "_", "> ", "- [ ] ", "- ", "```\n", "~~~", "\n", " ", "\t", ".", "?", "!)", "|", "| ", "# ", "## \n", "http://", "TODO (", "TODO [",
    "not yet implemented. ", "for now ", "left ", "\1", "\r", "1. ", "- [ ] x\n", "TODO: x\n", "still needs to be done? ", "next steps:\n", "\n\n- ", "/*", "--", "e.g. ", "a:1:1", "x/x.", "☐", "// TODO " }
  local hooks = start(LOOK .. "\nlimits: {instructions: 5000000, timeout: 10s, memory: 64MiB}")
  for _, one in ipairs(piece) do
    for _, tail in ipairs({ "", "\nTODO: add retries" }) do
      local r = hooks:fire("post_response", { session_id = one, response = one:rep(math.floor(100000 / #one)) .. tail })
      assert(#((r.data or {}).followups or {}) <= 20)
      assert(r.summary.runs[1].instructions < 3000000, one)
    end
  end
end)

test("tasks are made, with the issue as parent, and no second ones", function()
  local yaml = "post_response: [{builtin: followup-creator}]\nstop: [{builtin: followup-creator}]"
  local r = start(yaml):fire("post_response", { session_id = "a", issue_id = "shop-42", response = "TODO: add retries in cart.go\n- [ ] document the flag" })
  local list = assert(tasks.list{ parent = "shop-42" })
  expect(#list):is(2)
  expect(r.system_message):contains("2 tasks for later: " .. r.data.followups[1].task .. " (add retries in cart.go), ")
  for _, task in ipairs(list) do
    if task.title == "add retries in cart.go" then
      expect(r.data.followups[1].task):equals(task.id)
      expect(task.labels):equals({ "follow-up" })
      expect(task.source):is("cart.go")
      expect(task.body):contains("in session a")
    end
  end
  r = start(yaml):fire("stop", { session_id = "a", issue_id = "shop-42", response = "TODO: add retries in cart.go" })
  expect(r.data):is(nil)
  expect(r.system_message):is(nil)
  r = start(yaml):fire("post_response", { session_id = "b", issue_id = "shop-42", response = "TODO: Add retries in cart.go." })
  expect(#assert(tasks.list{ parent = "shop-42" })):is(2)
  expect(r.system_message):is(nil)
  start(yaml):fire("post_response", { session_id = "c", issue_id = "shop-43", response = "TODO: add retries in cart.go" })
  expect(#assert(tasks.list{ parent = "shop-43" })):is(1)
end)

test("without tasks: true there are none, and the user is told nothing", function()
  local r = start(LOOK):fire("post_response", { session_id = "a", response = "TODO: add retries" })
  expect(#assert(tasks.list())):is(0)
  expect(r.system_message):is(nil)
end)

test("a tracker that fails is told, and the next answer tries again", function()
  local yaml = "post_response: [{builtin: followup-creator}]"
  fake.tasks.fails("it is broken")
  local hooks = start(yaml)
  local r = hooks:fire("post_response", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" })
  expect(texts(r)):is("add retries | add a timeout")
  expect(r.data.followups[1].task):is(nil)
  expect(r.system_message):contains("no task could be made: ")
  expect(r.system_message):contains("it is broken")
  r = hooks:fire("post_response", { session_id = "a", response = "TODO: add retries" })
  expect(r.data):is(nil)
  expect(r.system_message):contains("no task could be made: ")
end)

test("without the store it goes on and says so", function()
  fake.store.fails("it is broken")
  local r = start("post_response: [{builtin: followup-creator}]"):fire("post_response", { session_id = "a", response = "TODO: add retries" })
  expect(texts(r)):is("add retries")
  expect(#assert(tasks.list())):is(1)
  expect(r.system_message):contains("what was found before isn't known")
  r = start(FINISH):fire("stop", { session_id = "a", response = "TODO: add retries" })
  expect(r.decision):is("deny")
  expect(start(FINISH):fire("stop", { session_id = "a" }).decision):is("")
end)

test("secrets stay out of what is kept", function()
  local r = start("post_response: [{builtin: followup-creator}]"):fire("post_response", { session_id = "a", response = "TODO: revoke ghp_" .. ("a1B2"):rep(9) })
  expect(r.data.followups[1].text):never():contains("ghp_a1B2")
  expect(assert(tasks.list())[1].title):never():contains("ghp_a1B2")
end)

test("stop without continue only looks", function()
  local r = start("stop: [{builtin: followup-creator, with: {tasks: false}}]"):fire("stop", { session_id = "a", response = "TODO: add retries" })
  expect(r.decision):is("")
  expect(texts(r)):is("add retries")
end)

test("with continue the agent is asked once about each", function()
  local hooks = start(FINISH)
  local r = hooks:fire("stop", { session_id = "a", response = "TODO: add retries" })
  expect(r.decision):is("deny")
  expect(r.reason):contains("- add retries")
  r = hooks:fire("stop", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" })
  expect(r.decision):is("deny")
  expect(r.reason):contains("- add a timeout")
  expect(r.reason):never():contains("add retries")
  expect(start(FINISH):fire("stop", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" }).decision):is("")
  expect(hooks:fire("stop", { session_id = "a", response = "All is done." }).decision):is("")
end)

test("the loop guard has the last word", function()
  local hooks = start(FINISH)
  for i = 1, 3 do
    expect(hooks:fire("stop", { session_id = "a", response = "TODO: part " .. ("x"):rep(i) }).decision):is("deny")
  end
  local r = hooks:fire("stop", { session_id = "a", response = "TODO: another part" })
  expect(r.decision):is("")
  expect(r.warnings[1]):contains("capped")
end)

test("at a stop that says nothing, what was said before counts", function()
  local hooks = start(FINISH)
  expect(texts(hooks:fire("post_response", { session_id = "a", response = "I still need to add retries." }))):is("I still need to add retries")
  local r = start(FINISH):fire("stop", { session_id = "a" })
  expect(r.decision):is("deny")
  expect(r.reason):contains("- I still need to add retries")
  expect(hooks:fire("stop", { session_id = "a" }).decision):is("")
  expect(hooks:fire("stop", { session_id = "b" }).decision):is("")
end)

test("a task that was made already is no reason not to ask", function()
  local hooks = start("post_response: [{builtin: followup-creator}]\nstop: [{builtin: followup-creator, with: {continue: true}}]")
  hooks:fire("post_response", { session_id = "a", response = "TODO: add retries" })
  expect(#assert(tasks.list())):is(1)
  expect(hooks:fire("stop", { session_id = "a" }).decision):is("deny")
  expect(hooks:fire("stop", { session_id = "a" }).decision):is("")
  expect(#assert(tasks.list())):is(1)
end)

test("a subagent answers for itself", function()
  local yaml = "subagent_stop: [{builtin: followup-creator, with: {continue: true, tasks: false}}]"
  local hooks = start(yaml)
  hooks:fire("post_response", { session_id = "a", response = "TODO: of the main agent" })
  expect(hooks:fire("subagent_stop", { session_id = "a", agent_id = "x" }).decision):is("")
  local r = hooks:fire("subagent_stop", { session_id = "a", agent_id = "x", result = "The index is not yet built." })
  expect(r.decision):is("deny")
  expect(r.reason):contains("The index is not yet built")
  expect(hooks:fire("subagent_stop", { session_id = "a", agent_id = "y", result = { ok = true } }).decision):is("")
end)

test("with continue, tasks are made of what stays open after the agent was asked", function()
  local hooks = start("stop: [{builtin: followup-creator, with: {continue: true}}]")
  hooks:fire("post_response", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" })
  expect(hooks:fire("stop", { session_id = "a", response = "TODO: add retries\nTODO: add a timeout" }).decision):is("deny")
  expect(#assert(tasks.list())):is(0)
  local r = hooks:fire("stop", { session_id = "a", response = "Added the timeout.\n\nTODO: add retries" })
  expect(r.decision):is("")
  local list = assert(tasks.list())
  expect(#list):is(1)
  expect(list[1].title):is("add retries")
end)

test("kinds, markers, phrases and ignore", function()
  local hooks = start('post_response: [{builtin: followup-creator, with: {tasks: false, kinds: [todo, prose], markers: [LATER, TBD], phrases: ["parked on  the shelf", "a+b"], ignore: ["Changelog", "/^bump .* to v\\\\d+$/"]}}]')
  local r = hooks:fire("post_response", { session_id = "a", response = "TODO: no marker\n\nLATER: add retries\n\n- [ ] a box\n\nThe index is parked on the\nshelf.\n\nIt is a+b now. Is it a+b?\n\nTBD: the changelog\n\nTBD: bump go to v2\n\nNothing is parked on the shelf." })
  expect(texts(r)):is("add retries | The index is parked on the shelf | It is a+b now")
end)

test("a wrong option is told at its place", function()
  expect(start("post_response: [{builtin: followup-creator, with: {continu: true}}]"):problem()):contains('no option "continu", did you mean "continue"?')
  expect(start("post_response: [{builtin: followup-creator, with: {kinds: [todos]}}]"):problem()):contains('did you mean "todo"?')
  expect(start("post_response: [{builtin: followup-creator, with: {markers: ['TO DO']}}]"):problem()):contains('markers: "TO DO" is not a marker')
  expect(start("post_response: [{builtin: followup-creator, with: {ignore: '/(/'}}]"):problem()):contains("ignore: pattern `(`: missing closing )")
  expect(start("post_response: [{builtin: followup-creator, with: {max: 0}}]"):problem()):contains("max is 0, want at least 1")
end)
