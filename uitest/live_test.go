package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLive has records on the page without a reload.
func TestLive(t *testing.T) {
	s := serve(t, "log")
	p := open(t, s).visit("now")
	s.eval(`{"event":"pre_tool_call","session_id":"live","agent_id":"main","cwd":` + quoted(s.project) + `,"tool_call":{"id":"c1","name":"Bash","input":{"command":"git push --force origin live"}}}`)
	p.shows("git push --force origin live")
	p.shows("353 records")
	if !strings.Contains(p.text(), "git.push-force") {
		t.Errorf("the record that has come has no reason:\n%.1500s", p.text())
	}
	s.write(written(1, "make first"), written(2, "make second"))
	p.shows("make second")
	p.shows("355 records")
	if order := ask[bool](p, `(t => t.indexOf("make second") < t.indexOf("make first") && t.indexOf("make first") < t.indexOf("--force origin live"))(document.querySelector("main").innerText)`); !order {
		t.Errorf("the newest isn't the first:\n%.1500s", p.text())
	}
	p.judge()

	// A record that doesn't pass the filter is counted, and isn't shown.
	p.visit("now?decision=deny")
	s.write(written(3, "make third"))
	p.shows("356 records")
	if strings.Contains(p.text(), "make third") {
		t.Error("a record that was let through is in the list of denials")
	}
	s.eval(`{"event":"pre_tool_call","session_id":"live","cwd":` + quoted(s.project) + `,"tool_call":{"id":"c2","name":"Bash","input":{"command":"rm -rf / --no-preserve-root"}}}`)
	p.shows("rm -rf / --no-preserve-root")
}

// TestLiveOfNothing begins with an empty log.
func TestLiveOfNothing(t *testing.T) {
	s := serve(t, "")
	p := open(t, s).visit("now")
	p.shows("no record yet")
	s.write(written(1, "make first"))
	p.shows("make first")
	p.shows("1 record")
}

// TestPause keeps the list as it is while somebody reads it.
func TestPause(t *testing.T) {
	s := serve(t, "log")
	p := open(t, s).visit("now")
	p.shows("live")
	p.the("button", "Pause").click()
	s.write(written(1, "make first"), written(2, "make second"))
	p.shows("2 new records")
	if strings.Contains(p.text(), "make first") {
		t.Error("a paused list has a new record")
	}
	p.the("button", "2 new records").click()
	p.shows("make first")
	p.shows("make second")
}

// TestFlood is a thousand records a second, for ten seconds: each is counted, and clicks are answered meanwhile.
func TestFlood(t *testing.T) {
	s := serve(t, "log")
	p := open(t, s).visit("now")
	const batches, batch = 200, 50
	done := make(chan error, 1)
	go func() {
		tick := time.NewTicker(10 * time.Second / batches)
		defer tick.Stop()
		for i := range batches {
			var lines []string
			for n := range batch {
				lines = append(lines, written(i*batch+n, fmt.Sprintf("make part-%05d", i*batch+n)))
			}
			if err := s.append(lines...); err != nil {
				done <- err
				return
			}
			<-tick.C
		}
		done <- nil
	}()
	p.shows("part-")
	slowest := time.Duration(0)
	for clicks := 0; ; clicks++ {
		p.visit("now?host=claude")
		clear := p.the("link", "Clear")
		began := time.Now()
		p.follow("a link of the filter", clear.click)
		slowest = max(slowest, time.Since(began))
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d clicks while records came", clicks+1)
		default:
			continue
		}
		break
	}
	t.Logf("the slowest click took %v", slowest.Round(time.Millisecond))
	p.shows("10,352 records")
	p.visit("now?session=live&text=part-09999")
	p.shows("part-09999")
	// Each is in the list, once.
	seen := map[string]int{}
	path := "now?session=live"
	for path != "" {
		status, text := s.get(s.link + path)
		if status != 200 {
			t.Fatalf("%s: %d", path, status)
		}
		for _, piece := range strings.Split(text, "make part-")[1:] {
			seen[piece[:5]]++
		}
		path = next(text, s.link)
	}
	for i := range batches * batch {
		if n := seen[fmt.Sprintf("%05d", i)]; n != 1 {
			t.Fatalf("record %d is in the list %d times; there are %d", i, n, len(seen))
		}
	}
}

// next is the path of the page of older records, as a page without scripts links to it; "" if there is none.
func next(page, link string) string {
	_, after, ok := strings.Cut(page, `rel="next"`)
	if !ok {
		return ""
	}
	_, after, _ = strings.Cut(after, `href="`)
	path, _, _ := strings.Cut(after, `"`)
	path = strings.NewReplacer("&amp;", "&", "&#38;", "&").Replace(path)
	base := link[strings.Index(link[len("http://"):], "/")+len("http://"):]
	return strings.TrimPrefix(path, base)
}
