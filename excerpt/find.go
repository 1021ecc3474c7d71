package excerpt

import "strings"

// Bounds of what is found in one text.
const (
	maxHits    = 256     // of a group that is unlike, and as many that are alike
	maxFound   = 1000    // of a group; then nobody looks for more
	maxSteps   = 1 << 17 // of a regular expression: bytes times instructions
	exceptions = 1 << 18 // of those of a group's except together, likewise
	pieceBytes = 1024    // of a long line are looked at before and after what was found
	hashBytes  = 200     // of a line tell it from others
)

// hit is a line, or a piece of a long one, that a group wants to keep.
type hit struct {
	from, to int // the line in the text, without its end
	at       int // where the pattern was found
}

// found hits of one group.
type hits struct {
	unlike, alike []hit // alike: but for digits they are like an earlier one
	count         int   // of lines that matched, up to maxFound
	line          int   // serial of the line that was taken last
	seen          map[uint64]bool
	steps         int // left for the exceptions
}

// finder looks for snippets in a text.
type finder struct {
	text   string
	s      *Snippets
	spend  func(units int)
	line   hit   // that is being looked at
	serial int   // of it
	asked  []int // by pattern: serial of the line that it was asked about last
	steps  []int // by pattern: what is left of maxSteps
	groups []hits
	open   int // groups that look for more
}

// find returns the hits in text[from:to] by group. Each byte is looked at once; what is
// found is looked at again, within bounds.
func find(text string, from, to int, s *Snippets, spend func(units int)) []hits {
	f := finder{text: text, s: s, spend: spend, line: hit{from: from, to: from}, asked: make([]int, len(s.patterns)), steps: make([]int, len(s.patterns)), groups: make([]hits, len(s.groups)), open: len(s.groups)}
	for i := range f.groups {
		f.groups[i].seen, f.groups[i].steps = map[uint64]bool{}, exceptions
	}
	for i := range f.steps {
		f.steps[i] = maxSteps
	}
	var ends [lanes][]ending
	for begin := from; begin < to && f.open > 0; begin += spendEvery {
		end := min(begin+spendEvery, to)
		spendBytes(spend, end-begin)
		s.machine.scan(text, begin, end, &ends, func(at int, texts []found) { f.found(texts, from, at) })
	}
	return f.groups
}

// found asks the patterns of which a text ends at end.
func (f *finder) found(all []found, from, end int) {
	for _, t := range all {
		p := &f.s.patterns[t.pattern]
		g := &f.groups[p.group]
		if g.count == maxFound || f.steps[t.pattern] < 0 {
			continue
		}
		at := end - t.length
		if at < 0 || f.text[at] == '\n' {
			at++ // the beginning of the line counts as a text
		}
		if at < from {
			continue
		}
		if at >= f.line.to || f.serial == 0 {
			f.step(from, at)
		}
		if g.line == f.serial {
			continue
		}
		if p.plain != nil {
			if p.plain.holds(f.text, at, end) {
				f.take(p.group, at)
			}
		} else if f.asked[t.pattern] != f.serial {
			f.asked[t.pattern] = f.serial
			if match := f.ask(&f.steps[t.pattern], p.regexp); match >= 0 {
				f.take(p.group, f.line.from+match)
			}
		}
	}
}

// step goes to the line that at is in. Of a line that is long it is the piece around.
func (f *finder) step(from, at int) {
	low := max(f.line.to, from, at-pieceBytes)
	high := min(len(f.text), at+pieceBytes)
	f.line.from = low
	if i := strings.LastIndexByte(f.text[low:at], '\n'); i >= 0 {
		f.line.from = low + i + 1
	}
	f.line.to = high
	if i := strings.IndexByte(f.text[at:high], '\n'); i >= 0 {
		f.line.to = at + i
		if i > 0 && f.text[at+i-1] == '\r' {
			f.line.to--
		}
	}
	f.line.to = max(f.line.to, at+1)
	f.serial++
}

// ask returns where the expression matches in the line, -1 where it doesn't or where no
// steps are left.
func (f *finder) ask(steps *int, e *expression) int {
	line := f.text[f.line.from:f.line.to]
	cost := (1 + len(line)) * e.size
	if *steps -= cost; *steps < 0 {
		return -1
	}
	if f.spend != nil {
		f.spend(1 + cost/64)
	}
	if at := e.find(line); at != nil {
		return at[0]
	}
	return -1
}

func (f *finder) take(group, at int) {
	g := &f.groups[group]
	g.line = f.serial
	same, like := hashes(f.text[f.line.from:f.line.to])
	if excepted, ok := g.seen[same]; ok {
		if !excepted {
			f.count(g)
		}
		return
	}
	for _, e := range f.s.groups[group].except {
		if f.ask(&g.steps, e) >= 0 {
			g.seen[same] = true
			return
		}
	}
	f.count(g)
	_, known := g.seen[like]
	g.seen[same], g.seen[like] = false, false
	list := &g.unlike
	if known {
		list = &g.alike
	}
	h := hit{f.line.from, f.line.to, at}
	if len(*list) < maxHits {
		*list = append(*list, h)
	} else { // the last one stays, too
		(*list)[maxHits-1] = h
	}
}

func (f *finder) count(g *hits) {
	if g.count++; g.count == maxFound {
		f.open--
	}
}

// hashes are of a line (FNV-1a), and of it without its digits.
func hashes(line string) (same, like uint64) {
	const offset, prime = 14695981039346656037, 1099511628211
	same, like = offset, offset+1
	for i := range min(len(line), hashBytes) {
		c := line[i]
		same = (same ^ uint64(c)) * prime
		if c < '0' || c > '9' {
			like = (like ^ uint64(c)) * prime
		}
	}
	return same, like
}
