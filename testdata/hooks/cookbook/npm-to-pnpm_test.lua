only("npm-to-pnpm.lua")

test_each({
  { "npm install", "pnpm install" },
  { "npm i --save-dev vitest", "pnpm i --save-dev vitest" },
  { "npm run build -- --watch", "pnpm run build -- --watch" },
  { "cd web && npm install && npm test > test.log", "cd web && pnpm install && pnpm test > test.log" },
  { [[git commit -m "npm fix" && npm start]], [[git commit -m "npm fix" && pnpm start]] },
  { [[CI=1 npm run "$TASK"]], [[CI=1 pnpm run "$TASK"]] },
  { "if npm test; then npm run build; fi", "if pnpm test; then pnpm run build; fi" },
}, "%s becomes %s", function(command, want)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("")
  expect(r.input):equals({ command = want })
end)

test_each({
  "npm ci", "npm install && npm ci", "npm publish", "npm install --legacy-peer-deps", [[bash -c "npm install"]],
  "npm view react version", [[npm "$VERB"]], "N=npm; $N install",
}, "%s is refused, with the way out", function(command)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("deny")
  expect(r.input):is(nil)
  expect(r.reason):contains("pnpm install --frozen-lockfile")
end)

test_each({ "npx tsc", "pnpm test", "grep npm package.json", [[git commit -m "npm install"]] }, "%s stays", function(command)
  local r = fire("pre_tool_call", command)
  expect(r.decision):is("")
  expect(r.input):is(nil)
end)
