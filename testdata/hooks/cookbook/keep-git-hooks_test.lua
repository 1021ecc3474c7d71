only("keep-git-hooks.lua")

test_each({
  "git push --no-verify", "git add . && git commit -m x --no-verify", [[bash -c "git commit -nm x"]],
  "HUSKY=0 git commit -m x", "env LEFTHOOK=false git push",
  "SKIP=eslint git commit -m x", "git config core.hooksPath /dev/null", "git config --global core.hooksPath ''",
  "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
  "rm .git/hooks/pre-push", "rm -rf .husky", "mv .git/hooks/pre-commit /tmp",
  "echo 'exit 0' > .git/hooks/pre-commit", "cd .git/hooks && chmod 644 pre-commit",
}, "denies: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("deny")
end)

test_each({
  "git commit -m 'feat: x'", "git push -u origin topic", "git commit -m 'HUSKY=0'", "git log -n 3", "git clean -n",
  "cat .git/hooks/pre-commit", "grep -rn no-verify docs",
  "git config core.hooksPath", "git config core.editor vim", "touch main.go", "ls .husky", "git push -n origin topic",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)

test("tools for files leave the hooks alone, too", function()
  local input = { file_path = ".husky/pre-commit", content = "exit 0" }
  expect(fire("pre_tool_call", { tool_call = { name = "write", input = input } }).decision):is("deny")
end)
