-- title: reading what no event has
-- expect: error
-- says: has no field
on("pre_tool_call", function(ev) return ev.tol_call end)
