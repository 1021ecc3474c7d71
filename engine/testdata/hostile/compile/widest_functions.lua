-- title: as many functions as a source may have, each with many constants
-- expect: any
on("pre_tool_call", function() return context("held") end)
{{repeat 900 "local function f() return 1.%d1, 1.%d2, 1.%d3, 1.%d4, 1.%d5, 'a%d', 'b%d', 'c%d', 'd%d', 'e%d', 'f%d', 'g%d', 'h%d', 'i%d', 'j%d', 'k%d', 'l%d', 'm%d', 'n%d' end\n"}}
