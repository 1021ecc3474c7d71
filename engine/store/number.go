package store

import (
	"fmt"
	"math"
	"strconv"
)

// Add is what Incr does to a value: the new one as text, and as the number that it is.
// nil counts as 0.
func Add(old []byte, by float64) (text []byte, sum float64, err error) {
	if old != nil {
		if sum, err = strconv.ParseFloat(string(old), 64); err != nil || math.IsNaN(sum) || math.IsInf(sum, 0) {
			return nil, 0, &NotNumberError{"it holds " + shown(old)}
		}
	}
	sum += by
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, 0, &NotNumberError{"the sum is not finite"}
	}
	return Number(sum), sum, nil
}

// Number is a number as the store keeps it: the shortest text that reads back the same.
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
