only("protect-main.lua")

describe("protect-main", function()
  test("the reason says what to do instead", function()
    local r = fire("pre_tool_call", "git push origin main")
    expect(r.decision):is("deny")
    expect(r.reason):contains("pull request")
  end)

  test("each command of a line counts", function()
    expect(fire("pre_tool_call", "git push origin topic && git push origin master").decision):is("deny")
    expect(fire("pre_tool_call", [[bash -c "git push origin main"]]).decision):is("deny")
  end)

  test("a push without a branch is that of the current one", function()
    fake.git({ branch = "main" })
    expect(fire("pre_tool_call", "git push").decision):is("deny")
    expect(fire("pre_tool_call", "git push origin HEAD").decision):is("deny")
    fake.git({ branch = "my-change" })
    expect(fire("pre_tool_call", "git push").decision):is("")
  end)

  test("a branch has many names", function()
    fake.git{ branch = "my-change" }
    local main = { "+main", "heads/main", "HEAD:main", "topic:refs/heads/main", "--delete main", "'refs/heads/m*:refs/heads/m*'" }
    for _, names in ipairs(main) do
      expect(fire("pre_tool_call", "git push origin " .. names).decision):is("deny")
    end
    for _, names in ipairs({ "mainline", "fix/main", "main:refs/for/main", "tag main", "v1.0" }) do
      expect(fire("pre_tool_call", "git push origin " .. names).decision):is("")
    end
  end)

  test("where nobody knows the branch, a person does", function()
    fake.git{ branch = "my-change" }
    expect(fire("pre_tool_call", "git --git-dir=../other/.git push").decision):is("ask")
    expect(fire("pre_tool_call", "git -C ../other push").decision):is("ask")
    expect(fire("pre_tool_call", [[cd "$DIR" && git push]]).decision):is("ask")
    expect(fire("pre_tool_call", "cd sub && git push").decision):is("")
    fake.git(false)
    expect(fire("pre_tool_call", "git push").decision):is("ask")
  end)

  test("a branch that the line itself switches to", function()
    fake.git{ branch = "main" }
    expect(fire("pre_tool_call", "git switch -c topic && git commit -am x && git push -u origin HEAD").decision):is("")
    expect(fire("pre_tool_call", "git checkout -b topic && git push").decision):is("")
    expect(fire("pre_tool_call", "git checkout main.go && git push").decision):is("deny")
    fake.git{ branch = "topic" }
    expect(fire("pre_tool_call", "git checkout main && git merge topic && git push").decision):is("deny")
    expect(fire("pre_tool_call", "git switch main; git push").decision):is("deny")
    expect(fire("pre_tool_call", "git fetch && git push").decision):is("")
  end)

  test("other tools may speak of it", function()
    local input = { path = "README.md", content = "git push origin main" }
    expect(fire("pre_tool_call", { tool_call = { name = "write", input = input } }).decision):is("")
  end)
end)
