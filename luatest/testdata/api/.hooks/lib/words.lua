local M = {}

function M.first(text)
  return text:match("%S+")
end

return M
