only("ask-before-install.lua")

test_each({
  { "npm i -D vitest", "vitest" },
  { "pnpm --filter web add zod", "zod" },
  { "yarn workspace web add zod", "zod" },
  { "yarn global add serve", "serve" },
  { "uv pip install httpx", "httpx" },
  { "sudo apt-get install -y jq", "jq" },
  { "go get example.com/mod@latest", "example.com/mod@latest" },
  { "make deps && cargo add serde --features derive", "serde" },
  { [[bash -c "composer require a/b"]], "a/b" },
}, "asks: %s", function(command, package)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("ask")
  expect(r.reason):contains("install " .. package)
end)

test("what a variable names is asked about, too", function()
  expect(fire("pre_tool_call", [[npm install "$PACKAGE"]]).decision):is("ask")
end)

test_each({
  "npm ci", "pnpm install --frozen-lockfile", "yarn", "pip install -e .", "pip install .", "go get ./...",
  "go mod download", "cargo build", "bundle install",
  "npm run add", "echo npm install left-pad", "echo pip install x", "grep -r 'pip install' docs",
  "git add package.json",
  "uv sync",
}, "passes: %s", function(command)
  expect(fire("pre_tool_call", command).decision):is("")
end)
