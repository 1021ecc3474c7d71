-- title: a call with thousands of arguments
-- expect: load error
type({{repeat 3000 "1, "}} 1)
