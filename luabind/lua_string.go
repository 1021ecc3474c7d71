package luabind

// stringFunctions are our versions of functions of that library.
var stringFunctions = []Function{}
