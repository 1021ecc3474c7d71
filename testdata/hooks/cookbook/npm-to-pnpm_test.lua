local cases = {
  { "npm install", "pnpm install" },
  { "npm i --save-dev vitest", "pnpm add --save-dev vitest" },
  { "npm run build -- --watch", "pnpm run build -- --watch" },
  { "npm test", "pnpm test" },
  { "npm i left-pad 'b c'", "pnpm add left-pad 'b c'" },
  { "npm install -D install", "pnpm add -D install" },
}

describe("npm-to-pnpm", function()
  for _, case in ipairs(cases) do
    test(case[1], function()
      local r = fire("pre_tool_call", case[1])
      expect(r.decision):is("")
      expect(r.input):equals({ command = case[2] })
    end)
  end

  test_each({
    "npm ci && npm test", "cd web && npm install", "npm run build > build.log", "CI=1 npm test", "/usr/bin/npm test",
    [[npm run "$TASK"]], "npm install --legacy-peer-deps", [[bash -c "npm install"]], "npm --prefix web install",
  }, "what can't be rewritten is refused, with the way out: %s", function(command)
    local r = fire("pre_tool_call", command)
    expect(r.decision):is("deny")
    expect(r.input):is(nil)
    expect(r.reason):contains("pnpm install --frozen-lockfile")
  end)

  test("a text that only mentions npm stays", function()
    local r = fire("pre_tool_call", [[git commit -m "npm fix"]])
    expect(r.decision):is("")
    expect(r.input):is(nil)
  end)
end)
