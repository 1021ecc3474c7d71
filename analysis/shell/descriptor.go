package shell

import (
	"maps"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// target returns the file that a command's output goes to, and lets s keep
// the output. It is nil where the output goes elsewhere.
func (w *walker) target(redirects []Redirect, s *scope) (file *Redirect) {
	for i := range redirects {
		r := &redirects[i]
		fd := max(r.Fd, 1)
		if file != nil && fd == 1 && writesTo(r.Op) { // what goes to the one before is over
			file.Empties = opensAnew(file.Op)
		}
		switch {
		case r.Op == ">&" && strings.Trim(r.Target.Text, "0123456789-") == "":
			var to *Redirect
			if out := s.output(r.Target.Text); out == nil {
				to = w.opensFile(r.Target.Text)
			}
			if fd != 1 {
				s.writes(fd, s.output(r.Target.Text))
			} else if r.Target.Text != "1" {
				if file, s.out = to, s.output(r.Target.Text); file != nil {
					s.out = &capture{}
				}
			}
		case !writesTo(r.Op) || r.Op == "<>" && r.Fd != 1 || isOutput(r.Target.Text):
		case fd == 1 && r.Target.Text == "/dev/null":
			file, s.out = nil, nil
		case fd == 1:
			file, s.out = r, &capture{}
		default:
			s.writes(fd, nil)
		}
		if strings.HasPrefix(r.Op, "&") {
			s.writes(2, s.out)
		}
	}
	return file
}

// writesTo reports whether an operator opens a file for writing.
func writesTo(operator string) bool {
	switch operator {
	case ">", ">>", ">|", "&>", "&>>", "<>", ">&":
		return true
	}
	return false
}

// output returns what keeps what is written to a descriptor, nil for nothing.
func (s *scope) output(descriptor string) *capture {
	if descriptor == "1" {
		return s.out
	}
	fd, err := strconv.Atoi(descriptor)
	if err != nil {
		return nil
	}
	return s.outputs[fd]
}

// writes lets a descriptor of s other than 1 write to out.
func (s *scope) writes(fd int, out *capture) {
	if out == s.outputs[fd] {
		return
	}
	if s.outputs = maps.Clone(s.outputs); s.outputs == nil {
		s.outputs = map[int]*capture{}
	}
	s.outputs[fd] = out
}

func isOutput(path string) bool {
	return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1"
}

// opensAnew reports whether an operator leaves nothing of what was in the file.
func opensAnew(operator string) bool {
	return writesTo(operator) && operator != ">>" && operator != "&>>" && operator != "<>"
}

// reads lets a descriptor of s, 0 where none is given, read text.
func (s *scope) reads(fd int, text *argument) {
	if fd <= 0 {
		s.input = text
		return
	}
	if s.inputs = maps.Clone(s.inputs); s.inputs == nil {
		s.inputs = map[int]*argument{}
	}
	s.inputs[fd] = text
}

// descriptor returns what a descriptor reads, nil where it isn't known.
func (w *walker) descriptor(fd int, s *scope) *argument {
	if fd == 0 && s.input != nil {
		return s.input
	}
	if text := s.inputs[fd]; text != nil {
		return text
	}
	for i := len(w.shells) - 1; i >= 0 && w.descriptorsChanged; i-- {
		if text, ok := w.shells[i].input[fd]; ok {
			return text
		}
	}
	return nil
}

// descriptorNumber reads the number before a redirection. {name} is one that
// the shell chooses, from 10, and puts into the variable.
func (w *walker) descriptorNumber(text string, s *scope) int {
	if fd, err := strconv.Atoi(text); err == nil {
		return fd
	}
	variable := strings.Trim(text, "{}")
	if !strings.HasPrefix(text, "{") || !syntax.ValidName(variable) {
		return -1
	}
	w.descriptors++
	fd := 9 + w.descriptors
	w.assign(variable, &binding{word: literal(strconv.Itoa(fd), s.at)})
	return fd
}

// descriptorOf returns the number of a file such as /dev/fd/3.
func descriptorOf(path string) (int, bool) {
	if path == "/dev/stdin" {
		return 0, true
	}
	for _, folder := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if rest, ok := strings.CutPrefix(path, folder); ok {
			fd, err := strconv.Atoi(rest)
			return fd, err == nil && fd >= 0
		}
	}
	return 0, false
}

// redirectShell carries out exec with redirections alone, which hold for all
// that the shell runs from then on.
func (w *walker) redirectShell(c *Command, redirects []Redirect, s *scope) {
	p := &w.shells[len(w.shells)-1]
	w.descriptorsChanged = true
	if p.input == nil {
		p.input, p.out, p.files = map[int]*argument{}, map[int]Redirect{}, map[int]*Command{}
	}
	maps.Copy(p.input, s.inputs)
	for _, r := range redirects {
		if strings.HasPrefix(r.Op, "<") {
			if delete(p.files, max(r.Fd, 0)); r.Op == "<" {
				p.files[max(r.Fd, 0)] = c
			}
		}
		switch {
		case strings.HasPrefix(r.Op, "<") && r.Fd <= 0:
			p.input[0] = s.input
		case strings.HasPrefix(r.Op, ">") && r.Fd > 2 && !strings.HasSuffix(r.Op, "&"):
			p.out[r.Fd] = r
		}
	}
}

// execOf returns the exec that lets a descriptor read a file, nil for none.
func (w *walker) execOf(fd int) *Command {
	for i := len(w.shells) - 1; i >= 0 && w.descriptorsChanged; i-- {
		if c := w.shells[i].files[fd]; c != nil {
			return c
		}
	}
	return nil
}

// opensFile returns the redirection of exec with which a descriptor writes to a
// file.
func (w *walker) opensFile(descriptor string) *Redirect {
	fd, err := strconv.Atoi(descriptor)
	for i := len(w.shells) - 1; i >= 0 && err == nil && w.descriptorsChanged; i-- {
		if r, ok := w.shells[i].out[fd]; ok {
			r.Op = ">>"
			return &r
		}
	}
	return nil
}
