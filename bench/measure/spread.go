package measure

import (
	"math"
	"slices"
)

// Spread summarises measurements of one thing.
type Spread struct {
	Min, P10, Q1, Median, Q3, Max float64
}

// NewSpread summarises values, of which there is at least one; it sorts them.
func NewSpread(values []float64) Spread {
	slices.Sort(values)
	return Spread{
		Min: values[0], P10: quantile(values, 0.1), Q1: quantile(values, 0.25),
		Median: quantile(values, 0.5), Q3: quantile(values, 0.75), Max: values[len(values)-1],
	}
}

// quantile interpolates between the two nearest values.
func quantile(sorted []float64, q float64) float64 {
	place := q * float64(len(sorted)-1)
	low := int(math.Floor(place))
	high := int(math.Ceil(place))
	return sorted[low] + (sorted[high]-sorted[low])*(place-float64(low))
}
