-- title: more locals than there are registers
-- expect: load error
{{repeat 300 "local l%d = 1 "}}
