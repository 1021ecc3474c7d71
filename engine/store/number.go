package store

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Add returns what Incr makes of a value: the new one as text, and as a number. nil counts as 0.
func Add(old []byte, by float64) (text []byte, sum float64, err error) {
	if old != nil {
		if sum, err = decimal(old); err != nil {
			return nil, 0, err
		}
	}
	sum += by
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, 0, ErrNotFinite
	}
	return Number(sum), sum, nil
}

// ErrNotFinite is the error of a sum that isn't a finite number.
var ErrNotFinite error = &NotNumberError{"the sum is not finite"}

// NotNumber returns the error for a value that isn't a number.
func NotNumber(value []byte) error {
	return &NotNumberError{"it holds " + shown(value)}
}

// decimal reads decimal text, possibly with a fraction and an exponent: the form that all drivers share.
func decimal(text []byte) (float64, error) {
	s := string(text)
	if strings.Trim(s, "0123456789+-.eE") != "" { // "inf", "0x10", "1_0"
		return 0, NotNumber(text)
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, NotNumber(text)
	}
	return n, nil
}

// Number returns a number as the store keeps it: decimal text that reads back the same, whole numbers without a
// point.
func Number(n float64) []byte {
	if n == math.Trunc(n) && math.Abs(n) < 1<<63 {
		return strconv.AppendInt(nil, int64(n), 10)
	}
	return strconv.AppendFloat(nil, n, 'g', -1, 64)
}

func shown(value []byte) string {
	if len(value) > 40 {
		return fmt.Sprintf("%q...", value[:40])
	}
	return fmt.Sprintf("%q", value)
}
