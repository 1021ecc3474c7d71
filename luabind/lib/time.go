package lib

import (
	"fmt"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func timeModule() luabind.Module {
	start := time.Now()
	return module("time", "the clock; times are seconds since 1970, with fractions",
		function{
			"now", "(): number",
			"the time",
			`assert(time.now() > 1.7e9)`,
			func(c call) int { return c.give(lua.LNumber(float64(c.now().UnixNano()) / 1e9)) },
		},
		function{
			"date", "(format?: string, seconds?: number): string",
			"a time, or now, by a format of %Y %m %d %H %M %S %z %F %T %j %a %b %%, local, or in UTC with a leading !; the format is \"%F %T\" if none is given",
			`assert(time.date("!%F %T", 0) == "1970-01-01 00:00:00")`,
			dateOf,
		},
		function{
			"iso", "(seconds?: number): string",
			"a time, or now, as RFC 3339 in UTC, in whole seconds",
			`assert(time.iso(86400) == "1970-01-02T00:00:00Z")`,
			func(c call) int { return c.giveText(instant(c, 1).UTC().Format(time.RFC3339)) },
		},
		function{
			"parse", "(text: string): number",
			"the time that an RFC 3339 text names; an error for any other text",
			`assert(time.parse("1970-01-02T01:00:00+01:00") == 86400)`,
			parseTime,
		},
		function{
			"clock", "(): number",
			"seconds since some start, which never go back; for measuring",
			`local start = time.clock()
assert(time.clock() - start >= 0)`,
			func(c call) int { return c.give(lua.LNumber(c.now().Sub(start).Seconds())) },
		})
}

// The times that RFC 3339 can write.
const (
	firstSecond = -62_167_219_200 // 0000-01-01T00:00:00Z
	endSecond   = 253_402_300_800 // 10000-01-01T00:00:00Z
)

// instant is the time in argument n, and now where there is none.
func instant(c call, n int) time.Time {
	if c.Get(n) == lua.LNil {
		return c.now()
	}
	seconds := c.number(n)
	if !(seconds >= firstSecond && seconds < endSecond) { // NaN is neither
		c.bad(n, "seconds between the years 0 and 9999 expected, got "+lua.LNumber(seconds).String())
	}
	whole := math.Floor(seconds)
	return time.Unix(int64(whole), int64((seconds-whole)*1e9))
}

func parseTime(c call) int {
	text := c.text(1)
	t, err := time.Parse(time.RFC3339, cut(text, 100)) // no time is that long
	if err != nil {
		c.bad(1, fmt.Sprintf("RFC 3339 time like 2006-01-02T15:04:05Z expected, got %q", cut(text, 100)))
	}
	return c.give(lua.LNumber(float64(t.Unix()) + float64(t.Nanosecond())/1e9))
}

// layoutOf returns what a letter of a format stands for, in the words of package time; "" for none.
func layoutOf(letter byte) string {
	switch letter {
	case 'Y':
		return "2006"
	case 'm':
		return "01"
	case 'd':
		return "02"
	case 'H':
		return "15"
	case 'M':
		return "04"
	case 'S':
		return "05"
	case 'z':
		return "-0700"
	case 'F':
		return "2006-01-02"
	case 'T':
		return "15:04:05"
	case 'j':
		return "002"
	case 'a':
		return "Mon"
	case 'b':
		return "Jan"
	}
	return ""
}

const maxFormat = 10_000

func dateOf(c call) int {
	format, t := c.textOr(1, "%F %T"), instant(c, 2)
	if len(format) > maxFormat {
		c.bad(1, fmt.Sprintf("the format is longer than %d bytes", maxFormat))
	}
	c.charge(20 * len(format))
	c.allocate(5 * len(format)) // of a letter up to 10 characters
	format, utc := strings.CutPrefix(format, "!")
	if utc {
		t = t.UTC()
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		if i++; i == len(format) {
			c.bad(1, "the format ends with a %; write %% for a percent sign")
		}
		layout := layoutOf(format[i])
		switch {
		case format[i] == '%':
			b.WriteByte('%')
		case layout != "":
			b.WriteString(t.Format(layout))
		default:
			letter := []rune(format[i:min(len(format), i+4)])[0]
			c.bad(1, fmt.Sprintf("unknown letter %%%c; there are %%Y %%m %%d %%H %%M %%S %%z %%F %%T %%j %%a %%b %%%%", letter))
		}
	}
	return c.giveText(b.String())
}
