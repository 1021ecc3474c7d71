-- Regular expressions that are compiled when they are first asked: most rules are about
-- programs that a session never calls.

local expression = {}
expression.__index = expression

local function compiled(self)
  local pattern = rawget(self, "pattern")
  if not pattern then
    pattern = re.compile(self.text)
    self.pattern = pattern
  end
  return pattern
end

function expression:match(s)
  return compiled(self):match(s)
end

function expression:find(s)
  return compiled(self):find(s)
end

function expression:captures(s)
  return compiled(self):captures(s)
end

-- The library is a function: what re.compile takes, and :match, :find and :captures of what it returns.
return function(source)
  return setmetatable({ text = source }, expression)
end
