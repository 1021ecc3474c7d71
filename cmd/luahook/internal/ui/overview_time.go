package ui

import (
	"slices"
	"sort"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/chart"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// Times that clocks show which are right. What lies outside, as of a machine that has lost its time, is counted like
// all else, but isn't drawn: it would press what is worth seeing into one column.
const (
	earliest = 946684800_000  // the year 2000, in milliseconds
	latest   = 4102444800_000 // the year 2100
)

func plausible(ms int64) bool { return ms >= earliest && ms < latest }

// width is how much time a column stands for, one of the three.
type width struct {
	clock        time.Duration
	days, months int
}

const dayTime = 24 * time.Hour

// widths are round, and each is a part of those of days.
var widths = []width{
	{clock: time.Second}, {clock: 2 * time.Second}, {clock: 5 * time.Second}, {clock: 10 * time.Second}, {clock: 30 * time.Second},
	{clock: time.Minute}, {clock: 2 * time.Minute}, {clock: 5 * time.Minute}, {clock: 10 * time.Minute}, {clock: 20 * time.Minute}, {clock: 30 * time.Minute},
	{clock: time.Hour}, {clock: 2 * time.Hour}, {clock: 3 * time.Hour}, {clock: 6 * time.Hour}, {clock: 12 * time.Hour},
	{days: 1}, {days: 2}, {days: 7}, {days: 14}, {months: 1}, {months: 2}, {months: 3}, {months: 6}, {months: 12}, {months: 24}, {months: 60}, {months: 120}, {months: 240},
}

// about is how long it is, as far as that can be said.
func (w width) about() time.Duration {
	return w.clock + time.Duration(w.days)*dayTime + time.Duration(w.months)*30*dayTime
}

// floor is the last bound of such a width that isn't after t, by the clock on the wall.
func (w width) floor(t time.Time) time.Time {
	year, month, day := t.Date()
	switch {
	case w.months > 0:
		n := year*12 + int(month) - 1
		n -= n % w.months
		return time.Date(n/12, time.Month(n%12+1), 1, 0, 0, 0, 0, t.Location())
	case w.days > 0:
		// Days since a Monday, so that weeks begin with one.
		monday := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
		n := int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Sub(monday) / dayTime)
		n = (n%w.days + w.days) % w.days
		return time.Date(year, month, day-n, 0, 0, 0, 0, t.Location())
	}
	_, offset := t.Zone()
	shift := time.Duration(offset) * time.Second
	return t.Add(shift).Truncate(w.clock).Add(-shift)
}

// next is the bound after one.
func (w width) next(t time.Time) time.Time {
	if w.clock > 0 {
		next := t.Add(w.clock)
		if w.clock > time.Hour { // where a clock was put forward or back, bounds go on at round times
			if again := w.floor(next.Add(w.clock / 2)); again.After(t) {
				return again
			}
		}
		return next
	}
	year, month, day := t.Date()
	next := time.Date(year, month+time.Month(w.months), day+w.days, 0, 0, 0, 0, t.Location())
	if !next.After(t) { // there is no such midnight
		return t.Add(w.about())
	}
	return next
}

// Numbers of columns.
const (
	mostColumns  = 75
	leastColumns = 12
)

// buckets are the columns of a time: bucket i is from bounds[i] up to bounds[i+1], in milliseconds.
type buckets struct {
	bounds []int64
	width  width
	zone   *time.Location
}

// bucketsOf divides the time from first to last, which counts, by round widths.
func bucketsOf(first, last int64, zone *time.Location) *buckets {
	first, last = min(max(first, earliest), latest-1), min(max(last, earliest), latest-1)
	b := &buckets{zone: zone, width: widths[len(widths)-1]}
	for _, w := range widths {
		if time.Duration(last-first)*time.Millisecond/mostColumns < w.about() {
			b.width = w
			break
		}
	}
	at := b.width.floor(time.UnixMilli(first).In(zone))
	for ; at.UnixMilli() <= last; at = b.width.next(at) {
		b.bounds = append(b.bounds, at.UnixMilli())
	}
	b.bounds = append(b.bounds, at.UnixMilli())
	for b.len() < leastColumns { // so that few records aren't one broad column
		before := b.width.floor(time.UnixMilli(b.bounds[0] - 1).In(zone))
		b.bounds = slices.Insert(b.bounds, 0, before.UnixMilli())
	}
	return b
}

// window are the buckets of a time that ends with the newest record. The time of the last one isn't over.
func window(length time.Duration, newest int64, zone *time.Location) *buckets {
	b := bucketsOf(newest-length.Milliseconds(), newest, zone)
	b.bounds = b.bounds[1:] // the one that has begun before
	return b
}

func (b *buckets) len() int { return len(b.bounds) - 1 }

// of is the bucket of a time; -1 if it lies outside.
func (b *buckets) of(ms int64) int {
	first, last := b.bounds[0], b.bounds[b.len()]
	if ms < first || ms >= last {
		return -1
	}
	i := int(float64(ms-first) / float64(last-first) * float64(b.len())) // which is right for widths of the clock
	for i > 0 && ms < b.bounds[i] {
		i--
	}
	for ms >= b.bounds[i+1] {
		i++
	}
	return i
}

// label says when a bucket is.
func (b *buckets) label(i int) string {
	from, to := time.UnixMilli(b.bounds[i]).In(b.zone), time.UnixMilli(b.bounds[i+1]).In(b.zone)
	switch w := b.width; {
	case w.months >= 12:
		return spanned(from.Format("2006"), to.AddDate(-1, 0, 0).Format("2006"))
	case w.months > 0:
		return spanned(from.Format("Jan 2006"), to.AddDate(0, -1, 0).Format("Jan 2006"))
	case w.days > 0:
		return spanned(from.Format("Mon 2 Jan 2006"), to.AddDate(0, 0, -1).Format("Mon 2 Jan 2006"))
	case w.clock >= time.Minute:
		return from.Format("Mon 2 Jan 15:04") + "–" + to.Format("15:04")
	}
	return from.Format("Mon 2 Jan 15:04:05") + "–" + to.Format("15:04:05")
}

func spanned(from, to string) string {
	if from == to {
		return from
	}
	return from + " – " + to
}

// span says from when to when all buckets are.
func (b *buckets) span() string {
	from, to := time.UnixMilli(b.bounds[0]).In(b.zone), time.UnixMilli(b.bounds[b.len()]).In(b.zone)
	layout := "2 Jan 2006, 15:04"
	switch {
	case b.width.clock == 0:
		layout, to = "2 Jan 2006", to.AddDate(0, 0, -1)
	case b.width.clock < time.Minute:
		layout = "2 Jan 2006, 15:04:05"
	}
	return spanned(from.Format(layout), to.Format(layout))
}

// widthText is the width of the buckets, for people.
func (b *buckets) widthText() string {
	switch w := b.width; {
	case w.months >= 12:
		return plural(w.months/12, "year")
	case w.months > 0:
		return plural(w.months, "month")
	case w.days > 0:
		return plural(w.days, "day")
	case w.clock >= time.Hour:
		return plural(int(w.clock/time.Hour), "hour")
	case w.clock >= time.Minute:
		return plural(int(w.clock/time.Minute), "minute")
	}
	return plural(int(b.width.clock/time.Second), "second")
}

// mostTicks is how many texts fit below the columns.
const mostTicks = 9

// ticks are the texts below the columns, at round times.
func (b *buckets) ticks() []chart.Tick {
	first, last := b.bounds[0], b.bounds[b.len()]
	step := widths[len(widths)-1]
	for _, w := range widths {
		if w.about() >= b.width.about() && time.Duration(last-first)*time.Millisecond/w.about() < mostTicks {
			step = w
			break
		}
	}
	at := step.floor(time.UnixMilli(first).In(b.zone))
	var ticks []chart.Tick
	dates := 0 // among times of day
	for ms := at.UnixMilli(); ms < last; ms = at.UnixMilli() {
		if ms >= first {
			layout, date := "15:04", false
			switch {
			case step.months >= 12:
				layout = "2006"
			case step.months > 0:
				layout = "Jan 2006"
			case step.days > 0:
				layout = "2 Jan"
			case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
				layout, date = "2 Jan", true
				dates++
			case step.clock < time.Minute:
				layout = "15:04:05"
			}
			ticks = append(ticks, chart.Tick{At: b.place(ms), Label: at.Format(layout), Minor: !date})
		}
		at = step.next(at)
	}
	if dates < 2 {
		for i := range ticks {
			ticks[i].Minor = i%2 == 1
		}
	}
	return ticks
}

// place is where a time is across the drawing, in which all buckets have the same width.
func (b *buckets) place(ms int64) float64 {
	i := sort.Search(b.len(), func(i int) bool { return b.bounds[i+1] > ms })
	if i == b.len() {
		return 1
	}
	inside := float64(ms-b.bounds[i]) / float64(b.bounds[i+1]-b.bounds[i])
	return (float64(i) + inside) / float64(b.len())
}

// maxBack is how many records are looked through for one whose clock was right.
const maxBack = 1000

// newest is the time of the newest record: of the last one in the log whose clock was right.
func newest(v *logindex.View) int64 {
	for i := v.Len() - 1; i >= 0 && i > v.Len()-maxBack; i-- {
		if ms := v.Row(i).Time; plausible(ms) {
			return ms
		}
	}
	if v.Len() == 0 {
		return 0
	}
	return v.Row(v.Len() - 1).Time
}
