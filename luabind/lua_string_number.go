package luabind

import (
	"bytes"
	"math"
	"strconv"
)

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
