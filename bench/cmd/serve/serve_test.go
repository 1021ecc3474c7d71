//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	wanted := []byte(`{"decision":"",`)
	const head, body = "HTTP/1.1 200 OK\r\nContent-Length: 18\r\nDate: now\r\n\r\n", `{"decision":"",  }` + "\n"
	whole := strings.Replace(head, "18", "19", 1) + body
	for cut := range len(whole) {
		if _, there, err := check([]byte(whole[:cut]), wanted); there || err != nil {
			t.Fatalf("%q: whole: %v, %v", whole[:cut], there, err)
		}
	}
	if last, there, err := check([]byte(whole), wanted); last || !there || err != nil {
		t.Errorf("last: %v, whole: %v, %v", last, there, err)
	}
	if last, _, _ := check([]byte(strings.Replace(whole, "Date: now", "Connection: close", 1)), wanted); !last {
		t.Error("an answer that ends the connection isn't the last one")
	}
	for _, wrong := range []string{
		strings.Replace(whole, "200 OK", "503 No", 1), strings.Replace(whole, `""`, `"deny"`, 1), whole + "x", head + body,
		strings.Replace(whole, "Content-Length: 19\r\n", "", 1),
	} {
		if _, _, err := check([]byte(wrong), wanted); err == nil {
			t.Errorf("%q passes", wrong)
		}
	}
}

func TestMemoryIsFlat(t *testing.T) {
	for _, at := range []struct {
		means []float64
		want  string
	}{
		{[]float64{20, 37, 38, 37, 36, 38, 37, 37}, "the peak is 39.0: flat"},
		{[]float64{20, 37, 38, 39, 40, 41, 42, 43}, "the peak is 44.0: not flat"},
		{[]float64{50, 37, 36, 35}, "the peak is 38.0: flat"},
		{[]float64{20, 30}, "MiB: 20.0 30.0"},
	} {
		m := &memory{every: time.Minute}
		for _, n := range at.means {
			for i := range perMean {
				m.add((n + float64(i%2*2-1)) * (1 << 20))
			}
		}
		if got := m.String(); !strings.HasSuffix(got, at.want) {
			t.Errorf("%v: %s", at.means, got)
		}
	}
}

// The control answers the whole load, over both networks, and what its answers took is told.
func TestControl(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		dir := t.TempDir()
		s, err := start("", filepath.Join(dir, "s"), network, kindControl)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = s.process.Process.Kill() // an error: it has ended
			_ = s.process.Wait()         // it was killed
		})
		for _, rate := range []float64{0, 500} {
			l := &load{}
			f, err := l.part(s, 4, 200*time.Millisecond, rate, nil)
			if err != nil || l.lost > 0 || l.total == 0 || f.p50 == 0 || f.p99 < f.p50 || f.max < f.p99 || f.server <= 0 || f.client <= 0 {
				t.Errorf("%s, rate %v: %v, %d lost, %d answered: %v", network, rate, f, l.lost, l.total, err)
			}
		}
	}
}

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == controlName {
		main()
		return
	}
	os.Exit(m.Run())
}
