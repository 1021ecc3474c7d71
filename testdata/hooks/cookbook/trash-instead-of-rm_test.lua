only("trash-instead-of-rm.lua")

test("the reason has the command to use", function()
  local r = fire("pre_tool_call", "rm -rf 'old notes.txt' build")
  expect(r.decision):is("deny")
  expect(r.reason):contains("trash '" .. project.root .. "/old notes.txt' " .. project.root .. "/build")
end)

test("patterns and variables stay what they are", function()
  expect(fire("pre_tool_call", "rm *.orig").reason):contains("trash " .. project.root .. "/*.orig")
  expect(fire("pre_tool_call", "sudo rm ~/old").reason):contains("trash ~/old")
  expect(fire("pre_tool_call", [[rm "$FILE"]]).reason):contains("trash $FILE")
  expect(fire("pre_tool_call", "find . -type f -delete").reason):contains("trash {}")
end)

test_each({
  "/bin/rm x", "git add . && rm x", [[sh -c "rm x"]], "ls | xargs rm", "unlink x", "shred -u x",
  "find . -type f -exec rm {} +", "for f in a b; do rm $f; done",
  [[python3 -c 'import os; os.remove("x")']], "rm /tmp/x y", "true || rm x",
}, "denies: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("deny")
end)

test_each({
  "trash x", "git rm x", "rm --help", "echo rm x", "rm -rf /tmp/build-1", [[D=$(mktemp -d); rm -rf "$D"]],
  "ssh host rm x", "docker run --rm app", "npm rm left-pad", "mv x y", "grep rm x",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)
