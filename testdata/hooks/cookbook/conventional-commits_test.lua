only("conventional-commits.lua")

local HERE = [[git commit -m "$(cat <<'EOF'
%s

More about it.
EOF
)"]]

test_each({
  "git commit -m 'Fixed it'", "git commit -m 'feat login'", "git commit -m 'feat:login'",
  "git commit --message='update'", "git commit -m '' --allow-empty-message",
  "git commit -qam wip", "git commit -nom wip x.go", "git commit --mess=wip", "git commit -m wip -m 'fix: it'",
  "git commit -mwip", "git commit --message wip", "cd api && git commit -m 'fix: it' && git commit -m it",
  [[git commit -m "$MESSAGE"]],
  HERE:format("Update the login"), "git commit -F - <<'EOF'\nUpdate\nEOF", [[bash -c "git commit -m wip"]],
  "git -C api commit -m wip",
}, "denies: %s", function(command)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("deny")
  expect(r.reason):contains("type(scope): subject")
end)

test_each({
  "git commit -m 'feat: log in with a key'", "git commit -am 'fix(api/users)!: answer 404'",
  "git commit -m 'docs: wip' -m 'Closes #3'", HERE:format("chore(deps): go 1.25"),
  [[git commit -m "fix: keep $NAME"]], "git commit --fixup HEAD~2", "git commit", "git tag -m wip v1",
  "git commit -C HEAD", "echo yes | git commit", "git commit -F -",
  "echo yes | git commit -m 'fix: it'", "echo git commit -m wip", "git stash push -m wip",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)

test("a subject that is too long", function()
  local r = fire("pre_tool_call", "git commit -m 'feat: " .. ("x"):rep(80) .. "'")
  expect(r.decision):is("deny")
  expect(r.reason):contains("has 86 bytes, 72 at most")
end)
