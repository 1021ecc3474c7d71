package wire

import "github.com/luahook/luahook/hooks"

// object is a JSON object whose fields are taken out one by one.
type object map[string]any

// first returns the first of the keys that is there and not null.
func (o object) first(keys ...string) (any, bool) {
	for _, key := range keys {
		if v, ok := o[key]; ok && v != nil {
			return v, true
		}
	}
	return nil, false
}

// has reports whether one of the keys is there and not null.
func (o object) has(keys ...string) bool {
	_, ok := o.first(keys...)
	return ok
}

// take returns the first of the keys that is there, and removes it.
func (o object) take(keys ...string) (any, bool) {
	for _, key := range keys {
		if v, ok := o[key]; ok && v != nil {
			delete(o, key)
			return v, true
		}
	}
	return nil, false
}

// text takes the first of the keys that holds a text that isn't empty. What is no text stays.
func (o object) text(keys ...string) string {
	for _, key := range keys {
		if s, ok := o[key].(string); ok && s != "" {
			delete(o, key)
			return s
		}
	}
	return ""
}

// unpack replaces JSON in texts by what it says, where that is an object.
func (o object) unpack(keys ...string) {
	for _, key := range keys {
		text, _ := o[key].(string)
		v, err := hooks.DecodeJSON([]byte(text))
		if inner, ok := v.(map[string]any); ok && err == nil {
			o[key] = inner
		}
	}
}

// move renames a key that is there, if the new name is free.
func (o object) move(from, to string) {
	if v, ok := o[from]; ok && v != nil && !o.has(to) {
		delete(o, from)
		o[to] = v
	}
}

// inner takes an object; empty where there is none.
func (o object) inner(key string) object {
	v, ok := o[key].(map[string]any)
	if ok {
		delete(o, key)
	}
	return v
}

// putBack sets what is left of an inner object, if anything is.
func (o object) putBack(key string, rest object) {
	if len(rest) > 0 {
		o[key] = map[string]any(rest)
	}
}

// moveFrom moves the first of the keys that is there in from to o, under another name. It reports whether there was one.
func (o object) moveFrom(to string, from object, keys ...string) bool {
	v, ok := from.take(keys...)
	if ok {
		o[to] = v
	}
	return ok
}

// fail says what went wrong, where [failure] finds it. An empty message or kind is left out.
func (o object) fail(message any, kind string) {
	failed := object{}
	if message != nil && message != "" {
		failed["message"] = message
	}
	set(failed, "kind", kind)
	o.putBack("error", failed)
}

// set sets a text that isn't empty.
func set(o object, key, text string) {
	if text != "" {
		o[key] = text
	}
}
