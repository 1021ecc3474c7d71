package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/luahook/luahook"
	"github.com/luahook/luahook/internal/spelling"
)

// Example is a hook of the cookbook.
type Example struct {
	Name  string
	About string // one line
	Files []File
	// Config is a hooks.yaml with what the hook needs of one; "": nothing.
	Config string
}

// Added is the text of a hooks.yaml with what the example needs, if it is still the one that [First] has.
func (x *Example) Added(config string) (text string, ok bool) {
	if strings.ReplaceAll(config, "\r\n", "\n") != firstConfig {
		return "", false
	}
	return strings.Replace(firstConfig, "\nhooks:\n", "\n"+strings.TrimRight(x.Config, "\n")+"\n\n", 1), true
}

// Keys are the keys of Config under hooks.
func (x *Example) Keys() (keys []string) {
	for line := range strings.Lines(x.Config) {
		if key, _, found := strings.Cut(line, ":"); found && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") {
			keys = append(keys, strings.TrimSpace(key))
		}
	}
	return keys
}

// Examples reads the cookbook, in the order of the names.
func Examples() ([]Example, error) {
	book := luahook.Cookbook()
	names, err := fs.Glob(book, "*.lua")
	if err != nil {
		return nil, err
	}
	var all []Example
	for _, file := range names {
		name := strings.TrimSuffix(file, path.Ext(file))
		if strings.HasSuffix(name, "_test") {
			continue
		}
		x := Example{Name: name}
		for _, file := range []string{file, name + "_test.lua"} {
			text, err := fs.ReadFile(book, file)
			if err != nil {
				return nil, fmt.Errorf("the cookbook: %w", err)
			}
			x.Files = append(x.Files, File{Name: file, Text: string(text)})
		}
		first, _, _ := strings.Cut(x.Files[0].Text, "\n")
		x.About = strings.TrimSpace(strings.TrimLeft(first, "-"))
		x.Files[0].About, x.Files[1].About = x.About, "its test"
		text, err := fs.ReadFile(book, name+".yaml")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the cookbook: %w", err)
		}
		x.Config = string(text)
		all = append(all, x)
	}
	return all, nil
}

// ExampleNamed returns the hook of that name.
func ExampleNamed(name string) (Example, error) {
	all, err := Examples()
	if err != nil {
		return Example{}, err
	}
	var names []string
	for _, x := range all {
		if x.Name == name {
			return x, nil
		}
		names = append(names, x.Name)
	}
	if near := spelling.DidYouMean(name, names); near != "" {
		return Example{}, fmt.Errorf("there is no example %q%s", name, near)
	}
	return Example{}, fmt.Errorf("there is no example %q; luahook init --example lists them", name)
}

// Try is a command that the hook has something to say about.
func (x *Example) Try() string {
	for line := range strings.Lines(x.Files[0].Text) {
		for _, word := range []string{"denies", "asks", "passes"} {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "+word+": "); ok {
				return command
			}
		}
	}
	return "ls"
}
