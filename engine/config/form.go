package config

import (
	_ "embed"
	"reflect"
	"time"

	"github.com/luahook/luahook/hooks"
)

// The form of hooks.yaml. Each key is listed here once, with the kind of its value and its help. The decoder
// walks these types, and the JSON Schema is generated from them. value.go and form_schema_test.go say which
// values a kind allows.

type document struct {
	Hooks section `json:"hooks" help:"The hooks and the settings of this file."`
}

// section has, in addition to these keys, its events, each with a list of entries.
type section struct {
	Enabled      bool         `json:"enabled" help:"false: none of this scope's hooks run."`
	OnFailure    hooks.Policy `json:"on_failure" help:"What a failure of these hooks means where they don't say it themselves."`
	Limits       limits       `json:"limits" help:"How much one run of a Lua hook may use, and one event. The tightest of all scopes holds."`
	MaxFollowups followups    `json:"max_followups" help:"How often a hook may keep the agent from stopping before it must let the agent stop; 3 by default."`
	Store        storeURL     `json:"store" help:"Where hooks and the loop guard keep lasting values: file (the default of the command), memory, or a Redis as redis://host:6379/0. In the user's or the managed file only."`
	Tasks        Tasks        `json:"tasks" help:"Which tracker the tasks of hooks are in: file (a file of luahook's own, the default of the command), {file: PATH}, or bd (the command of the issue tracker beads). In the user's or the managed file only."`
	Record       recording    `json:"record" help:"What the decision log keeps of an event: decisions (the default) keeps the length and a hash of prompts, responses and outputs; events keeps their text, redacted; off keeps nothing of it. In the user's or the managed file only."`
	Grant        grant        `json:"grant" help:"What the scripts of this file's scope may reach outside their sandbox. In a project's file it is what they ask for."`
}

type limits struct {
	Instructions instructions `json:"instructions" help:"Lua instructions of one run; 5,000,000 by default."`
	Timeout      duration     `json:"timeout" help:"Time of one run of a Lua hook, such as 200ms; 1s by default."`
	Memory       size         `json:"memory" help:"Memory of one run, such as 32MiB or 100MB; 64MiB by default, at least 1MiB."`
	Event        duration     `json:"event" help:"Time of all hooks of one event together, such as 10s."`
	Loading      instructions `json:"loading" help:"Work of reading and loading a project's hooks, in Lua instructions; 50,000,000 by default, about a second. In the user's or the managed file only."`
}

type entry struct {
	Name         text           `json:"name" help:"What reasons, summaries and logs call the hook."`
	Builtin      builtin        `json:"builtin" help:"A built-in hook, by its name."`
	Script       text           `json:"script" help:"A Lua script (.lua), or another file to run as a command. A relative path starts at the project's root; in a user's or managed file at the folder of the file."`
	Command      text           `json:"command" help:"A shell command, or with args a program. It gets the event as JSON on standard input."`
	Args         []text         `json:"args" help:"Arguments of command, which then runs without a shell."`
	With         map[string]any `json:"with" help:"Options of a built-in or a Lua script, which gets them as its first argument."`
	Match        *hooks.Matcher `json:"match" help:"When the hook runs: a name, a list a|b, a glob or /a regular expression/, or a mapping of the event's fields to such patterns."`
	Priority     int            `json:"priority" help:"Higher runs first within one scope; 0 by default."`
	OnFailure    hooks.Policy   `json:"on_failure" help:"What a failure of the hook means."`
	Timeout      duration       `json:"timeout" help:"Time of one run, such as 200ms; of a command 30s by default, of a Lua hook at most limits.timeout."`
	Mode         hooks.Mode     `json:"mode" help:"sync: in order. parallel: at the same time as the parallel hooks next to it. async: observes while the event goes on, and decides nothing."`
	Once         bool           `json:"once" help:"true: once per session."`
	Enabled      bool           `json:"enabled" help:"false: the hook doesn't run."`
	InjectOutput bool           `json:"inject_output" help:"true: plain text that the command prints is context for the model."`
	Grant        grant          `json:"grant" help:"What this hook may reach outside its sandbox, in addition to what the file grants."`
}

type grant struct {
	FSRead  bool       `json:"fs.read" help:"Read files of the project."`
	FSWrite bool       `json:"fs.write" help:"Write and delete files of the project."`
	Git     bool       `json:"git" help:"Read the project's git repository."`
	Tasks   bool       `json:"tasks" help:"Create and read tasks in the tracker that is configured."`
	Env     []variable `json:"env" help:"Environment variables, by name or by a glob such as GITHUB_*."`
	Exec    []program  `json:"exec" help:"Programs to run, by name or absolute path."`
	HTTP    []host     `json:"http" help:"Hosts to reach: host, host:port or *.host."`
}

// The kinds of values that Go's own types don't name.
type (
	text         string        // not empty
	builtin      string        // a name of builtins
	duration     time.Duration // above 0
	size         int64         // bytes
	instructions int64         // above 0
	followups    int           // from 0
	storeURL     string        // file, memory, or the URL of a Redis
	recording    string        // decisions, events or off
	variable     string        // a name or a glob
	program      string        // a name or an absolute path
	host         string        // host, host:port or *.host
)

// key returns the name of a field in the file.
func key(f reflect.StructField) string { return f.Tag.Get("json") }

// keysOf lists the keys of a struct of the form.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, key(t.Field(i)))
	}
	return keys
}

// belongs says where a misplaced key belongs, or "".
func belongs(key string, in reflect.Type) string {
	if in == reflect.TypeFor[entry]() && key == "event" {
		return "the event is the key above the list that the hook stands in"
	}
	for _, place := range []struct {
		of    reflect.Type
		where string
	}{
		{reflect.TypeFor[section](), `"hooks"`},
		{reflect.TypeFor[limits](), `"limits"`},
		{reflect.TypeFor[grant](), `"grant"`},
		{reflect.TypeFor[entry](), "an event, in a hook of its list"},
	} {
		if place.of == in {
			continue
		}
		for _, k := range keysOf(place.of) {
			if k == key {
				return "it belongs under " + place.where
			}
		}
	}
	return ""
}

// schema is made from the types in form.go: go test ./engine/config -update
//
//go:embed hooks.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of hooks.yaml, for editors. It has every key, the values as far
// as a schema can describe them, and the events in the spellings of the catalogue. The caller may change the
// bytes.
func Schema() []byte { return append([]byte(nil), schema...) }
