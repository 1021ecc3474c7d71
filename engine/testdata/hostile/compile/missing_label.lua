-- title: a jump to nowhere
-- expect: load error
goto nowhere
