package lib

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func envModule() luabind.Module {
	return module("env", "environment variables that are granted. "+
		"A glob grants no variable whose name says that it is a secret (TOKEN, SECRET, PASSWORD, KEY and the like): grant it by its exact name",
		function{
			"get", "(name: string): string|nil",
			"the value of a variable, or nil if it isn't set; an error if it isn't granted",
			`assert(env.get("CI_BRANCH") == "main" and env.get("CI_UNSET") == nil)`,
			getVariable,
		},
		function{
			"list", "(): string[]",
			"the names of the granted variables that are set, sorted",
			`assert(env.list()[1] == "CI_BRANCH")`,
			listVariables,
		})
}

const needEnv = "env: [NAME]"

func getVariable(c call) int {
	granted := luabind.GrantsOf(c.LState).Env
	c.need(len(granted) > 0, needEnv)
	name := c.text(1)
	if name == "" || len(name) > 1000 || strings.ContainsAny(name, "=\x00") {
		c.bad(1, "the name of a variable expected")
	}
	luabind.Spend(c.LState, 10+len(granted))
	if ok, secret := grantsVariable(granted, name); !ok {
		shown := cut(name, 100)
		if secret {
			exact := fmt.Sprintf("\"grant: {env: [%s]}\"", shown)
			if luabind.WithheldOf(c.LState).ByProgram {
				exact = "engine.WithGrants(" + inGo("env: ["+shown+"]") + ")"
			}
			c.fail(fmt.Sprintf("%s is not granted: its name says that it is a secret, and a glob doesn't grant those; give its exact name: %s", shown, exact))
		}
		c.need(false, "env: ["+shown+"]")
	}
	value, set := c.variable(name)
	if !set {
		return c.give(lua.LNil)
	}
	c.allocate(len(value))
	return c.giveText(value)
}

// variable is the value of a variable, as the script is to see it.
func (c call) variable(name string) (value string, set bool) {
	if c.services().Outside == nil {
		return os.LookupEnv(name)
	}
	for _, e := range c.environ() {
		if own, is, ok := strings.Cut(e, "="); ok && variableCase(own) == variableCase(name) {
			value, set = is, true
		}
	}
	return value, set
}

func listVariables(c call) int {
	granted := luabind.GrantsOf(c.LState).Env
	c.need(len(granted) > 0, needEnv)
	all := c.environ()
	luabind.Spend(c.LState, len(all)*(1+len(granted)))
	c.allocateParts(len(all) * itemBytes)
	var list []string
	for _, e := range all {
		name, _, _ := strings.Cut(e, "=")
		if name == "" { // =C: of Windows
			continue
		}
		if ok, _ := grantsVariable(granted, name); ok {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return c.giveTexts(list)
}

// grantsVariable reports whether a variable is granted; or secret, where a glob would
// grant it if its name were another.
func grantsVariable(granted []string, name string) (ok, secret bool) {
	plain := variableCase(name)
	for _, g := range granted {
		switch g = variableCase(g); {
		case g == plain:
			return true, false
		case strings.ContainsAny(g, "*?"):
			if matches, err := path.Match(g, plain); err == nil && matches {
				ok = true
			}
		}
	}
	secret = ok && saysSecret(name)
	return ok && !secret, secret
}

// variableCase is a name as the system compares it.
func variableCase(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// saysSecret reports whether the name of a variable says that its value is a secret. It is a
// guess: a password in DATABASE_URL isn't seen.
func saysSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "APIKEY", "PRIVATE", "COOKIE"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	if name == "PWD" || name == "OLDPWD" {
		return false
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		switch word {
		case "KEY", "KEYS", "PASS", "PWD", "AUTH", "CRED", "CREDS", "PAT", "DSN", "CERT", "PIN", "SALT", "SIGNATURE":
			return true
		}
	}
	return false
}
