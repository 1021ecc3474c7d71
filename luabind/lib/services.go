package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/redact"
	"github.com/luahook/luahook/luabind"
)

// Services are what an engine gives to the modules of one script, made for it: whose the
// script is, and what it may, is settled already. Each is nil where there is none, and
// may be used by several goroutines at once, also by a call that has outlasted its run.
type Services struct {
	Stores Stores
	// Notes is the decision log; only built-ins have it.
	Notes Notes
	// Redactor gives one that knows the values of the environment, too; only built-ins
	// have it.
	Redactor func() *redact.Redactor
	Tasks    Tasks
	Spill    Spiller
	Spills   bool // the script may spill, whatever it is granted
}

// services are those of the script that calls.
func (c call) services() Services {
	return servicesOf(c.LState)
}

func servicesOf(L *lua.LState) Services {
	s, _ := luabind.ServicesOf(L).(*Services)
	if s == nil {
		return Services{}
	}
	return *s
}
