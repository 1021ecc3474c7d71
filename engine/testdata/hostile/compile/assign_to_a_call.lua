-- title: assigning to what a call returns
-- expect: load error
type(1) = 2
