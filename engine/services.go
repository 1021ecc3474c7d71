package engine

import "github.com/luahook/luahook/luabind/lib"

// services are what the modules of one script may use of the engine.
func (e *Engine) services(in instance) *lib.Services {
	s := &lib.Services{Stores: e.hookStores(in), Spills: in.builtin}
	if in.builtin {
		s.Redactor, s.Notes = e.redactor, e.notes(&in)
	}
	if e.options.spill != nil { // a nil of one interface is none of another
		s.Spill = e.options.spill
	}
	return s
}

// services are these with what the configuration says.
func (r *loader) services(in instance) *lib.Services {
	s := r.engine.services(in)
	if r.tasks != nil {
		s.Tasks = r.tasks
	}
	return s
}
