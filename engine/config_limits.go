package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/hooks"
)

// minMemory is the least that limits.memory may say. Below it the heap's ordinary
// ups and downs would stop hooks that do nothing wrong; and who writes 64 has meant
// 64MiB.
const minMemory = 1 << 20

// limit reads one key under limits.
func (d *configDecoder) limit(key string, k, v ast.Node) {
	switch key {
	case "instructions":
		n, ok := scalar(v).(int64)
		if !ok || n < 1 {
			d.failAt(v, "limits.instructions: want a whole number above 0")
		}
		d.config.limits.Instructions = n
	case "timeout":
		d.config.limits.Timeout = d.timeout(v)
	case "memory":
		text := fmt.Sprint(scalar(v))
		n, ok := parseSize(text)
		switch {
		case !ok:
			d.failAt(v, "limits.memory is %q, want a size like \"64MiB\" or \"100MB\"", text)
		case n < minMemory:
			d.failAt(v, "limits.memory is %q, want at least 1MiB", text)
		}
		d.config.limits.Memory = n
	default:
		d.failAt(k, "unknown limit %q%s", key, hooks.DidYouMean(key, []string{"instructions", "timeout", "memory"}))
	}
}

var sizeUnits = map[string]int64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// parseSize reads a whole number of bytes, or one with a unit behind it.
func parseSize(text string) (bytes int64, ok bool) {
	digits := strings.TrimRight(text, " BKMGibkmg")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || !known || int64(n) > math.MaxInt64/unit {
		return 0, false
	}
	return int64(n) * unit, true
}
