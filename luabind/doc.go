// Package luabind runs compiled hook scripts in sandboxed gopher-lua states under a budget, and
// carries events in and answers out. It compiles nothing itself, which package compile does, and
// the modules that scripts use are in lib. No Lua type leaves it but for those modules.
//
// The way of a script: compile.Script makes a program of its source; [NewState] runs
// the program once in a state of its own, where on(...) collects [Registration]s;
// [State.Call] runs one of the registered functions over an event. A program may
// be shared by any number of states; a State belongs to one goroutine at a time.
package luabind
