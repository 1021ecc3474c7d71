-- title: blocks in blocks
-- expect: load error
{{repeat 60000 "do "}} {{repeat 60000 "end "}}
