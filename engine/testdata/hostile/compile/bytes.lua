-- title: bytes that are no text
-- expect: load error
{{repeat 10000 "\x00\xff\xfe\x80"}}
