-- title: tens of thousands of functions, each with a buffer of its own
-- expect: load error
{{repeat 30000 "f = function() end "}}
