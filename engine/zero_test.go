package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/engine/spill"
	"github.com/luahook/luahook/engine/store"
	"github.com/luahook/luahook/engine/store/file"
	"github.com/luahook/luahook/engine/store/redis"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// calls calls a function with nothing at all, and with a context and nothing else. Nothing
// panics, and where the function takes a context and gives an error, none is an error.
func calls(t *testing.T, name string, f reflect.Value, wantsError bool) {
	t.Helper()
	takes := false
	for i := range f.Type().NumIn() {
		takes = takes || f.Type().In(i) == contextType
	}
	for _, given := range []bool{false, true} {
		if given && !takes {
			continue
		}
		var in []reflect.Value
		for i := range f.Type().NumIn() {
			kind := f.Type().In(i)
			if f.Type().IsVariadic() && i == f.Type().NumIn()-1 {
				in = append(in, reflect.Zero(kind.Elem())) // one of it, which is nil
				continue
			}
			v := reflect.Zero(kind)
			if given && kind == contextType {
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				v = reflect.ValueOf(ctx)
			}
			in = append(in, v)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s, with a context: %t, panics: %v\n%s", name, given, p, debug.Stack())
				}
			}()
			out := f.Call(in)
			n := f.Type().NumOut()
			if n == 0 || f.Type().Out(n-1) != errorType {
				return
			}
			err, _ := out[n-1].Interface().(error)
			if err == nil && (wantsError || (takes && !given)) {
				t.Errorf("%s, with a context: %t, gives no error", name, given)
			}
			if err != nil && (strings.Contains(err.Error(), "\n") || strings.TrimSpace(err.Error()) == "") {
				t.Errorf("%s: the error is no line: %q", name, err)
			}
		}()
	}
}

// Every public method of what isn't made as it has to be is an error, or says nothing.
func TestZeroValues(t *testing.T) {
	for _, v := range []any{
		&engine.Engine{}, &engine.Delivery{}, &engine.Survey{},
		&audit.Log{}, &audit.File{}, &task.Beads{}, &task.File{}, &file.Store{}, &redis.Store{}, &override.Store{}, &spill.Folder{}, &trust.Store{}, &command.Command{},
	} {
		for _, receiver := range []reflect.Value{reflect.ValueOf(v), reflect.Zero(reflect.TypeOf(v))} {
			for i := range receiver.NumMethod() {
				name := receiver.Type().Method(i).Name
				_, lists := v.(*trust.Store) // one without a file has nothing, and is of use
				lists = lists && name == "List" && !receiver.IsNil()
				calls(t, fmt.Sprintf("(%s)(nil: %t).%s", receiver.Type(), receiver.IsNil(), name), receiver.Method(i), name != "Done" && name != "Close" && !lists)
			}
		}
	}
	// Of these the zero value is of use, or a value, or an error.
	for _, v := range []any{
		&engine.ToolError{}, &engine.PanicError{}, &engine.AgentError{}, &store.Memory{}, &store.UnavailableError{}, &store.QuotaError{}, &store.NotNumberError{}, &store.Space{}, &store.Quota{},
		&audit.Filter{}, &audit.Error{}, &audit.Record{}, &override.Permission{}, &config.Config{}, &config.Hook{},
		&hooks.Context{}, &hooks.ErrorInfo{}, &hooks.EventInfo{}, &hooks.Grants{}, &hooks.InputError{}, &hooks.Error{}, &hooks.Matcher{}, &hooks.Result{},
		&hooks.RunID{}, &hooks.ToolCall{}, &hooks.UnknownEventError{}, &hooks.Usage{},
	} {
		receiver := reflect.ValueOf(v)
		for i := range receiver.NumMethod() {
			calls(t, fmt.Sprintf("(%s).%s", receiver.Type(), receiver.Type().Method(i).Name), receiver.Method(i), false)
		}
	}
}

// Every public function that takes something that may be nil does without it.
func TestFunctionsOfNothing(t *testing.T) {
	for name, f := range map[string]any{
		"NewContext": engine.NewContext, "FromContext": engine.FromContext, "WithCaller": engine.WithCaller, "CallerFrom": engine.CallerFrom,
		"WithToolCallID": engine.WithToolCallID, "Delivering": engine.Delivering, "WrapTool": engine.WrapTool, "ToolContexts": engine.ToolContexts,
		"ToolKind": engine.ToolKind, "ToolResults": engine.ToolResults, "ToolTimeout": engine.ToolTimeout, "TrustedProjects": engine.TrustedProjects,
		"SurveyProject": engine.SurveyProject, "FindProject": engine.FindProject,
		"audit.Follow": audit.Follow, "audit.Read": audit.Read, "audit.Given": audit.Given, "audit.About": audit.About, "audit.RunOf": audit.RunOf, "audit.Cause": audit.Cause, "audit.Open": audit.Open,
		"audit.Size": audit.Size, "audit.OpenFiles": audit.OpenFiles, "audit.OpenPath": audit.OpenPath, "audit.ParseLine": audit.ParseLine, "audit.ReadIndex": audit.ReadIndex, "audit.WriteIndex": audit.WriteIndex, "store.Add": store.Add, "store.Check": store.Check, "store.Counting": store.Counting, "store.NotNumber": store.NotNumber,
		"store.Note": store.Note, "store.Noting": store.Noting, "store.Pause": store.Pause, "store.Waited": store.Waited, "config.Decode": config.Decode,
		"command.New":      command.New,
		"hooks.CloneValue": hooks.CloneValue, "hooks.DecodeAnswer": hooks.DecodeAnswer, "hooks.DecodeContext": hooks.DecodeContext, "hooks.DecodeJSON": hooks.DecodeJSON,
		"hooks.EncodeJSON": hooks.EncodeJSON, "hooks.MatchFields": hooks.MatchFields, "hooks.ParseMatcher": hooks.ParseMatcher, "hooks.Merge": hooks.Merge,
		"hooks.PlainValue": hooks.PlainValue, "hooks.Sample": hooks.Sample, "hooks.AsError": hooks.AsError,
	} {
		calls(t, name, reflect.ValueOf(f), false)
	}
}

// Options of nothing are errors of New, or are as if they weren't given; the engine works.
func TestOptionsOfNothing(t *testing.T) {
	for name, o := range map[string]engine.Option{
		"WithAsk": engine.WithAsk(nil), "WithAudit": engine.WithAudit(nil, engine.RecordDecisions), "WithHostObject": engine.WithHostObject("x", nil, "Y"),
		"WithLogger": engine.WithLogger(nil), "WithObserver": engine.WithObserver(nil), "WithOnError": engine.WithOnError(nil),
		"WithOnReload": engine.WithOnReload(nil), "WithOverrides": engine.WithOverrides(nil), "WithSpill": engine.WithSpill(nil),
		"WithStore": engine.WithStore(nil), "WithStores": engine.WithStores(nil), "WithTasks": engine.WithTasks(nil),
		"WithTrust": engine.WithTrust(""), "WithUserDir": engine.WithUserDir(""), "WithProject": engine.WithProject(engine.Project{}),
		"WithHooksDir": engine.WithHooksDir("", ""), "WithBuiltin": engine.WithBuiltin("", nil), "WithScript": engine.WithScript("", ""), "nil": nil,
	} {
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s panics: %v\n%s", name, p, debug.Stack())
				}
			}()
			e, err := engine.New(o)
			if err != nil {
				return
			}
			fire(t, e, bash("ls"))
			if err := e.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
	}
}

// What can't be judged is denied where that can be, and the errors can be told.
func TestErrorsOfWrongUse(t *testing.T) {
	e := newEngine(t)
	var none *engine.Engine
	guard := register(t, e, hooks.PreToolCall, hooks.Options{Name: "guard"}, nothing)
	defer guard()
	for name, c := range map[string]struct {
		engine *engine.Engine
		ctx    context.Context
		want   error
	}{
		"no context":                 {e, nil, engine.ErrNoContext},
		"a zero engine":              {&engine.Engine{}, context.Background(), engine.ErrNotMade},
		"no engine":                  {none, context.Background(), engine.ErrNotMade},
		"neither engine nor context": {none, nil, engine.ErrNotMade},
	} {
		t.Run(name, func(t *testing.T) {
			is := func(what string, err error) {
				t.Helper()
				if !errors.Is(err, c.want) {
					t.Errorf("%s: %v, want %v", what, err, c.want)
				}
			}
			for _, event := range []*hooks.Context{bash("ls"), {Event: "PreToolUse"}, nil} {
				r, err := c.engine.Fire(c.ctx, event)
				if event != nil {
					is("Fire", err)
				}
				if err == nil || r == nil || !r.Block {
					t.Errorf("Fire: %+v, %v", r, err)
				}
			}
			if r, err := c.engine.Fire(c.ctx, &hooks.Context{Event: hooks.Stop}); err == nil || r == nil || r.Block {
				t.Errorf("Fire of stop: %+v, %v", r, err)
			}
			is("Reload", c.engine.Reload(c.ctx))
			is("Watch", c.engine.Watch(c.ctx))
			is("Close", c.engine.Close(c.ctx))
			is("Drain", c.engine.Drain(c.ctx))
			r, err := c.engine.ReportError(c.ctx, errors.New("x"))
			if is("ReportError", err); r == nil {
				t.Error("ReportError gives no result")
			}
			ran := false
			body := func(context.Context, json.RawMessage) (string, error) { ran = true; return "", nil }
			text, err := c.engine.WrapTool("bash", body)(c.ctx, []byte(`{"command":"ls"}`))
			var tool *engine.ToolError
			if is("WrapTool", err); ran || !errors.As(err, &tool) || text != tool.Message {
				t.Errorf("WrapTool: ran: %t, %q, %v", ran, text, err)
			}
			if c.engine == e {
				return
			}
			_, err = c.engine.RegisterHook(hooks.Stop, hooks.Options{}, nothing)
			is("RegisterHook", err)
			if problems := c.engine.LoadErrors(); len(problems) != 1 || problems[0] != c.want {
				t.Errorf("Problems: %v", problems)
			}
		})
	}
	text, err := engine.WrapTool("bash", nil)(nil, nil) //nolint:staticcheck // that is what is tested
	if !errors.Is(err, engine.ErrNoEngine) || text == "" {
		t.Errorf("WrapTool: %q, %v", text, err)
	}
	if _, ok := engine.FromContext(engine.NewContext(context.Background(), nil)); ok {
		t.Error("no engine is one")
	}
	fire(t, e, bash("ls")) // it is as it was
}
