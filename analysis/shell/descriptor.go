package shell

import (
	"maps"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reads lets a descriptor of s, 0 where none is given, read text.
func (s *scope) reads(fd int, text *argument) {
	if fd <= 0 {
		s.input = text
		return
	}
	if s.fds = maps.Clone(s.fds); s.fds == nil {
		s.fds = map[int]*argument{}
	}
	s.fds[fd] = text
}

// descriptor returns what a descriptor reads, nil where it isn't known.
func (w *walker) descriptor(fd int, s *scope) *argument {
	if fd == 0 && s.input != nil {
		return s.input
	}
	if text := s.fds[fd]; text != nil {
		return text
	}
	for i := len(w.shells) - 1; i >= 0 && w.opened; i-- {
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
func (w *walker) redirectShell(redirects []Redirect, s *scope) {
	p := &w.shells[len(w.shells)-1]
	w.opened = true
	if p.input == nil {
		p.input, p.out = map[int]*argument{}, map[int]Redirect{}
	}
	maps.Copy(p.input, s.fds)
	for _, r := range redirects {
		switch {
		case strings.HasPrefix(r.Op, "<") && r.Fd <= 0:
			p.input[0] = s.input
		case strings.HasPrefix(r.Op, ">") && r.Fd > 2 && !strings.HasSuffix(r.Op, "&"):
			p.out[r.Fd] = r
		}
	}
}

// opensFile returns the redirection of exec with which a descriptor writes to a
// file.
func (w *walker) opensFile(descriptor string) *Redirect {
	fd, err := strconv.Atoi(descriptor)
	for i := len(w.shells) - 1; i >= 0 && err == nil && w.opened; i-- {
		if r, ok := w.shells[i].out[fd]; ok {
			r.Op = ">>"
			return &r
		}
	}
	return nil
}
