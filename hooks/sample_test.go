package hooks_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestSamplesAreEventsOfTheirName(t *testing.T) {
	for _, info := range hooks.Events() {
		c, err := hooks.DecodeContext(hooks.Sample(info), "")
		if err != nil {
			t.Errorf("%s: %v\n%s", info.Name, err, hooks.Sample(info))
			continue
		}
		if c.Event != info.Name || len(c.Metadata) > 0 {
			t.Errorf("%s: sample reads as %s with metadata %v", info.Name, c.Event, c.Metadata)
		}
	}
}
