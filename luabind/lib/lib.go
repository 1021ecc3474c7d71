// Package lib holds the modules that hook scripts can use: json, re, text, path,
// time, hash, log, shell and sql, and those that reach outside of the sandbox where that is
// granted: fs, env, git, exec, http and tasks; store remembers, redact finds secrets. Each
// has a file of its own name; those that only built-in hooks have are in builtin.go. What the modules
// need of an engine, [Services], they are given: nothing here knows it. Start at [Modules].
//
// All of them follow the same rules. A wrong argument is an error that names the
// argument, the function, what is wanted and what came; nothing is guessed and no
// nil stands for a failure unless the function's help says so. Work that grows with
// its input is charged to the run's budget before it is done, about one unit for
// 16 bytes, and so is what it allocates for the script; what package regexp, json or
// the shell parser do in one go is bounded so that it takes at most some ten
// milliseconds. A table that a function returns is fresh: writing it changes nothing
// else.
//
// The modules that reach outside ask for each call what the script's state is granted
// ([luabind.GrantsOf]); files are those below the project's root. What isn't granted
// or isn't covered by the grant is an error, what the outside world refuses is nil and a
// message. No call takes longer than its run: what can't be ended is left behind
// ([luabind.Wait]).
package lib

import (
	"github.com/luahook/luahook/luabind"
)

// Modules makes the modules, in the order in which documentation lists them. What
// they share between states, the caches of compiled patterns and the start of
// time.clock, belongs to the returned modules: an engine calls Modules once and
// gives the same slice to all its states, which may run at the same time. The caches
// hold nothing that a script could read or change; by the time that a call takes it
// could report whether some script has used the same pattern lately.
func Modules() []luabind.Module { return modules(&sender{}) }

func modules(s *sender) []luabind.Module {
	all := make([]luabind.Module, len(makers))
	for i, m := range makers {
		all[i] = m.make(s)
	}
	return all
}

// LazyModules is as Modules, for those who run scripts and don't look at what the modules have.
func LazyModules() []luabind.Module {
	s := &sender{}
	all := make([]luabind.Module, len(makers))
	for i, m := range makers {
		all[i] = luabind.LazyModule(m.name, func() luabind.Module { return m.make(s) })
	}
	return all
}

// makers make the modules.
var makers = [...]struct {
	name string
	make func(*sender) luabind.Module
}{
	{"json", whichever(jsonModule)},
	{"re", func(*sender) luabind.Module { return reModule(newCache[*program](maxPrograms, maxProgramsSize)) }},
	{"text", whichever(textModule)},
	{"path", func(*sender) luabind.Module { return pathModule(newMatchers()) }},
	{"time", whichever(timeModule)},
	{"hash", whichever(hashModule)},
	{"log", whichever(logModule)},
	{"shell", whichever(shellModule)},
	{"sql", whichever(sqlModule)},
	{"fs", whichever(fsModule)},
	{"env", whichever(envModule)},
	{"git", whichever(gitModule)},
	{"exec", whichever(execModule)},
	{"http", httpModule},
	{"store", whichever(storeModule)},
	{"redact", whichever(redactModule)},
	{"tasks", whichever(tasksModule)},
}

// whichever makes a module that sends nothing.
func whichever(make func() luabind.Module) func(*sender) luabind.Module {
	return func(*sender) luabind.Module { return make() }
}
