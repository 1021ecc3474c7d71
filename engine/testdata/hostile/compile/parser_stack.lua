-- title: statements that keep the parser's stack growing
-- expect: load error
{{repeat 20000 "f{function() if a then for i in "}}
