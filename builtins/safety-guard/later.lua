-- A library that is loaded when something of it is used: a new process pays for each that it loads.

return function(name)
  return setmetatable({}, {
    __index = function(library, key)
      local value = require(name)[key]
      rawset(library, key, value)
      return value
    end,
  })
end
