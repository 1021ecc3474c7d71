package engine

import "github.com/luahook/luahook/luabind/lib"

// services are what the modules of one script may use of the engine.
func (e *Engine) services(in instance) *lib.Services {
	s := &lib.Services{Stores: e.hookStores(in), Spills: in.builtin}
	if in.builtin {
		s.Redactor = e.redactor
	}
	if e.options.tasks != nil { // a nil of one interface is none of another
		s.Tasks = e.options.tasks
	}
	if e.options.spill != nil {
		s.Spill = e.options.spill
	}
	return s
}
