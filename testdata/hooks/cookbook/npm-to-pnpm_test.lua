local cases = {
  { "npm install", "pnpm install" },
  { "npm i --save-dev vitest", "pnpm add --save-dev vitest" },
  { "npm run build -- --watch", "pnpm run build -- --watch" },
  { "npm test", "pnpm test" },
}

describe("npm-to-pnpm", function()
  for _, case in ipairs(cases) do
    test(case[1], function()
      local r = fire("pre_tool_call", case[1])
      expect(r.decision):is("")
      expect(r.input):equals({ command = case[2] })
    end)
  end

  test("what can't be rewritten is refused, with the way out", function()
    local r = fire("pre_tool_call", "npm ci && npm test")
    expect(r.decision):is("deny")
    expect(r.reason):contains("pnpm install --frozen-lockfile")
  end)

  test("a text that only mentions npm stays", function()
    local r = fire("pre_tool_call", [[git commit -m "npm fix"]])
    expect(r.decision):is("")
    expect(r.input):is(nil)
  end)
end)
