package shell

import "github.com/luahook/luahook/analysis/script"

// methodOptions is about the programs that run JavaScript on a database: they take it
// from these options and, without them, from standard input.
func methodOptions(name string) ([]string, bool) {
	switch name {
	case "mongosh", "mongo":
		return []string{"--eval"}, true
	}
	return nil, false
}

// Methods returns the calls of methods in the program that the command gives to a
// database that speaks JavaScript. What is in files, and what isn't known, has none.
func (c *Command) Methods() []script.Method {
	options, ok := methodOptions(c.Name)
	if !ok {
		return nil
	}
	var methods []script.Method
	given := false
	for _, o := range c.items() {
		if o.name != "" && o.isAny(options) {
			given = true
			methods = append(methods, script.Methods(o.value)...)
		}
	}
	if c.Input != nil && !given {
		methods = append(methods, script.Methods(c.Input.Text)...)
	}
	return methods
}
