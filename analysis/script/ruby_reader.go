package script

import "strings"

// rubyReader makes a tree of Ruby. As in Perl, what a character means depends
// on what comes before it, and often on the blanks around it, so it reads the source as it goes.
// What it doesn't understand it skips byte by byte.
type rubyReader struct {
	sourceReader
	locals  map[string]bool // names that are variables, and no calls
	waiting []hereDocument  // here-documents that begin after this line
	noDo    int             // in the head of a loop, whose "do" isn't of a call
	whole   bool            // the value that is next is a whole statement
	noPipe  int             // between the parameters of a block, which a "|" ends
}

func rubyRead(source string, line int) (*tree, bool) {
	p := &rubyReader{sourceReader: newSourceReader(source, line), locals: map[string]bool{}}
	root := p.node(treeBlock, 0)
	p.documentation()
	for p.at < p.end {
		p.statements(root, "")
		if p.at < p.end { // an end without a beginning
			p.at++
		}
	}
	root.source = source
	return root, p.deep
}

// blank skips blanks, comments and continued lines.
func (p *rubyReader) blank() {
	for p.at < p.end {
		switch c := p.source[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			p.at++
		case c == '\\' && p.peek(1) == '\n':
			p.at += 2
		case c == '#':
			for p.at < p.end && p.source[p.at] != '\n' {
				p.at++
			}
		default:
			return
		}
	}
}

// lines skips blanks and the ends of lines and statements.
func (p *rubyReader) lines() {
	for p.at < p.end {
		p.blank()
		switch p.peek(0) {
		case '\n':
			p.newLine()
		case ';':
			p.at++
		default:
			return
		}
	}
}

// newLine goes to the next line, behind here-documents and documentation.
func (p *rubyReader) newLine() {
	p.at++
	p.documents()
	p.documentation()
}

// documentation skips what is from =begin to =end, or behind __END__.
func (p *rubyReader) documentation() {
	if p.has("=begin") {
		if end := strings.Index(p.source[p.at:p.end], "\n=end"); end >= 0 {
			p.at += end + len("\n=end")
			for p.at < p.end && p.source[p.at] != '\n' {
				p.at++
			}
			return
		}
		p.at = p.end
	}
	if p.has("__END__") && (p.peek(len("__END__")) == '\n' || p.peek(len("__END__")) == 0) {
		p.at = p.end
	}
}

// documents reads the here-documents that begin here.
func (p *rubyReader) documents() {
	waiting := p.waiting
	p.waiting = nil
	for _, document := range waiting {
		start, stop := p.at, p.at
		for p.at < p.end {
			lineEnd := p.end
			if i := strings.IndexByte(p.source[p.at:p.end], '\n'); i >= 0 {
				lineEnd = p.at + i
			}
			line := strings.TrimSpace(p.source[p.at:lineEnd])
			stop = p.at
			p.at = min(lineEnd+1, p.end)
			if line == document.tag {
				break
			}
			stop = p.at
		}
		after := p.at
		text := p.text(start, p.source[start:stop])
		if !document.verbatim {
			text = p.within(start, stop, func() *tree { return p.quoted(0, 0, false) })
		}
		p.at = after
		document.into.op, document.into.text, document.into.kids = text.op, text.text, text.kids
		if document.command {
			*document.into = *p.call(start, "`", text)
		}
	}
}

// within reads a part of the source on its own.
func (p *rubyReader) within(from, to int, read func() *tree) *tree {
	waiting := p.waiting
	p.waiting = nil
	t := p.sourceReader.within(from, to, read)
	p.waiting = waiting
	return t
}

// word reads an identifier or constant, with the "?" or "!" of a method.
func (p *rubyReader) word() string {
	start := p.at
	for p.at < p.end && (isNameByte(p.source[p.at]) || p.source[p.at] >= 0x80) {
		p.at++
	}
	if c := p.peek(0); p.at > start && (c == '?' || c == '!') && p.peek(1) != '=' && !(c == '?' && p.peek(1) == ':') {
		p.at++
	}
	return p.since(start)
}

// rubyEnds are the words that end a list of statements.
var rubyEnds = []string{"end", "else", "elsif", "when", "in", "rescue", "ensure", "then"}

// statements adds those up to a closing bracket of closing, or a word that ends them, to t.
func (p *rubyReader) statements(t *tree, closing string) {
	for {
		p.lines()
		if p.at >= p.end || closing != "" && strings.IndexByte(closing, p.source[p.at]) >= 0 {
			return
		}
		if c := p.source[p.at]; closing != "}" && c >= 'e' && c <= 'w' {
			for _, word := range rubyEnds {
				if p.hasWord(word) && p.peek(len(word)) != ':' {
					return
				}
			}
		}
		before := p.at
		if one := p.statement(); one != nothing {
			t.kids = append(t.kids, one)
		}
		if p.at == before {
			p.at++
		}
	}
}

// body reads statements up to a word that ends them.
func (p *rubyReader) body() *tree {
	start := p.at
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	noDo := p.noDo
	p.noDo = 0
	t := p.node(treeSequence, start)
	p.statements(t, "")
	p.noDo = noDo
	return t
}
