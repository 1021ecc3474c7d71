-- title: paths of megabytes
-- expect: limit
on("pre_tool_call", function()
  local up, down = ("../"):rep(1e6), ("a/./b//"):rep(5e5)
  while true do
    for _, f in ipairs({ path.clean, path.join, path.rel, path.inside, path.base, path.ext, path.dir, path.is_abs, path.match }) do
      pcall(f, up, down)
      pcall(f, down .. up, up)
    end
  end
end)
