coroutine.yield("from a library")
return true
