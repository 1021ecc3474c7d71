package luabind

// baseFunctions are our versions of functions of that library.
var baseFunctions = []Function{}
