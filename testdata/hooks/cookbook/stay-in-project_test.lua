only("stay-in-project.lua")

local function write(file)
  return fire("pre_tool_call", { tool_call = { name = "Write", input = { file_path = file, content = "x" } } }).decision
end

test("tools write below the root alone", function()
  expect(write("src/main.go")):is("")
  expect(write(project.root .. "/src/main.go")):is("")
  expect(write("/etc/motd")):is("deny")
  expect(write("../../../../../../../../srv/main.go")):is("deny")
  expect(write("~/.ssh/config")):is("deny")
end)

test("reading is free", function()
  local read = { name = "read", input = { file_path = "/etc/passwd" } }
  expect(fire("pre_tool_call", { tool_call = read }).decision):is("")
end)

test_each({
  "cat x | sudo tee /etc/hosts", "sed -i s/a/b/ /srv/app/x", "mv build /opt/build", "cd /srv && touch x",
  [[bash -c "rm -rf /srv/x"]], "ln -s a ~/bin/a",
  "git clone https://example.com/x /srv/x", "curl -so /usr/local/bin/x https://example.com",
  "find /srv -name '*.log' -delete", "find /srv -type f -exec sed -i s/a/b/ {} +", "dd if=image of=/srv/image",
  [[python3 -c 'open("/etc/x", "w")']], "for f in a b; do cp $f /srv/$f; done",
  "echo x > /*/passwd", "rm /t*/x", "rm /var/*",
}, "denies: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("deny")
end)

test_each({
  [[rm -rf "$DIR"]], [[cp a "$HOME2/x"]], "ls > $OUT", "cat list | xargs rm", [[ls > "src/$A/../../../x"]],
}, "asks: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("ask")
end)

test_each({
  "go build -o bin/app ./cmd/app", "rm -rf node_modules", "echo x > /dev/null 2>&1",
  [[T=$(mktemp) && echo x > "$T"]], [[echo x > "src/$NAME"]], "cp /etc/hosts hosts.txt",
  "mkdir -p src/a && touch src/a/b", "find . -name '*.go' -exec sed -i s/a/b/ {} +", "echo 'rm -rf /etc'",
  "rm /tmp/*.log build/*.o", "ls / > list.txt", "ssh host 'rm -rf /srv/x'",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)
