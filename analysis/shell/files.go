package shell

import (
	"maps"
	"strconv"
	"strings"
)

// written is a file that the line itself writes: what may be in it.
type written struct{ texts []argument }

// target returns the file that a command's output goes to, and lets s keep
// the output. It is nil where the output goes elsewhere.
func (w *walker) target(redirects []Redirect, s *scope) (file *Redirect) {
	for i := range redirects {
		r := &redirects[i]
		switch fd := max(r.Fd, 1); {
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
	return s.outs[fd]
}

// writes lets a descriptor of s other than 1 write to out.
func (s *scope) writes(fd int, out *capture) {
	if out == s.outs[fd] {
		return
	}
	if s.outs = maps.Clone(s.outs); s.outs == nil {
		s.outs = map[int]*capture{}
	}
	s.outs[fd] = out
}

func isOutput(path string) bool {
	return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1"
}

// write keeps what was written to a file.
func (w *walker) write(r *Redirect, s *scope) {
	w.keepFile(argument{Word: r.Target}, s.out.value(s.at), r.Op == ">>" || r.Op == "&>>", s)
}

// keepFile notes that a file may have text in it from now on.
func (w *walker) keepFile(file, text argument, appends bool, s *scope) {
	key := w.fileKey(file, s)
	if key == "" || !w.spend(commandCost) {
		return
	}
	if w.files == nil {
		w.files = map[string]*written{}
	}
	f := w.files[key]
	if f == nil {
		f = &written{}
		w.files[key] = f
	}
	if appends && len(f.texts) > 0 {
		last := &f.texts[len(f.texts)-1]
		both := capture{}
		both.add(*last, nil)
		both.add(text, nil)
		if w.spend((len(last.Text) + len(text.Text)) / 16) {
			*last = both.value(text.at)
		}
		return
	}
	if w.certain(s) {
		f.texts = nil // what was there is gone
	}
	f.hold(text)
}

// hold adds a text to those that may be in the file.
func (f *written) hold(text argument) {
	if f.texts = append(f.texts, text); len(f.texts) > maxItems {
		f.texts = f.texts[1:]
	}
}

// certain reports whether what s does to files is done for sure, and to one
// file only.
func (w *walker) certain(s *scope) bool {
	return s.context == "" && len(s.via) == 0 && w.choosing && len(w.choices) == 0
}

// keepTexts notes that a file has one of the texts in it from now on.
func (w *walker) keepTexts(file argument, texts []argument, s *scope) {
	for i, text := range texts {
		if i == 0 {
			w.keepFile(file, text, false, s)
		} else if f := w.files[w.fileKey(file, s)]; f != nil {
			f.hold(text)
		}
	}
}

// dropFile notes that a file is gone.
func (w *walker) dropFile(file argument, s *scope) {
	if len(w.files) > 0 && w.certain(s) && !file.Dynamic && !file.Glob {
		delete(w.files, w.fileKey(file, s))
	}
}

// fileKey is what a file is known by: its path as far as that can be known.
func (w *walker) fileKey(file argument, s *scope) string {
	if file.Text == "" {
		return ""
	}
	there := seenFrom(w.dir(s), file)
	if there.Text == "" {
		return "?/" + clean(file) // in a folder that isn't known
	}
	return clean(there)
}

// contents returns all that may be in a file, if the line wrote it.
func (w *walker) contents(file argument, s *scope) []argument {
	if len(w.files) == 0 || s.remote {
		return nil
	}
	f := w.files[w.fileKey(file, s)]
	if f == nil {
		return nil
	}
	return f.texts
}

// file returns the contents of a file, if the line itself wrote it before.
func (w *walker) file(name argument, s scope) (text argument, ok bool) {
	if name.file != nil {
		return *name.file, true
	}
	if fd, ok := descriptorOf(name.Text); ok {
		if text := w.descriptor(fd, &s); text != nil {
			return text.unread(), true
		}
	}
	texts := w.contents(name, &s)
	if len(texts) == 0 {
		return argument{}, false
	}
	return texts[len(texts)-1], true
}

// fileInput is the contents of a file that is read as an input, nil where they
// aren't known.
func (w *walker) fileInput(name argument, s *scope) *argument {
	if strings.HasPrefix(name.Text, "/dev/tcp/") || strings.HasPrefix(name.Text, "/dev/udp/") {
		unknown := unknowable(name.Text, name.at)
		return &unknown
	}
	text, ok := w.file(name, *s)
	if !ok {
		return nil
	}
	return &text
}

// wrote notes the files that a command makes.
func (w *walker) wrote(c *Command, args []argument, s scope) {
	fetched := argument{Word: Word{Dynamic: true}, from: []*Command{c}}
	switch c.Name {
	case "tee":
		text := argument{Word: Word{Dynamic: true}, from: []*Command{c}}
		if s.input != nil {
			text = s.input.unread()
		}
		_, appends := c.Flag("-a", "--append")
		for _, arg := range args {
			if !strings.HasPrefix(arg.Text, "-") {
				w.keepFile(arg, text, appends, &s)
			}
		}
	case "curl", "wget", "aria2c", "http", "https", "gpg", "openssl":
		w.fetched(c, args, fetched, s)
	case "cp", "mv", "install", "ln", "link", "rsync", "scp", "aws", "gsutil", "gcloud", "rclone", "sftp", "s5cmd", "s3cmd", "mc":
		w.copied(c, args, &s)
	case "gunzip", "unxz", "bunzip2", "unzstd", "uncompress", "gzip", "xz", "bzip2", "zstd":
		w.unpacked(c, args, &s)
	case "rm", "unlink":
		for _, arg := range args {
			w.dropFile(arg, &s)
		}
	default:
		w.rewrote(c, &s)
	}
}
