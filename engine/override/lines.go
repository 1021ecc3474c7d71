package override

import (
	"bytes"
	"errors"
	"slices"
)

// Blocked calls are kept as lines: a head, and one for each call, the latest last. A call that comes again is a line
// more, so a process that has blocked one needn't read the others. Once there are many, the list is written anew.
const maxLines = 2 * MaxBlocked

// extendBlocked adds calls to those that are kept.
func extendBlocked(kept medium, root string, calls []Blocked) error {
	start, err := encode(head{version, root})
	if err != nil {
		return err
	}
	more, err := encodeLines(calls)
	if err != nil {
		return err
	}
	anew := false
	err = kept.Extend(func(old []byte) ([]byte, error) {
		if len(old) == 0 {
			return slices.Concat(start, more), nil
		}
		// A process that was killed may have left half a line.
		anew = !bytes.HasPrefix(old, start) || !bytes.HasSuffix(old, []byte("\n")) || bytes.Count(old, []byte("\n")) >= maxLines
		if anew {
			return nil, nil
		}
		return more, nil
	})
	if err != nil || !anew {
		return err
	}
	return kept.Change(func(old []byte) ([]byte, error) {
		list, err := decodeBlocked(old, root)
		if err != nil {
			return nil, err
		}
		lines, err := encodeLines(noted(list, calls...))
		return slices.Concat(start, lines), err
	})
}

func encodeLines(calls []Blocked) ([]byte, error) {
	var lines []byte
	for i := range calls {
		line, err := encode(&calls[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}

// decodeBlocked reads what is kept, the latest last.
func decodeBlocked(text []byte, root string) ([]Blocked, error) {
	start, err := encode(head{version, root})
	if err != nil || bytes.HasPrefix(start, text) { // so it may be found after a process, or the machine, has stopped
		return nil, err
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if err := decode(first, root, &h, &h); err != nil {
		return nil, err
	}
	var list []Blocked
	for {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			return list, nil
		}
		var b Blocked
		if err := decodeStrictly(line, &b); err != nil {
			return nil, err
		}
		if len(b.Seen) == 0 {
			return nil, malformed(errors.New("a line is no blocked call"))
		}
		list, rest = noted(list, b), after
	}
}
