package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// Event returns the schema of an event, whose name may have any spelling: an object satisfies it if
// [hooks.DecodeContext], called with that name, reads it as that event. The event may be one of an embedder's own
// ("deploy.requested"). The error is a [*hooks.UnknownEventError].
//
// The schema accepts some events that the decoder refuses, because no schema can say why. It doesn't know tools, so
// a tool call's command, kind, name and input may contradict one another in it, and the input of a shell tool may
// have no text. The input as text may be no JSON object. A key may appear twice, an event may be too large, and a
// number may be one that neither an int64 nor a float64 holds. And it refuses a name of the event that has white
// space other than blanks around it.
func Event(name hooks.Event) ([]byte, error) {
	event, err := hooks.ParseEvent(string(name))
	if err != nil {
		return nil, err
	}
	info := hooks.Lookup(event)
	n := &node{
		Schema: dialect, ID: folder + "event." + string(event) + ".json",
		Title: fmt.Sprintf("%s, an event of luahook", event), Description: sentence(info.Help) + " Other keys are kept as metadata.",
		Type: types{"object"}, Defs: properties{{"tool_call", toolCall()}, {"error", failure()}, {"usage", usage()}},
		Examples: []json.RawMessage{hooks.Sample(info)},
	}
	for _, name := range info.FieldNames() {
		f := info.Field(name)
		value, help := ofField(f), sentence(f.Help)
		if name == "event" {
			value, help = eventName(info), "The event's name. It may be absent if the caller names the event, as `luahook eval "+string(event)+"` does."
		}
		if f.Required {
			n.Required = append(n.Required, name)
		} else {
			value = value.orNull()
		}
		n.Properties = append(n.Properties, property{name, value.described(help)})
	}
	return n.text(), nil
}

// sentence makes a sentence of a help text.
func sentence(help string) string { return strings.ToUpper(help[:1]) + help[1:] + "." }

// ofField is the schema of a field that is there.
func ofField(f *hooks.Field) *node {
	switch f.Type {
	case hooks.Record:
		return ref(f.Name)
	case hooks.Integer:
		return integer()
	case hooks.List:
		return ofType("array")
	case hooks.Any:
		return &node{}
	}
	return ofType(string(f.Type))
}

// integer is a whole number that luahook can hold.
func integer() *node {
	n := ofType("integer")
	n.Minimum, n.Maximum = "-9223372036854775808", "9223372036854775807"
	return n
}

// eventName is the name of one event, in all the ways that it may be written. "" counts as absent.
func eventName(info *hooks.EventInfo) *node {
	n := ofType("string")
	if !hooks.IsKnown(info.Name) {
		n.AnyOf = []*node{{Enum: []any{string(info.Name), ""}}, {Pattern: blanksAround(string(info.Name))}}
		return n
	}
	names := &node{Enum: []any{string(info.Name)}}
	folded := []string{spelling.Fold(string(info.Name))}
	n.AnyOf = []*node{names}
	for _, alias := range info.Aliases {
		names.Enum = append(names.Enum, alias)
		switch fold := spelling.Fold(alias); {
		case toTheLetter(alias):
			n.AnyOf = append(n.AnyOf, &node{Pattern: blanksAround(alias)})
		case !slices.Contains(folded, fold):
			folded = append(folded, fold)
		}
	}
	names.Enum = append(names.Enum, "")
	n.AnyOf = append(n.AnyOf, &node{Pattern: anySpelling(folded)})
	for _, other := range hooks.Events() {
		for _, alias := range other.Aliases {
			if other.Name != info.Name && toTheLetter(alias) && slices.Contains(folded, spelling.Fold(alias)) {
				n.Not = &node{Type: types{"string"}, Pattern: blanksAround(alias)}
			}
		}
	}
	return n
}

// toTheLetter reports whether a spelling counts only as it is written, because folded it is another event.
func toTheLetter(alias string) bool {
	exact, _ := hooks.ParseEvent(alias)
	folded, _ := hooks.ParseEvent(spelling.Fold(alias))
	return exact != folded
}

func blanksAround(name string) string { return "^ *" + regexp.QuoteMeta(name) + " *$" }

// otherInputs are the names under which the input of a tool call is read as well.
var otherInputs = [...]string{"arguments", "args", "parameters", "params", "tool_input", "toolInput", "toolArgs"}

func toolCall() *node {
	n := record(properties{
		{"id", ofType("string").described("The call's id.")},
		{"name", ofType("string").described("The tool, in any agent's spelling.")},
		{"host_name", ofType("string").described("The tool as the agent calls it, if name is another word for it.")},
		{"kind", toolKind().described("What the tool does. If absent, it is inferred from the name.")},
		{"command", ofType("string").described("The text of a shell tool, if there is no input.")},
		{"language", (&node{}).described("Written by luahook, and ignored.")},
		{"paths", listOf(ofType("string")).described("Files that the call names, besides those of its input.")},
		{"files", ofType("array").described("Written by luahook, and ignored.")},
		{"input", ofType("object").described("The tool's whole input.")},
		{"output", (&node{}).described("What the tool came back with.")},
		{"outcome", oneOfTexts(hooks.OutcomeOK, hooks.OutcomeError, hooks.OutcomeDenied, hooks.OutcomeTimeout, "").described("How the call ended.")},
		{"duration_ms", ofType("number").described("How long it took, in milliseconds.")},
		{"resumed", ofType("boolean").described("Whether a person was asked about this very call before it was begun again.")},
	})
	for _, key := range []string{"name", "host_name", "command"} {
		n.AnyOf = append(n.AnyOf, with(key, &node{Type: types{"string"}, MinLength: 1}))
	}
	given := &node{Not: ofType("null")}
	n.OneOf = []*node{with("input", given)}
	none := &node{Properties: properties{{"input", ofType("null")}}}
	for _, key := range otherInputs {
		value := ofType("object", "string").orNull().described("The input, as others call it: an object, or one as JSON text.")
		value.MediaType = "application/json"
		n.Properties = append(n.Properties, property{key, value})
		n.OneOf = append(n.OneOf, with(key, given))
		none.Properties = append(none.Properties, property{key, ofType("null")})
	}
	n.OneOf = append(n.OneOf, none)
	return n
}

// with is an object that has a key with such a value.
func with(key string, value *node) *node {
	return &node{Properties: properties{{key, value}}, Required: []string{key}}
}

func listOf(n *node) *node { return &node{Type: types{"array"}, Items: n} }

// toolKind is a kind of tools, in any case. "" counts as absent.
func toolKind() *node {
	kinds := []string{string(hooks.KindShell), string(hooks.KindRead), string(hooks.KindWrite), string(hooks.KindEdit), string(hooks.KindSearch),
		string(hooks.KindWeb), string(hooks.KindMCP), string(hooks.KindAgent), string(hooks.KindOther)}
	names := &node{Enum: []any{}}
	for _, kind := range append(kinds, "") {
		names.Enum = append(names.Enum, kind)
	}
	return &node{Type: types{"string"}, AnyOf: []*node{names, {Pattern: anyCase(kinds)}}}
}

func failure() *node {
	return record(properties{
		{"message", ofType("string").described("What went wrong.")},
		{"kind", ofType("string").described("The agent's word for what went wrong (network, timeout, rate_limit); of a failed hook it is hook.")},
		{"is_retryable", ofType("boolean").described("Whether another try may help.")},
		{"hook", ofType("string").described("The hook that failed.")},
		{"source", ofType("string").described("Where the hook is: file:line.")},
		{"event", ofType("string").described("The event that the hook was called for.")},
	})
}

func usage() *node {
	return record(properties{
		{"input_tokens", integer().described("Tokens that went to the model.")},
		{"output_tokens", integer().described("Tokens that came from the model.")},
		{"cache_tokens", integer().described("Tokens that came from a cache.")},
		{"cost_usd", ofType("number").described("What it cost, in US dollars.")},
	})
}

// record is an object whose keys may be null, and may not be spelled in another way. Other keys are allowed.
func record(keys properties) *node {
	n := &node{Type: types{"object"}}
	known := &node{}
	var names []string
	for _, key := range keys {
		help := key.node.Description
		key.node.Description = ""
		n.Properties = append(n.Properties, property{key.name, key.node.orNull().described(help)})
		known.Enum = append(known.Enum, key.name)
		names = append(names, key.name)
	}
	n.PropertyNames = &node{AnyOf: []*node{known, {Not: &node{Pattern: anySpelling(names)}}}}
	return n
}
