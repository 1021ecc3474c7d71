package shell

import (
	"hash/maphash"
	"slices"
	"strconv"
)

// position is how far the walk has come.
type position struct{ commands, pipes int }

func (w *walker) position() position { return position{len(w.line.Commands), w.pipes} }

// repeats remembers what the rounds of a loop have reported. What a round does
// exactly as one before it isn't worth saying twice.
type repeats struct {
	seed maphash.Seed
	seen map[uint64][]*Command
}

// drop takes back what was reported since start, if a round did so before.
func (r *repeats) drop(w *walker, start position) {
	round := w.line.Commands[start.commands:]
	if len(round) == 0 {
		return
	}
	if r.seen == nil {
		r.seed, r.seen = maphash.MakeSeed(), map[uint64][]*Command{}
	}
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, c := range round {
		c.hash(&h, start.pipes)
	}
	sum := h.Sum64()
	kept := r.seen[sum]
	if kept == nil {
		r.seen[sum] = slices.Clone(round)
		return
	}
	if w.instead == nil {
		w.instead = map[*Command]*Command{}
	}
	for i, c := range round {
		w.instead[c] = kept[i]
	}
	clear(round)
	w.line.Commands, w.pipes = w.line.Commands[:start.commands], start.pipes
}

// point lets what points at a command that was taken back point at the one that
// was kept.
func (w *walker) point() {
	if len(w.instead) == 0 {
		return
	}
	for _, c := range w.line.Commands {
		c.Parent = w.kept(c.Parent)
		c.From = w.keptOnes(c.From)
		if c.Input != nil {
			c.Input.From = w.keptOnes(c.Input.From)
		}
	}
}

func (w *walker) kept(c *Command) *Command {
	for w.instead[c] != nil {
		c = w.instead[c]
	}
	return c
}

func (w *walker) keptOnes(from []*Command) []*Command {
	var kept []*Command
	for _, c := range from {
		kept = merge(kept, []*Command{w.kept(c)})
	}
	return kept
}

func (c *Command) hash(h *maphash.Hash, pipes int) {
	text := func(s string) {
		h.WriteString(s)
		h.WriteByte(0)
	}
	word := func(x Word) {
		text(x.Text)
		for _, flag := range []bool{x.Dynamic, x.Quoted, x.Glob, x.Home} {
			if flag {
				h.WriteByte(1)
			}
			h.WriteByte(2)
		}
	}
	text(c.Path)
	text(c.Context)
	text(strconv.FormatBool(c.NameDynamic))
	for _, via := range c.Via {
		text(via)
	}
	for _, arg := range c.Args {
		word(arg)
	}
	for _, a := range c.Assignments {
		text(a.Name)
		word(a.Value)
	}
	for _, r := range c.Redirects {
		text(r.Op)
		word(r.Target)
		text(r.Body)
	}
	word(c.Dir)
	if c.Input != nil {
		text(c.Input.Text)
	}
	text(strconv.Itoa(max(0, c.Pipe-pipes)))
	text(strconv.Itoa(c.Line<<16 + c.Column))
}
