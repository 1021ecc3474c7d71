// Package luabind is everything that knows gopher-lua: it compiles hook scripts,
// runs them in sandboxed states under a budget, carries events in and answers
// out. No Lua type leaves it but for the modules in lib.
//
// The way of a script: [Compile] makes a [Program] of its source; [NewState] runs
// the program once in a state of its own, where on(...) collects [Registration]s;
// [State.Call] runs one of the registered functions over an event. A Program may
// be shared by any number of states; a State belongs to one goroutine at a time.
package luabind
