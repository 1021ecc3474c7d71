-- HTTP requests of command lines.

local request = {}

request.programs = { "curl", "wget", "http", "https", "xh" }

-- method returns the method that a command names, in capitals; nil if it names none.
function request.method(cmd)
  local method
  if cmd.name == "wget" then
    method = cmd:flag("--method")
  elseif cmd.name == "curl" then
    method = cmd:flag("-X", "--request")
  else
    method = cmd:subcommand()
  end
  return type(method) == "string" and method:upper() or nil
end

return request
