package script

import "strings"

// perlReader makes a tree of Perl, as perlsyn and perlop have it. In Perl what a character
// means depends on what comes before it, so there are no tokens: it reads
// the source as it goes. What it doesn't understand it skips byte by byte.
type perlReader struct {
	sourceReader
	shifts  int            // of a sub's arguments, so far
	inSub   bool           // else shift is about those of the program
	waiting []hereDocument // here-documents that begin after this line
}

// hereDocument is a here-document whose text isn't reached yet.
type hereDocument struct {
	into     *tree
	tag      string
	verbatim bool
	indented bool
	command  bool
}

func perlRead(source string, line int) (*tree, bool) {
	p := &perlReader{sourceReader: newSourceReader(source, line)}
	root := p.node(treeBlock, 0)
	p.statements(root, 0)
	root.source = source
	return root, p.deep
}

// eat skips a mark, if it's next.
func (p *perlReader) eat(mark string) bool {
	p.blank()
	if !p.has(mark) {
		return false
	}
	p.at += len(mark)
	return true
}

// blank skips blanks, comments, documentation and the bodies of here-documents.
func (p *perlReader) blank() {
	for p.at < p.end {
		switch c := p.source[p.at]; {
		case c == '\n':
			p.at++
			p.documents()
			p.pod()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			p.at++
		case c == '#':
			for p.at < p.end && p.source[p.at] != '\n' {
				p.at++
			}
		case c == '=' && p.at == 0:
			if p.pod(); p.at == 0 {
				return
			}
		default:
			return
		}
	}
}

// pod skips documentation, which goes from a line with =word to one with =cut.
func (p *perlReader) pod() {
	if p.peek(0) != '=' || !isNameStart(p.peek(1)) {
		return
	}
	for p.at < p.end {
		cut := p.has("=cut")
		if i := strings.IndexByte(p.source[p.at:p.end], '\n'); i >= 0 {
			p.at += i + 1
		} else {
			p.at = p.end
		}
		if cut {
			return
		}
	}
}

// documents reads the here-documents that begin here.
func (p *perlReader) documents() {
	waiting := p.waiting
	p.waiting = nil
	for _, document := range waiting {
		start := p.at
		stop := p.at
		for p.at < p.end {
			lineEnd := p.end
			if i := strings.IndexByte(p.source[p.at:p.end], '\n'); i >= 0 {
				lineEnd = p.at + i
			}
			line := strings.TrimSuffix(p.source[p.at:lineEnd], "\r")
			if document.indented {
				line = strings.TrimLeft(line, " \t")
			}
			stop = p.at
			p.at = min(lineEnd+1, p.end)
			if line == document.tag {
				break
			}
			stop = p.at
		}
		after := p.at
		text := p.interpolated(start, stop, document.verbatim)
		p.at = after
		document.into.op, document.into.text, document.into.kids = text.op, text.text, text.kids
		if document.command {
			*document.into = *p.call(start, "CORE::qx", text)
		}
	}
}

// word reads a name, with its packages.
func (p *perlReader) word() string {
	start := p.at
	for p.at < p.end {
		c := p.source[p.at]
		switch {
		case isNameByte(c) || c >= 0x80:
			p.at++
		case c == ':' && p.peek(1) == ':' && (isNameByte(p.peek(2)) || p.at > start):
			p.at += 2
		default:
			return p.since(start)
		}
	}
	return p.since(start)
}

// statements adds those up to the closing bracket, or to the end, to t.
func (p *perlReader) statements(t *tree, closing byte) {
	for {
		p.blank()
		if p.at >= p.end {
			return
		}
		if closing != 0 && p.source[p.at] == closing {
			p.at++
			return
		}
		if p.hasWord("__END__") || p.hasWord("__DATA__") {
			p.at = p.end
			return
		}
		before := p.at
		one := p.statement()
		if one != nothing {
			t.kids = append(t.kids, one)
		}
		if p.at == before {
			p.at++
		}
	}
}

// block reads a block in braces.
func (p *perlReader) block() *tree {
	p.blank()
	start := p.at
	if p.peek(0) != '{' || !p.enter() {
		return nothing
	}
	defer p.leave()
	p.at++
	t := p.node(treeBlock, start)
	p.statements(t, '}')
	t.source = p.since(start)
	return t
}

func (p *perlReader) statement() *tree {
	start := p.at
	c := p.peek(0)
	switch {
	case c == ';':
		p.at++
		return nothing
	case c == '{':
		return p.block()
	case isNameStart(c):
		if t := p.keyword(); t != nil {
			return t
		}
		p.at = start
	}
	t := p.modified(start, p.expression())
	p.eat(";")
	return t
}
