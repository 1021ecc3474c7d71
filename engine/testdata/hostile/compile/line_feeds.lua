-- title: nothing but line ends, and an error in the last line
-- expect: load error
{{repeat 240000 "\n"}}
return )
