package luabind

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// directive is one %-directive of string.format.
type directive struct {
	minus, plus, space, alternate, zero bool

	width     int
	precision int // -1: none
	verb      byte
}

// formatting is one call of string.format.
type formatting struct {
	arguments
	argument int // the last one that was used
	out      output
	scratch  [64]byte
}

func stringFormat(L *lua.LState) int {
	f := formatting{arguments: arguments{L, "format"}, argument: 1, out: output{L: L}}
	rest := f.text(1)
	f.out.reserve(len(rest) + 8*L.GetTop())
	for {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			break
		}
		f.out.write(rest[:i])
		rest = rest[i+1:]
		Spend(L, 2)
		if strings.HasPrefix(rest, "%") {
			f.out.writeByte('%')
			rest = rest[1:]
			continue
		}
		d, n := f.parse(rest)
		rest = rest[n:]
		f.write(d)
	}
	f.out.write(rest)
	return f.giveText(f.out.text.String())
}

// parse reads the directive at the beginning of s, after its '%', and says how long it
// is.
func (f *formatting) parse(s string) (d directive, n int) {
	for ; n < len(s) && d.flag(s[n]); n++ {
		if n >= len("-+ #0") {
			f.RaiseError("invalid format (repeated flags)")
		}
	}
	d.precision = -1
	d.width, n = f.twoDigits(s, n)
	if n < len(s) && s[n] == '.' {
		d.precision, n = f.twoDigits(s, n+1)
	}
	if n < len(s) {
		d.verb = s[n]
		n++
	}
	return d, n
}

func (d *directive) flag(b byte) bool {
	switch b {
	case '-':
		d.minus = true
	case '+':
		d.plus = true
	case ' ':
		d.space = true
	case '#':
		d.alternate = true
	case '0':
		d.zero = true
	default:
		return false
	}
	return true
}

// twoDigits reads a number at s[at:] and says where it ends.
func (f *formatting) twoDigits(s string, at int) (number, end int) {
	for end = at; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		if end == at+2 {
			f.RaiseError("invalid format (width or precision too long)")
		}
		number = 10*number + int(s[end]-'0')
	}
	return number, end
}

// write writes the next argument as d says.
func (f *formatting) write(d directive) {
	f.argument++
	switch d.verb {
	case 'd', 'i':
		f.decimal(d, f.signed())
	case 'u', 'o', 'x', 'X':
		f.unsigned(d, f.bits())
	case 'c':
		f.scratch[0] = byte(f.integer(f.argument))
		f.padded(d, "", f.scratch[:1], false)
	case 'e', 'E', 'f', 'g', 'G':
		f.float(d, f.number(f.argument))
	case 's':
		f.string(d)
	case 'q':
		f.quoted(f.text(f.argument))
	case 0:
		f.RaiseError("invalid option '%s' to 'format'", "%")
	default:
		f.RaiseError("invalid option '%s' to 'format'", string([]byte{'%', d.verb}))
	}
}

// string writes the argument as tostring would.
func (f *formatting) string(d directive) {
	if f.argument > f.GetTop() {
		f.bad(f.argument, "string expected, got no value")
	}
	text := stateOf(f.LState).text(f.LState, f.Get(f.argument))
	if d.precision >= 0 && d.precision < len(text) {
		text = text[:d.precision]
	}
	fill := d.width - len(text)
	if !d.minus {
		f.out.pad(spaces, fill)
	}
	f.out.write(text)
	if d.minus {
		f.out.pad(spaces, fill)
	}
}

// quoted writes a string literal that Lua reads back as s.
func (f *formatting) quoted(s string) {
	f.out.reserve(len(s) + 2)
	f.out.writeByte('"')
	for len(s) > 0 {
		piece := s[:min(len(s), 1024)]
		s = s[len(piece):]
		Spend(f.LState, len(piece))
		for _, b := range []byte(piece) {
			switch b {
			case '"', '\\', '\n':
				f.out.writeByte('\\')
				f.out.writeByte(b)
			case '\r':
				f.out.write(`\r`)
			case 0:
				f.out.write(`\000`)
			default:
				f.out.writeByte(b)
			}
		}
	}
	f.out.writeByte('"')
}

// signed is the argument as C's cast to a 64-bit integer makes it: without its
// fraction, and the smallest one where none can hold it.
func (f *formatting) signed() int64 {
	if w, ok := f.exact(); ok {
		return w
	}
	v := f.number(f.argument)
	if !(v >= math.MinInt64 && v < math.MaxInt64) {
		return math.MinInt64
	}
	return int64(v)
}

// bits is the argument as an unsigned 64-bit integer; negative ones wrap around.
func (f *formatting) bits() uint64 {
	if w, ok := f.exact(); ok {
		return uint64(w)
	}
	if v := f.number(f.argument); v >= math.MaxInt64 && v < math.MaxUint64 {
		return uint64(v)
	}
	return uint64(f.signed())
}

// exact is an argument that no Lua number can hold exactly, but an integer can.
func (f *formatting) exact() (int64, bool) {
	u, ok := f.Get(f.argument).(*lua.LUserData)
	if !ok {
		return 0, false
	}
	w, _ := u.Value.(wholeNumber)
	i, err := strconv.ParseInt(w.text.String(), 10, 64)
	return i, err == nil
}

// How string.format writes numbers: as C's printf does.

func (f *formatting) decimal(d directive, i int64) {
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	f.digits(d, d.sign(i < 0), strconv.AppendUint(f.scratch[:0], magnitude, 10))
}

func (f *formatting) unsigned(d directive, u uint64) {
	prefix, base := "", 10
	switch d.verb {
	case 'o':
		base = 8
	case 'x':
		base, prefix = 16, "0x"
	case 'X':
		base, prefix = 16, "0X"
	}
	text := strconv.AppendUint(f.scratch[:0], u, base)
	switch {
	case d.verb == 'X':
		text = bytes.ToUpper(text)
	case d.verb == 'o' && d.alternate && u != 0 && d.precision <= len(text):
		d.precision = len(text) + 1
	}
	if !d.alternate || u == 0 {
		prefix = ""
	}
	if d.verb == 'o' && d.alternate && u == 0 {
		d.precision = max(d.precision, 1)
	}
	f.digits(d, prefix, text)
}

// digits writes an integer's digits, at least as many as the precision says.
func (f *formatting) digits(d directive, prefix string, text []byte) {
	if d.precision == 0 && len(text) == 1 && text[0] == '0' {
		text = nil
	}
	if missing := d.precision - len(text); missing > 0 {
		text = append(bytes.Repeat([]byte{'0'}, missing), text...)
	}
	f.padded(d, prefix, text, d.precision < 0)
}

// sign is what stands before a number.
func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

func (f *formatting) float(d directive, v float64) {
	sign := d.sign(math.Signbit(v))
	upper := d.verb < 'a'
	if math.IsInf(v, 0) || math.IsNaN(v) {
		text := "inf"
		if math.IsNaN(v) {
			text = "nan"
		}
		if upper {
			text = map[string]string{"inf": "INF", "nan": "NAN"}[text]
		}
		f.padded(d, sign, []byte(text), false)
		return
	}
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	verb := d.verb
	if (verb == 'g' || verb == 'G') && precision == 0 {
		precision = 1
	}
	_, exponent := math.Frexp(v)
	Spend(f.LState, 8+max(exponent, -exponent)/2) // very large and very small ones take long
	v = math.Abs(v)
	var text []byte
	if d.alternate && (verb == 'g' || verb == 'G') {
		text = f.general(v, precision, verb)
	} else {
		text = strconv.AppendFloat(f.scratch[:0], v, verb, precision, 64)
	}
	if d.alternate && bytes.IndexByte(text, '.') < 0 {
		at := bytes.IndexAny(text, "eE")
		if at < 0 {
			at = len(text)
		}
		text = append(text[:at:at], append([]byte{'.'}, text[at:]...)...)
	}
	f.padded(d, sign, text, true)
}

// general is %#g: so many significant digits, also where they are zeros.
func (f *formatting) general(v float64, precision int, verb byte) []byte {
	exponential := strconv.AppendFloat(f.scratch[:0], v, verb-'g'+'e', precision-1, 64)
	at := bytes.LastIndexAny(exponential, "eE")
	exponent, err := strconv.Atoi(string(exponential[at+1:]))
	if err != nil || exponent < -4 || exponent >= precision {
		return exponential
	}
	return strconv.AppendFloat(f.scratch[:0], v, 'f', precision-1-exponent, 64)
}

// padded writes prefix and text in the directive's width; zeros says whether the zero
// flag counts.
func (f *formatting) padded(d directive, prefix string, text []byte, zeroFlag bool) {
	fill := d.width - len(prefix) - len(text)
	filled := zeroFlag && d.zero && !d.minus
	if !d.minus && !filled {
		f.out.pad(spaces, fill)
	}
	f.out.write(prefix)
	if filled {
		f.out.pad(zeros, fill)
	}
	f.out.writeBytes(text)
	if d.minus {
		f.out.pad(spaces, fill)
	}
}
