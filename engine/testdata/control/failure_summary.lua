-- title: picks the failures out of a long log and reports them in order
-- event: post_tool_call
-- want: {"new_context": "2 of 12000 tests failed:\n1. TestRounding (cart)\n2. TestTotals (shop)"}
on("post_tool_call", function()
  local log = {}
  for i = 1, 12000 do log[i] = string.format("--- PASS: Test%05d (pkg%d) %.2fs", i, i % 40, i / 1000) end
  log[4711], log[11999] = "--- FAIL: TestTotals (shop) 0.10s", "--- FAIL: TestRounding (cart) 0.30s"
  local failed, total = {}, 0
  for _, line in ipairs(text.lines(table.concat(log, "\n"))) do
    total = total + 1
    local name, package = line:match("^%-%-%- FAIL: (%w+) %((%w+)%)")
    if name then failed[#failed + 1] = name .. " (" .. package .. ")" end
  end
  table.sort(failed)
  local report = { #failed .. " of " .. total .. " tests failed:" }
  for i, name in ipairs(failed) do report[#report + 1] = i .. ". " .. name end
  return context(table.concat(report, "\n"))
end)
