package lib

import (
	"net/url"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib/internal/hostgrant"
)

// Needs is the grant that a call of a function ("exec.run") needs and these don't cover, as hooks.yaml writes it:
// "exec: [git]". It is "" where they cover it, or none is needed. argument is the first one, "" where it isn't known.
func Needs(grants hooks.Grants, function, argument string) string {
	module, name, _ := strings.Cut(function, ".")
	switch {
	case function == "spill", module == "fs" && slices.Contains([]string{"write", "append", "mkdir", "remove"}, name):
		if !grants.FSWrite {
			return "fs.write: true"
		}
	case module == "fs" && !grants.FSRead:
		return "fs.read: true"
	case module == "git" && !grants.Git:
		return "git: true"
	case module == "tasks" && !grants.Tasks:
		return "tasks: true"
	case module == "env" && argument == "":
		if len(grants.Env) == 0 {
			return needEnv
		}
	case module == "env":
		if ok, _ := grantsVariable(grants.Env, argument); !ok {
			return "env: [" + cut(argument, 100) + "]"
		}
	case module == "exec" && argument == "":
		if len(grants.Exec) == 0 {
			return "exec: [PROGRAM]"
		}
	case module == "exec":
		if !slices.Contains(grants.Exec, argument) {
			return "exec: [" + cut(argument, 200) + "]"
		}
	case module == "http":
		u, err := url.Parse(argument)
		if argument == "" || err != nil || u.Hostname() == "" {
			if len(grants.HTTP) == 0 {
				return "http: [HOST]"
			}
			return ""
		}
		if _, err := hostgrant.Of(grants.HTTP, u); err != nil {
			return "http: [" + strings.TrimSuffix(err.Error(), " is not granted") + "]"
		}
	}
	return ""
}
