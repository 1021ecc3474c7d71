package hooks

import (
	"maps"
	"reflect"
	"slices"
)

// Clone returns a copy that shares nothing with c that can be changed.
func (c *Context) Clone() *Context {
	d := *c
	d.Metadata, _ = CloneValue(c.Metadata).(map[string]any)
	d.Fields, _ = CloneValue(c.Fields).(map[string]any)
	if c.ToolCall != nil {
		t := *c.ToolCall
		t.Input, _ = CloneValue(t.Input).(map[string]any)
		t.Output = CloneValue(t.Output)
		t.Paths = slices.Clone(t.Paths)
		d.ToolCall = &t
	}
	if c.Error != nil {
		e := *c.Error
		d.Error = &e
	}
	if c.Usage != nil {
		u := *c.Usage
		d.Usage = &u
	}
	return &d
}

// CloneValue copies a plain value: maps and lists to the bottom, everything else
// as it is. Where a map or list holds itself, the copy has nil.
func CloneValue(v any) any {
	c := &cloner{}
	return c.value(v)
}

// cloner remembers the maps and lists that the value being copied stands in.
type cloner struct{ above []uintptr }

// enter tells whether v doesn't hold itself; if so, leave must follow.
func (c *cloner) enter(v any) bool {
	at := reflect.ValueOf(v).Pointer()
	if slices.Contains(c.above, at) {
		return false
	}
	c.above = append(c.above, at)
	return true
}

func (c *cloner) leave() { c.above = c.above[:len(c.above)-1] }

func (c *cloner) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		if !c.enter(v) {
			return nil
		}
		defer c.leave()
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = c.value(e)
		}
		return m
	case []any:
		if len(v) == 0 {
			return v
		}
		if !c.enter(v) {
			return nil
		}
		defer c.leave()
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = c.value(e)
		}
		return l
	case []string:
		return slices.Clone(v)
	case map[string]string:
		return maps.Clone(v)
	case []map[string]any:
		l := make([]map[string]any, len(v))
		for i, e := range v {
			l[i], _ = c.value(e).(map[string]any)
		}
		return l
	}
	return v
}
