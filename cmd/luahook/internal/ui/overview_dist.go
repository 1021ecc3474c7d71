package ui

import (
	"math"
	"math/bits"
	"slices"
)

// distribution counts values, each of them while they are few, and then by classes that are so narrow that a value of
// one is within 1/256 of each other. Values up to 512 have classes of their own.
type distribution struct {
	n       int
	highest uint32
	total   uint64
	few     []uint32
	many    []*[fineness]uint32 // of the values below 256, and then of each power of two; nil: the values are few, or there are none of these
}

const (
	fineness     = 256 // classes of a power of two
	finenessBits = 8
	maxFew       = 4096
)

// add counts a value.
func (d *distribution) add(v uint32) {
	d.n++
	d.highest = max(d.highest, v)
	d.total += uint64(v)
	if d.many == nil {
		if d.few = append(d.few, v); len(d.few) > maxFew {
			d.toMany()
		}
		return
	}
	d.count(v, 1)
}

// toMany goes over to counting by classes.
func (d *distribution) toMany() {
	if d.many != nil {
		return
	}
	d.many = make([]*[fineness]uint32, 33-finenessBits)
	for _, v := range d.few {
		d.count(v, 1)
	}
	d.few = nil
}

func (d *distribution) count(v, times uint32) {
	power := max(bits.Len32(v)-finenessBits, 0)
	part := v
	if power > 0 {
		part = v>>(power-1) - fineness
	}
	if d.many[power] == nil {
		d.many[power] = new([fineness]uint32)
	}
	d.many[power][part] += times
}

// top is the highest value of a class.
func top(power, part int) uint32 {
	if power == 0 {
		return uint32(part)
	}
	return uint32((uint64(fineness+part+1) << (power - 1)) - 1)
}

// join adds what another has counted, which isn't used any more.
func (d *distribution) join(o *distribution) {
	d.n += o.n
	d.highest = max(d.highest, o.highest)
	d.total += o.total
	if d.many == nil && o.many == nil && len(d.few)+len(o.few) <= maxFew {
		d.few = append(d.few, o.few...)
		return
	}
	d.toMany()
	o.each(func(v uint32, times int) { d.count(v, uint32(times)) })
}

// each passes the values, ascending, and how often there is each. The value of a class is its highest.
func (d *distribution) each(take func(v uint32, times int)) {
	slices.Sort(d.few)
	for _, v := range d.few {
		take(v, 1)
	}
	for power, parts := range d.many {
		if parts == nil {
			continue
		}
		for part, times := range parts {
			if times > 0 {
				take(min(top(power, part), d.highest), int(times))
			}
		}
	}
}

// percentile is the smallest value that is at least as high as that part of the values; 0 for none. Of many values it is
// the highest of its class, so up to 0.4 % too high.
func (d *distribution) percentile(part float64) (value uint32) {
	rank := max(int(math.Ceil(part*float64(d.n))), 1)
	d.each(func(v uint32, times int) {
		if rank > 0 {
			value = v
		}
		rank -= times
	})
	return value
}

// timeSteps are the upper bounds of the classes of a histogram of times, in microseconds: 1, 2, 5, 10, 20 and so on.
var timeSteps = []uint32{
	1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5,
	1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, math.MaxUint32,
}

// histogram is how many values there are for each of timeSteps: up to it, and more than the one before.
func (d *distribution) histogram() []int {
	counts := make([]int, len(timeSteps))
	at := 0
	d.each(func(v uint32, times int) {
		for v > timeSteps[at] {
			at++
		}
		counts[at] += times
	})
	return counts
}
