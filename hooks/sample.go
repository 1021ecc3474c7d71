package hooks

import "strings"

// Sample is a small event of that name as JSON, made of the examples in the
// catalogue. It is for trying hooks out; [DecodeContext] accepts it.
func Sample(info *EventInfo) []byte {
	if info == nil {
		return nil
	}
	var b strings.Builder
	b.WriteString(`{"event":"` + string(info.Name) + `"`)
	for _, f := range commonFields {
		if f.Example != "" {
			b.WriteString(`,"` + f.Name + `":` + f.Example)
		}
	}
	for _, f := range info.Fields {
		if f.Example != "" && (commonField(f.Name) == nil || commonField(f.Name).Example == "") {
			b.WriteString(`,"` + f.Name + `":` + f.Example)
		}
	}
	b.WriteString("}")
	return []byte(b.String())
}
