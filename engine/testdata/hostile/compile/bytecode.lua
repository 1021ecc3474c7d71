-- title: a source that begins as compiled code does
-- expect: load error
-- bare: yes
{{repeat 1 "\x1bLua\x51\x00\x01\x04\x04\x04\x08\x00"}}
