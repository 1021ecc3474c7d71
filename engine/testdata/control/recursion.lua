-- title: walks a tree a hundred levels deep
-- event: pre_tool_call
-- want: {"data": {"depth": 100, "nodes": 199}}
on("pre_tool_call", function()
  local function build(n) return n > 1 and { left = build(n - 1), right = { n } } or { n } end
  local function walk(t)
    local depth, nodes = 0, 1
    for _, child in pairs({ t.left, t.right }) do
      local d, n = walk(child)
      depth, nodes = math.max(depth, d), nodes + n
    end
    return depth + 1, nodes
  end
  local depth, nodes = walk(build(100))
  return { data = { depth = depth, nodes = nodes } }
end)
