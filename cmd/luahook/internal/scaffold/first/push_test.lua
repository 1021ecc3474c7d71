-- Run by `luahook test`. fire gives an event to the hooks, as an agent would; a text is a shell command.

describe("push", function()
  test("the agent is told what to do instead", function()
    local r = fire("pre_tool_call", "git push origin main")
    expect(r.decision):is("deny")
    expect(r.reason):contains("pull request")
  end)

  -- A table of cases, one test for each.
  for command, decision in pairs({
    ["git push origin my-change"] = "",
    ["git push origin my-change:main"] = "deny",
    ["git push --mirror"] = "deny",
    ["git push && git push origin main"] = "deny",
    ["git push origin HEAD"] = "ask",
    ["bash -c 'git push origin main'"] = "deny",
    ["echo git push origin main"] = "",
  }) do
    test(command, function()
      expect(fire("pre_tool_call", command).decision):is(decision)
    end)
  end
end)
