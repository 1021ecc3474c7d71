package luabind

// tableFunctions are our versions of functions of that library.
var tableFunctions = []Function{}
