package ui

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"
)

// Columns follow one another without a gap, have round bounds by the clock on the wall, and each time is in its own,
// also where clocks are put forward and back, and where midnight is left out.
func TestBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			first := time.Date(2000+random.IntN(40), 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() + random.Int64N(366*24*3600*1000)
			length := int64(1) << random.IntN(42)
			last := min(first+random.Int64N(length), latest-1)
			b := bucketsOf(first, last, zone)
			if b.len() < leastColumns || b.len() > mostColumns+3 {
				t.Errorf("%s, %d to %d: %d columns of %+v", name, first, last, b.len(), b.width)
			}
			if b.bounds[0] > first || b.bounds[b.len()] <= last {
				t.Errorf("%s, %d to %d: the bounds are %v", name, first, last, b.bounds)
			}
			for i := range b.len() {
				if b.bounds[i] >= b.bounds[i+1] {
					t.Fatalf("%s: bound %d isn't after the one before: %v", name, i+1, b.bounds)
				}
				for _, ms := range []int64{b.bounds[i], b.bounds[i+1] - 1, b.bounds[i] + random.Int64N(b.bounds[i+1]-b.bounds[i])} {
					if at := b.of(ms); at != i {
						t.Fatalf("%s: %d is in column %d, not in %d of %v", name, ms, at, i, b.bounds)
					}
				}
			}
			if b.of(b.bounds[0]-1) != -1 || b.of(b.bounds[b.len()]) != -1 {
				t.Errorf("%s: times outside have a column", name)
			}
			ticks := b.ticks()
			if len(ticks) == 0 || len(ticks) > mostTicks+1 {
				t.Errorf("%s, %d to %d: %d ticks", name, first, last, len(ticks))
			}
			for i, tick := range ticks {
				if tick.At < 0 || tick.At > 1 || i > 0 && tick.At <= ticks[i-1].At {
					t.Errorf("%s: tick %d is at %f", name, i, tick.At)
				}
			}
		}
	}
}

func TestRoundBounds(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) int64 {
		parsed, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return parsed.UnixMilli()
	}
	for _, test := range []struct {
		from, to    string
		width       string
		first, last string // labels
	}{
		{"2026-05-04 08:12", "2026-05-04 09:03", "1 minute", "Mon 4 May 08:12–08:13", "Mon 4 May 09:03–09:04"},
		{"2026-03-28 08:00", "2026-03-30 20:00", "1 hour", "Sat 28 Mar 08:00–09:00", "Mon 30 Mar 20:00–21:00"},
		{"2026-03-26 08:00", "2026-04-01 20:00", "3 hours", "Thu 26 Mar 06:00–09:00", "Wed 1 Apr 18:00–21:00"}, // over the night that lacks an hour
		{"2026-10-22 08:00", "2026-10-28 20:00", "3 hours", "Thu 22 Oct 06:00–09:00", "Wed 28 Oct 18:00–21:00"},
		{"2026-03-01 10:00", "2026-04-29 10:00", "1 day", "Sun 1 Mar 2026", "Wed 29 Apr 2026"},
		{"2026-01-07 10:00", "2026-12-24 10:00", "7 days", "Mon 5 Jan 2026 – Sun 11 Jan 2026", "Mon 21 Dec 2026 – Sun 27 Dec 2026"},
		{"2023-01-07 10:00", "2026-12-24 10:00", "1 month", "Jan 2023", "Dec 2026"},
		{"2020-05-05 10:00", "2060-12-24 10:00", "1 year", "2020", "2060"},
	} {
		b := bucketsOf(at(test.from), at(test.to), berlin)
		if got := b.widthText(); got != test.width {
			t.Errorf("%s to %s: columns of %s, want %s", test.from, test.to, got, test.width)
		}
		if first, last := b.label(0), b.label(b.len()-1); first != test.first || last != test.last {
			t.Errorf("%s to %s: from %q to %q, want %q, %q", test.from, test.to, first, last, test.first, test.last)
		}
	}
	b := window(time.Hour, at("2026-05-04 12:00"), berlin)
	if b.len() != 60 || b.label(59) != "Mon 4 May 12:00–12:01" {
		t.Errorf("the last hour has %d columns up to %s", b.len(), b.label(b.len()-1))
	}
}
