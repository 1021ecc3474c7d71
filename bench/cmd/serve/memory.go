//go:build linux

package main

import (
	"fmt"
	"time"
)

// memory notes a server's resident memory twenty times a minute, or two hundred times in a shorter run, and makes means
// of twenty: what a server has at one moment says where it stands between two collections of garbage.
type memory struct {
	server *server
	every  time.Duration // that a mean is of
	next   time.Time
	sum    float64
	noted  int
	means  []float64
	peak   float64 // after the first mean
}

const perMean = 20

func newMemory(s *server, length time.Duration) *memory {
	return &memory{server: s, every: min(time.Minute, length/10), next: time.Now()}
}

func (m *memory) note(now time.Time) error {
	if now.Before(m.next) {
		return nil
	}
	m.next = m.next.Add(m.every / perMean)
	n, err := m.server.resident()
	m.add(float64(n))
	return err
}

func (m *memory) add(bytes float64) {
	if len(m.means) > 0 {
		m.peak = max(m.peak, bytes)
	}
	m.sum += bytes
	if m.noted++; m.noted%perMean == 0 {
		m.means = append(m.means, m.sum/perMean)
		m.sum = 0
	}
}

// String says what the memory was, and whether it has stayed: after the first mean, which is of a server that is still
// warming up, the line through the others may rise by a twentieth of what they are in all.
func (m *memory) String() string {
	text := fmt.Sprintf("means of %v, MiB:", m.every)
	for _, n := range m.means {
		text += fmt.Sprintf(" %.1f", mib(n))
	}
	if len(m.means) < 4 {
		return text
	}
	warm := m.means[1:]
	var mean, rise, spread float64
	middle := float64(len(warm)-1) / 2
	for i, n := range warm {
		mean += n / float64(len(warm))
		rise += (float64(i) - middle) * n
		spread += (float64(i) - middle) * (float64(i) - middle)
	}
	rise = rise / spread * float64(len(warm)-1)
	verdict := "flat"
	if rise > mean/20 {
		verdict = "not flat"
	}
	return fmt.Sprintf("%s; after the first the line through them rises by %.2f in all, and the peak is %.1f: %s", text, mib(rise), mib(m.peak), verdict)
}

func mib(bytes float64) float64 { return bytes / (1 << 20) }
