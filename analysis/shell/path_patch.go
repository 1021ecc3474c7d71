package shell

import "strings"

// patched adds the files of patch: the folder that it works in, where no operand
// names one, and those that a patch on its input names.
func (r *pathReader) patched() {
	if len(r.operands()) > 0 {
		return
	}
	r.here(Write)
	if input := r.command.Input; input == nil || input.Dynamic {
		r.unpacks()
	}
	if input := r.command.Input; input != nil {
		for line := range strings.Lines(input.Text) {
			if name := patchedFile(line); name != "" {
				r.add(Word{Text: name, Quoted: true}, Write)
			}
		}
	}
}

// patchedFile returns the file that a line of a unified patch names. The "a/" and "b/"
// before it are taken for those of git, which patch -p1 leaves out.
func patchedFile(line string) string {
	for _, mark := range [...]struct{ line, folder string }{{"--- ", "a/"}, {"+++ ", "b/"}} {
		if name, ok := strings.CutPrefix(line, mark.line); ok {
			name, _, _ = strings.Cut(strings.TrimRight(name, "\r\n"), "\t")
			if name = strings.TrimPrefix(strings.Trim(name, `"`), mark.folder); name != "/dev/null" {
				return name
			}
		}
	}
	return ""
}

// steps adds the files of apply_patch, whose patch is its argument or its input.
func (r *pathReader) steps() {
	var text string
	if words := r.operands(); len(words) > 0 {
		text = words[0].Text
	} else if input := r.command.Input; input != nil {
		text = input.Text
	}
	for line := range strings.Lines(text) {
		for _, mark := range [...]struct {
			line   string
			access Access
		}{{"*** Add File:", Write}, {"*** Update File:", Write}, {"*** Move to:", Write}, {"*** Delete File:", Delete}} {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), mark.line); ok {
				r.add(Word{Text: strings.TrimSpace(name), Quoted: true}, mark.access)
			}
		}
	}
}
