package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"

	"github.com/luahook/luahook/internal/wordlist"
)

// capture keeps what commands write to their standard output.
type capture struct {
	text    []byte
	dynamic []string   // sources of the parts that aren't known
	home    bool       // text begins with a "~" that stands for a home folder
	glob    bool       // patterns in text are the names that they stand for
	unknown bool       // there is more, of which nothing is known
	from    []*Command // what wrote it
}

func (c *capture) add(text argument, by *Command) {
	c.home, c.glob = c.home || text.Home && len(c.text) == 0, c.glob || text.Glob
	if len(c.text)+len(text.Text) > maxText {
		c.unknown = true
	} else {
		c.text = append(c.text, text.Text...)
	}
	switch {
	case text.Dynamic && len(text.dynamic) == 0:
		c.unknown = true
	case text.Dynamic:
		c.dynamic = append(c.dynamic, text.dynamic...)
	}
	c.from = mergeCommands(c.from, text.from)
	if by != nil {
		c.from = mergeCommands(c.from, []*Command{by})
	}
}

// value returns all that was written.
func (c *capture) value(at place) argument {
	return argument{
		Word: Word{Text: string(c.text), Dynamic: c.unknown || len(c.dynamic) > 0, Home: c.home, Glob: c.glob},
		at:   at, dynamic: c.dynamic, from: c.from,
	}
}

// keepOutput keeps what c writes, as far as it's known. What only passes on what
// something else wrote isn't what it's from.
func (w *walker) keepOutput(c *Command, args []argument, s scope) {
	if isSilent(c.Name) {
		return
	}
	if program := pureOf(c.Name); program != nil && (!s.remote || s.in != nil) && (s.input == nil || w.spend(len(s.input.Text)/16)) {
		if out, ok := program(w, args, s); ok && w.spend(len(out.Text)/16) {
			names := out.Glob || out.Dynamic && strings.Contains(out.Text, "{}") // that stand in its arguments
			if !decodes(c, &s, out.Text) && !names {
				c = nil
			}
			s.out.add(out, c)
			return
		}
	}
	unknown := argument{Word: Word{Dynamic: true}}
	if isMktemp(c.Name) {
		s.out.add(unknown, c) // its arguments are only a part of the new name
		return
	}
	if s.input != nil {
		unknown.from = s.input.from
	}
	unknown.Text = w.passed(c, args, &s)
	for _, arg := range args {
		unknown.from = mergeCommands(unknown.from, arg.from)
		for _, text := range w.contents(arg, &s) {
			unknown.from = mergeCommands(unknown.from, text.from)
		}
	}
	s.out.add(unknown, c)
}

// decodes reports whether c writes text that nobody can read where it stands in
// the line.
func decodes(c *Command, s *scope, out string) bool {
	switch c.Name {
	case "base64", "xxd", "rev":
		return true
	case "tr":
		return s.input != nil && len(c.Args) == 2 && !strings.EqualFold(strings.TrimSpace(s.input.Text), strings.TrimSpace(out)) &&
			hasLetter(c.Args[0].Text) && hasLetter(c.Args[1].Text)
	case "printf", "echo":
		for _, arg := range c.Args {
			if escapesLetter(arg.Text) {
				return true
			}
		}
	}
	return false
}

func hasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

// escapesLetter reports whether a letter is written by its number in text.
func escapesLetter(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++
		if strings.IndexByte("xuU01234567", text[i]) < 0 {
			continue
		}
		end := i + 1
		for end < len(text) && end < i+9 && isDigit(text[end], 16) {
			end++
		}
		if r := []rune(decodeEscapes(text[i-1 : end])); len(r) > 0 && r[0] < 0x80 && isLetter(byte(r[0])) {
			return true
		}
	}
	return false
}

// isSilent reports whether a program writes nothing.
func isSilent(name string) bool {
	switch name {
	case "cd", "true", "false", ":", "test", "[", "export", "set", "shift",
		"unset", "read", "mapfile", "readarray", "local", "readonly", "exit",
		"return", "break", "continue", "sleep", "let", "unalias", "wait":
		return true
	}
	return false
}

// writtenFile is a file that the line itself writes: what may be in it. What is appended is
// put together when somebody reads it.
type writtenFile struct {
	texts    []argument
	appended *capture // the last of the texts, and what is behind it; nil: nothing
	at       place    // of what was appended last
}

// write keeps what was written to a file.
func (w *walker) write(r *Redirect, s *scope) {
	text := s.out.value(s.at)
	r.Empties = opensAnew(r.Op) && !text.Dynamic && strings.TrimSpace(text.Text) == ""
	w.keepFile(argument{Word: r.Target}, text, r.Op == ">>" || r.Op == "&>>", s)
}

// keepFile notes that a file may have text in it from now on.
func (w *walker) keepFile(file, text argument, appends bool, s *scope) {
	key := w.fileKey(file, s)
	if key == "" || !w.spend(commandCost) {
		return
	}
	if w.files == nil {
		w.files = map[string]*writtenFile{}
	}
	f := w.files[key]
	if f == nil {
		f = &writtenFile{}
		w.files[key] = f
	}
	if appends && len(f.texts) > 0 {
		if f.appended == nil {
			f.appended = &capture{}
			f.appended.add(f.texts[len(f.texts)-1], nil)
		}
		f.appended.add(text, nil)
		f.at = text.at
		return
	}
	if w.isCertain(s) {
		f.texts, f.appended = nil, nil // what was there is gone
	}
	w.addText(f, text)
}

// textsIn lists what may be in a file.
func (w *walker) textsIn(f *writtenFile) []argument {
	if f.appended != nil && w.spend(len(f.appended.text)/16) {
		f.texts[len(f.texts)-1] = f.appended.value(f.at)
		f.appended = nil
	}
	return f.texts
}

// lastText is what was written last.
func (w *walker) lastText(f *writtenFile) argument {
	texts := w.textsIn(f)
	return texts[len(texts)-1]
}

// addText adds a text to those that may be in the file.
func (w *walker) addText(f *writtenFile, text argument) {
	if f.texts = append(w.textsIn(f), text); len(f.texts) > maxItems {
		f.texts = f.texts[1:]
	}
}

// isCertain reports whether what s does to files is done for sure, and to one
// file only.
func (w *walker) isCertain(s *scope) bool {
	return s.context == "" && len(s.via) == 0 && w.choosing && len(w.choices) == 0
}

// keepTexts notes that a file has one of the texts in it from now on.
func (w *walker) keepTexts(file argument, texts []argument, s *scope) {
	for i, text := range texts {
		if i == 0 {
			w.keepFile(file, text, false, s)
		} else if f := w.files[w.fileKey(file, s)]; f != nil {
			w.addText(f, text)
		}
	}
}

// dropFile notes that a file is gone.
func (w *walker) dropFile(file argument, s *scope) {
	if len(w.files) > 0 && w.isCertain(s) && !file.Dynamic && !file.Glob {
		delete(w.files, w.fileKey(file, s))
	}
}

// fileKey is what a file is known by: its path as far as that can be known.
func (w *walker) fileKey(file argument, s *scope) string {
	if file.Text == "" {
		return ""
	}
	there := resolveFrom(w.dir(s), file)
	if s.remote {
		there = s.in.meant(there)
	}
	if there.Text == "" {
		return "?/" + cleanArgument(file) // in a folder that isn't known
	}
	return cleanArgument(there)
}

// contents returns all that may be in a file, if the line wrote it.
func (w *walker) contents(file argument, s *scope) []argument {
	if len(w.files) == 0 || s.remote && s.in == nil {
		return nil
	}
	key := w.fileKey(file, s)
	if f := w.files[key]; f != nil {
		return w.textsIn(f)
	}
	if !file.Glob || !w.spend(commandCost*len(w.files)) {
		return nil
	}
	var texts []argument
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		if may, _ := standsForPath(key, name); may {
			texts = append(texts, w.textsIn(w.files[name])...)
		}
	}
	return texts
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
	if !ok && name.Text != "/dev/null" {
		return nil
	}
	return &text
}

// noteWrittenFiles notes the files that a command makes.
func (w *walker) noteWrittenFiles(c *Command, args []argument, s scope) {
	if p := programs.Of(c.Name); p != nil && p.Output != "" {
		w.noteDownloads(p, c, args, s)
		return
	}
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
	case "cp", "mv", "install", "ln", "link", "rsync", "scp", "aws", "gsutil", "gcloud", "rclone", "sftp", "s5cmd", "s3cmd", "mc":
		w.noteCopies(c, args, &s)
	case "gunzip", "unxz", "bunzip2", "unzstd", "uncompress", "gzip", "xz", "bzip2", "zstd":
		w.noteUnpacked(c, args, &s)
	case "certutil", "bitsadmin":
		w.noteWindowsDownload(c, args, &s)
	case "rm", "unlink":
		for _, arg := range args {
			w.dropFile(arg, &s)
		}
	default:
		w.noteChangedFiles(c, &s)
	}
}

// changedInPlace lists programs that may write anything to a file.
const changedInPlace = "sed gsed perl ruby ed ex dd sponge patch truncate"

// makers lists those that write whole files anew from what they read.
const makers = "dd sort sponge"

// noteChangedFiles notes that files that the line wrote may hold something else now, and
// which ones a program makes.
func (w *walker) noteChangedFiles(c *Command, s *scope) {
	makes := wordlist.Has(makers, c.Name)
	if !makes && (len(w.files) == 0 || !wordlist.Has(changedInPlace, c.Name)) {
		return
	}
	r := pathReader{command: c, dir: c.Dir}
	r.arguments()
	for _, p := range r.paths {
		f := w.files[p.Text]
		switch {
		case p.Access != Write:
		case f == nil && makes && !p.Dynamic && !p.Glob:
			unknown := argument{Word: Word{Dynamic: true}, from: []*Command{c}}
			if s.input != nil {
				unknown.from = mergeCommands(s.input.from, unknown.from)
			}
			for _, source := range r.paths {
				if read := w.files[source.Text]; read != nil && source.Access == Read {
					unknown.from = mergeCommands(w.lastText(read).from, unknown.from)
				}
			}
			w.keepFile(argument{Word: Word{Text: p.Text, Home: p.Home}}, unknown, false, s)
		case f != nil:
			if last := w.lastText(f); !last.Dynamic || last.Text != "" {
				w.addText(f, argument{Word: Word{Dynamic: true}, from: []*Command{c}})
			}
		}
	}
}

// noteDownloads notes the file that a download goes to.
func (w *walker) noteDownloads(p *programs.Program, c *Command, args []argument, s scope) {
	text := argument{Word: Word{Dynamic: true}, from: []*Command{c}}
	named := false
	items := c.items()
	folder := ""
	for _, o := range items {
		named = named || o.name != "" && wordlist.Has(p.Output, o.name)
		if o.name != "" && wordlist.Has(p.OutputFolder, o.name) {
			folder = o.value + "/"
		}
	}
	for _, o := range items {
		switch {
		case o.name != "" && wordlist.Has(p.Output, o.name) && o.value != "":
			file := argument{Word: Word{Text: o.value, Dynamic: args[o.source].Dynamic}}
			if c.Name != "wget" { // which reads -P for names of its own alone
				file.Text = folder + file.Text
			}
			w.keepFile(file, text, false, &s)
		case o.name == "" && (c.Name == "wget" && !named || c.Name == "curl" && hasOption(items, "-O", "--remote-name")):
			url := args[o.index]
			base, _, _ := strings.Cut(url.Text[strings.LastIndexByte(url.Text, '/')+1:], "?")
			w.keepFile(argument{Word: Word{Text: folder + base, Dynamic: url.Dynamic}}, text, false, &s)
		}
	}
}

// noteUnpacked notes what a program makes of a file that the line wrote, which
// takes the place of that.
func (w *walker) noteUnpacked(c *Command, args []argument, s *scope) {
	for _, arg := range args {
		packed := w.contents(arg, s)
		dot := strings.LastIndexByte(arg.Text, '.')
		if len(packed) == 0 || dot <= 0 || s.out != nil && hasOption(c.items(), "-c", "--stdout") {
			continue
		}
		text := argument{Word: Word{Dynamic: true}, from: mergeCommands(packed[len(packed)-1].from, []*Command{c})}
		arg.Text = arg.Text[:dot]
		w.keepFile(arg, text, false, s)
	}
}

func hasOption(items []item, names ...string) bool {
	for _, o := range items {
		for _, name := range names {
			if o.name == name {
				return true
			}
		}
	}
	return false
}

// keepProgram notes that a file is another one, which may be a program.
func (w *walker) keepProgram(file, program argument, s *scope) {
	if program.Dynamic || program.Glob || !strings.HasPrefix(program.Text, "/") || !w.spend(commandCost) {
		return
	}
	if w.programs == nil {
		w.programs = map[string]argument{}
	}
	w.programs[w.fileKey(file, s)] = program
}

// copiesHere reports whether a program that copies never reaches another machine.
func copiesHere(name string) bool {
	switch name {
	case "cp", "mv", "install", "ln", "link":
		return true
	}
	return false
}

// noteCopies notes that a file has what another one has.
func (w *walker) noteCopies(c *Command, args []argument, s *scope) {
	var names []argument
	var into *argument // the folder that an option names
	if copiesHere(c.Name) {
		for _, o := range c.items() {
			switch {
			case o.name == "":
				names = append(names, args[o.index])
			case o.name == "-t" || o.name == "--target-directory":
				folder := valueFrom(args, o.source, o.value)
				into = &folder
			}
		}
		if into != nil {
			names = append(names, *into)
		}
	} else {
		for _, arg := range args {
			if !strings.HasPrefix(arg.Text, "-") {
				names = append(names, arg)
			}
		}
	}
	if len(names) < 2 {
		return
	}
	to := names[len(names)-1]
	for _, from := range names[:len(names)-1] {
		texts := w.contents(from, s)
		if text, ok := w.file(from, *s); ok && len(texts) == 0 {
			texts = []argument{text} // of a descriptor or <(...)
		}
		fetches := !copiesHere(c.Name)
		if fetches && isElsewhere(from.Text) && !isElsewhere(to.Text) {
			texts = []argument{{Word: Word{Dynamic: true}, from: []*Command{c}}}
		} else if fetches && c.Name != "rsync" && c.Name != "scp" {
			continue
		}
		inside := to
		inside.Text = strings.TrimSuffix(to.Text, "/") + "/" + baseName(from.Text[strings.LastIndexByte(from.Text, ':')+1:])
		for _, there := range []argument{to, inside} {
			w.keepTexts(there, texts, s)
			if len(texts) == 0 {
				w.keepProgram(there, from, s)
			}
		}
		if c.Name == "mv" {
			w.dropFile(from, s)
		}
	}
}
