-- Always wants more. That ends nevertheless, because luahook takes the same reason once.
on("stop", function()
  return deny("the tests are missing, write them")
end)
