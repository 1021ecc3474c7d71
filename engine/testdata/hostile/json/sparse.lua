-- title: lists with holes, far indices and mixed keys
-- expect: ok or limit memory
on("pre_tool_call", function()
  for _, t in ipairs({ { 1, nil, 3 }, { [5] = 1 }, { 1, x = 2 }, { [0.5] = 1 }, { [-1] = 1 }, { [true] = 1 }, { 0 / 0 }, { 1 / 0 }, { print }, { coroutine.create(function() end) } }) do
    local ok = pcall(json.encode, t)
    assert(not ok)
  end
  local t = { 1 }
  t[30000] = 1
  pcall(json.encode, t)
  return context("held")
end)
