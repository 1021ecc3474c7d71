//go:build linux

package main

import (
	"fmt"
	"time"
)

// memory notes a server's resident memory every minute, or ten times in a shorter run.
type memory struct {
	server  *server
	every   time.Duration
	next    time.Time
	samples []int64
}

func newMemory(s *server, length time.Duration) *memory {
	every := min(time.Minute, length/10)
	return &memory{server: s, every: every, next: time.Now().Add(every)}
}

func (m *memory) note(now time.Time) error {
	if now.Before(m.next) {
		return nil
	}
	m.next = m.next.Add(m.every)
	n, err := m.server.resident()
	m.samples = append(m.samples, n)
	return err
}

// String says what the memory was, and whether it has stayed: the first sample is of a server that is still warming
// up, and after that the line through the samples may rise by a twentieth of their mean, and none may exceed the
// second by a fifth.
func (m *memory) String() string {
	text := fmt.Sprintf("every %v, MiB:", m.every)
	for _, n := range m.samples {
		text += fmt.Sprintf(" %.1f", mib(float64(n)))
	}
	if len(m.samples) < 4 {
		return text
	}
	warm := m.samples[1:]
	var mean, rise, spread, peak float64
	for _, n := range warm {
		mean += float64(n) / float64(len(warm))
		peak = max(peak, float64(n))
	}
	middle := float64(len(warm)-1) / 2
	for i, n := range warm {
		rise += (float64(i) - middle) * float64(n)
		spread += (float64(i) - middle) * (float64(i) - middle)
	}
	rise = rise / spread * float64(len(warm)-1)
	verdict := "flat"
	if rise > mean/20 || peak > float64(warm[0])*1.2 {
		verdict = "not flat"
	}
	return fmt.Sprintf("%s; after the first: the line through them rises by %.2f in all, the peak is %.1f: %s", text, mib(rise), mib(peak), verdict)
}

func mib(bytes float64) float64 { return bytes / (1 << 20) }
