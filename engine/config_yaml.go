package engine

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/hooks"
)

// configDecoder walks the YAML tree by hand, because every complaint needs its line
// and column. An entry that can't be used is left out; the others stay.
type configDecoder struct {
	name   string
	config *config
	errors []error
}

// decode reads the whole file.
func (d *configDecoder) decode(text []byte) {
	body := d.parse(text)
	if body == nil {
		return
	}
	d.each(body, "the file", func(key string, k, v ast.Node) {
		if key != "hooks" {
			if event, err := hooks.ParseEvent(key); err == nil && hooks.Nearest(key, []string{"hooks"}) == "" {
				d.failAt(k, "unknown key %q; the event %s belongs under \"hooks\"", key, event)
				return
			}
			d.failAt(k, "unknown key %q%s", key, hooks.DidYouMean(key, []string{"hooks"}))
			return
		}
		d.each(v, "hooks", d.section)
	})
}

var sectionKeys = []string{"enabled", "on_failure", "limits"}

// section reads one key under hooks: a setting or an event.
func (d *configDecoder) section(key string, k, v ast.Node) {
	switch key {
	case "enabled":
		if b, ok := d.boolean(key, v); ok {
			d.config.disabled = !b
		}
		return
	case "on_failure":
		d.config.onFailure = d.policy(v)
		return
	case "limits":
		d.each(v, "limits", d.limit)
		return
	}
	event, err := hooks.ParseEvent(key)
	if err != nil {
		if near := hooks.Nearest(key, sectionKeys); near != "" {
			err = fmt.Errorf("unknown key %q; did you mean %q?", key, near)
		}
		d.failAt(k, "%v", err)
		return
	}
	list, ok := v.(*ast.SequenceNode)
	if !ok {
		if _, empty := v.(*ast.NullNode); !empty {
			d.failAt(v, "%s: want a list of hooks, each with builtin or script", key)
		}
		return
	}
	for _, n := range list.Values {
		d.hook(event, n)
	}
}

var hookKeys = []string{"name", "builtin", "script", "with", "match", "priority", "on_failure", "timeout", "enabled"}

// laterKeys are keys of hooks that this version can't run.
var laterKeys = []string{"command", "args", "inject_output", "mode", "once"}

// hook reads one entry under an event.
func (d *configDecoder) hook(event hooks.Event, n ast.Node) {
	problems := len(d.errors)
	h := listedHook{event: event, set: map[string]bool{}, source: d.name}
	if t := n.GetToken(); t != nil && t.Position != nil {
		h.source = fmt.Sprintf("%s:%d", d.name, t.Position.Line)
	}
	d.each(n, "a hook", func(key string, k, v ast.Node) {
		h.set[key] = true
		d.hookKey(&h, key, k, v)
	})
	switch {
	case len(d.errors) > problems:
		return
	case h.builtin == "" && h.script == "":
		d.failAt(n, "the hook has neither builtin nor script")
		return
	case h.builtin != "" && h.script != "":
		d.failAt(n, "the hook has both builtin and script; write two hooks")
		return
	}
	d.config.hooks = append(d.config.hooks, h)
}

func (d *configDecoder) hookKey(h *listedHook, key string, k, v ast.Node) {
	switch key {
	case "name":
		h.options.Name, _ = d.text(key, v)
	case "builtin":
		if name, ok := d.text(key, v); ok {
			if _, known := builtins.Source(name); !known {
				d.failAt(v, "%v", unknownBuiltin(name))
			}
			h.builtin = name
		}
	case "script":
		if name, ok := d.text(key, v); ok {
			if filepath.Ext(name) != ".lua" {
				d.failAt(v, "script %q is not a .lua file; commands as hooks are not in this version", name)
			}
			h.script = name
		}
	case "with":
		with, ok := plain(v).(map[string]any)
		if !ok {
			d.failAt(v, "with: want a mapping of options")
		}
		h.with = with
	case "match":
		h.options.Match = d.match(v)
	case "priority":
		n, ok := scalar(v).(int64)
		if !ok {
			d.failAt(v, "priority: want a whole number")
		}
		h.options.Priority = int(n)
	case "on_failure":
		h.options.OnFailure = d.policy(v)
	case "timeout":
		h.options.Timeout = d.timeout(v)
	case "enabled":
		b, ok := d.boolean(key, v)
		h.options.Disabled = ok && !b
	default:
		if slices.Contains(laterKeys, key) {
			d.failAt(k, "%s is not in this version; a hook here is a builtin or a Lua script", key)
			return
		}
		d.failAt(k, "unknown key %q%s", key, hooks.DidYouMean(key, hookKeys))
	}
}

func (d *configDecoder) match(v ast.Node) (m *hooks.Matcher) {
	var err error
	switch value := plain(v).(type) {
	case string:
		m, err = hooks.ParseMatcher(value)
	case map[string]any:
		fields := map[string]string{}
		for k, e := range value {
			text, ok := e.(string)
			if !ok {
				err = fmt.Errorf("match.%s: want a pattern", k)
			}
			fields[k] = text
		}
		if err == nil {
			m, err = hooks.MatchFields(fields)
		}
	default:
		err = errors.New("match: want a pattern or a mapping of fields to patterns")
	}
	if err != nil {
		d.failAt(v, "%v", err)
	}
	return m
}

func (d *configDecoder) policy(v ast.Node) hooks.Policy {
	text, ok := d.text("on_failure", v)
	if !ok {
		return ""
	}
	p, err := hooks.ParsePolicy(text)
	if err != nil {
		d.failAt(v, "%v", err)
	}
	return p
}

func (d *configDecoder) timeout(v ast.Node) time.Duration {
	t, err := hooks.ParseTimeout(fmt.Sprint(scalar(v)))
	if err != nil {
		d.failAt(v, "%v", err)
	}
	return t
}

func (d *configDecoder) text(key string, v ast.Node) (string, bool) {
	s, ok := scalar(v).(string)
	if !ok || s == "" {
		d.failAt(v, "%s: want text", key)
	}
	return s, ok && s != ""
}

func (d *configDecoder) boolean(key string, v ast.Node) (b, ok bool) {
	b, ok = scalar(v).(bool)
	if !ok {
		d.failAt(v, "%s: want true or false", key)
	}
	return b, ok
}
