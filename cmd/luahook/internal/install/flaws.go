package install

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Flaw is why an agent doesn't run hooks of luahook's that stand in its settings, or not for all that they are for.
type Flaw struct {
	File  string // where it stands
	Event string // as the agent calls it; "": it's about all hooks
	Why   string // as `"disableAllHooks" is true`
	Never bool   // they decide nothing; else they are called for a part, or may take too little time
}

func (f Flaw) String() string { return f.Why }

// flaws are those of the hooks in a file. Files that can't be read have none.
func (t *Target) flaws(f file, text []byte, ours []found) []Flaw {
	var all []Flaw
	add := func(event, why string, never bool) {
		if why != "" {
			all = append(all, Flaw{File: f.path, Event: event, Why: why, Never: never})
		}
	}
	switch form := f.form.(type) {
	case tomlForm:
		add("", offInTOML(text), true)
	case *jsonForm:
		root, err := parseJSON(text)
		if err != nil {
			return nil
		}
		if off := t.host().off; off != nil {
			add("", off(root), true)
		}
		for _, e := range ours {
			for _, holder := range form.holders(e) {
				add(e.event, deadBy(holder), true)
				add(e.event, narrowedBy(holder), false)
			}
			add(e.event, form.hurried(t, e), false)
		}
	}
	return all
}

// holders are the objects whose keys say when a hook is called: the hook itself, and the group that it is in.
func (f *jsonForm) holders(e found) []*node {
	all := []*node{e.node}
	if f.list {
		all = append(all, e.node.get("action"))
	}
	if n := len(e.place); f.nested && n > 1 {
		all = append(all, e.place[n-2].in)
	}
	return all
}

// deadBy is why a hook decides nothing.
func deadBy(n *node) string {
	for _, key := range []struct{ name, value string }{{"enabled", "false"}, {"disabled", "true"}, {"async", "true"}} {
		if v := n.get(key.name); v != nil && v.text == key.value {
			return fmt.Sprintf("%q is %s", key.name, key.value)
		}
	}
	return ""
}

// narrowedBy is why a hook isn't called for all events of its name.
func narrowedBy(n *node) string {
	for _, key := range []string{"matcher", "if"} {
		if text, is := n.str(key); is && !slices.Contains([]string{"", "*", ".*", "^.*$"}, text) {
			return fmt.Sprintf("%q is %s", key, excerpt(text))
		}
	}
	return ""
}

// hurried is why an agent may give up a hook before luahook has answered.
func (f *jsonForm) hurried(t *Target, e found) string {
	event := t.Agent.EventNamed(e.event)
	if event == nil {
		return ""
	}
	wanted := f.hook(event, t.words(event.Name))
	for _, key := range []string{"timeout", "timeoutSec"} {
		want, err := strconv.ParseFloat(fmt.Sprint(wanted.get(key)), 64)
		v := e.node.get(key)
		if err != nil || v == nil {
			continue
		}
		if has, err := strconv.ParseFloat(v.text, 64); err == nil && has < want {
			return fmt.Sprintf("%q is %s, and luahook may take %s", key, v.text, strconv.FormatFloat(want, 'f', -1, 64))
		}
	}
	return ""
}

// isTrue is why an agent runs no hooks where a key is true.
func isTrue(key string) func(root *node) string {
	return func(root *node) string {
		if v := root.get(key); v != nil && v.text == "true" {
			return fmt.Sprintf("%q is true", key)
		}
		return ""
	}
}

// offInGemini is why Gemini CLI runs no hooks, or not luahook's.
func offInGemini(root *node) string {
	settings := root.get("hooksConfig")
	if v := settings.get("enabled"); v != nil && v.text == "false" {
		return `"hooksConfig.enabled" is false`
	}
	if list := settings.get("disabled"); list != nil {
		for _, it := range list.items {
			if strings.Contains(it.value.text, "luahook") {
				return fmt.Sprintf(`"hooksConfig.disabled" has %s`, excerpt(it.value.text))
			}
		}
	}
	return ""
}

// offInCodex is why Codex refuses a hooks.json as a whole.
func offInCodex(root *node) string {
	for _, it := range root.items {
		if it.name != "hooks" && it.name != "description" {
			return fmt.Sprintf("Codex refuses a file with the key %s", excerpt(it.name))
		}
	}
	if events := root.get("hooks"); events != nil {
		for _, groups := range events.items {
			for _, group := range groups.value.items {
				if hooks := group.value.get("hooks"); hooks != nil {
					for _, hook := range hooks.items {
						if why := offByHook(hook.value); why != "" {
							return why
						}
					}
				}
			}
		}
	}
	return ""
}

func offByHook(hook *node) string {
	if kind, _ := hook.str("type"); kind == "http" {
		return `Codex refuses a file with a hook of the type "http"`
	}
	if v := hook.get("timeout"); v != nil && strings.Contains(v.text, ".") {
		return "Codex refuses a file with the timeout " + v.text
	}
	return ""
}

// offInCopilot is why Copilot runs no hooks, or refuses the file.
func offInCopilot(root *node) string {
	if v := root.get("version"); v != nil && v.text != "1" {
		return fmt.Sprintf(`"version" is %s, and Copilot takes 1`, excerpt(v.text))
	}
	return isTrue("disableAllHooks")(root)
}

// offInTOML is why Codex runs no hooks of any file.
func offInTOML(text []byte) string {
	var settings struct {
		Features map[string]any `toml:"features"`
	}
	if toml.Unmarshal(text, &settings) != nil {
		return ""
	}
	for _, name := range []string{"hooks", "codex_hooks"} {
		if settings.Features[name] == false {
			return "features." + name + " is false"
		}
	}
	return ""
}
