package builtins_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
	"github.com/luahook/luahook/luabind/lib"
)

const registeredFile = "registered.txt"

func writeRegistered() error {
	text, err := registeredByAll()
	if err != nil {
		return err
	}
	return os.WriteFile(registeredFile, []byte(text), 0o644)
}

// TestRegistered compares registered.txt with what the built-ins register when they are loaded; `go test
// ./builtins -update` writes it. An engine relies on it until it makes a state, which fails if the file is
// wrong.
func TestRegistered(t *testing.T) {
	if *update {
		t.Skip("it is written when the tests are over")
	}
	want, err := registeredByAll()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(registeredFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Fatalf("%s is not what the built-ins register; run `go test ./builtins -update`", registeredFile)
	}
	for _, name := range builtins.Names() {
		if n := len(builtins.Hooks(name)); n != strings.Count("\n"+want, "\n"+name+" ") {
			t.Errorf("%s: %d hooks are read", name, n)
		}
	}
	if !strings.Contains(want, builtins.Default+" pre_tool_call ") {
		t.Errorf("%s isn't there", builtins.Default)
	}
}

func registeredByAll() (string, error) {
	var b strings.Builder
	for _, name := range builtins.Names() {
		if needed[name] != nil {
			continue // it has a required option
		}
		list, err := registeredBy(name)
		if err != nil {
			return "", err
		}
		for _, r := range list {
			line, err := registeredLine(name, r)
			if err != nil {
				return "", err
			}
			b.WriteString(line + "\n")
		}
	}
	return b.String(), nil
}

// registeredBy loads a built-in from the folder as it is now, without options.
func registeredBy(name string) ([]luabind.Registration, error) {
	program := func(own, path string) (*compile.Program, error) {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return compile.Script(own, string(source))
	}
	libraries := map[string]*luabind.Library{}
	for library, f := range builtins.Files(name) {
		libraries[library] = luabind.LazyLibrary(library, func() (*compile.Program, error) { return program(library, f.Path()) })
	}
	main, err := program("builtin:"+name, name+".lua")
	if err != nil {
		return nil, err
	}
	var logged bytes.Buffer
	limits := luabind.Limits{Instructions: 1e9, Memory: 1 << 30, Timeout: time.Minute}
	state, err := luabind.NewState(context.Background(), main, luabind.Environment{
		Modules: append(lib.Modules(), lib.HostModule(lib.Host{}), lib.PassesModule(), lib.AuditModule(), lib.PatternsModule(), lib.RulesModule()),
		Words:   lib.Words(), Libraries: libraries, Limits: limits, Logger: slog.New(slog.NewTextHandler(&logged, nil)),
	})
	if err != nil {
		return nil, err
	}
	if logged.Len() > 0 {
		return nil, fmt.Errorf("%s logs something when it is loaded: %s", name, &logged)
	}
	return slices.Clone(state.Registrations()), nil
}

var matchedField = regexp.MustCompile(`([^{ =]+)="([^" ]*)"`)

// registeredLine is a hook as Hooks reads it.
func registeredLine(name string, r luabind.Registration) (string, error) {
	o := r.Options
	words := []string{name, string(r.Event), strings.TrimPrefix(r.Source, "builtin:"+name+":")}
	if o.Name != "" {
		words = append(words, "name="+o.Name)
	}
	if o.Match != nil {
		for _, m := range matchedField.FindAllStringSubmatch(o.Match.String(), -1) {
			words = append(words, "match."+m[1]+"="+m[2])
		}
	}
	if o.OnFailure != "" {
		words = append(words, "on_failure="+string(o.OnFailure))
	}
	if o.Always {
		words = append(words, "always")
	}
	if r.Answers != "" {
		words = append(words, "answers="+r.Answers)
	}
	known := hooks.Options{Name: o.Name, Match: o.Match, OnFailure: o.OnFailure, Always: o.Always}
	line := strings.Join(words, " ")
	if o != known || len(strings.Fields(line)) != len(words) {
		return "", fmt.Errorf("%s: registered.txt has no words for all that the hook %q says; teach it", name, o.Name)
	}
	return line, nil
}
