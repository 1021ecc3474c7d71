package hooks

import "slices"

// Grants are the capabilities of a script: what it may reach outside of its sandbox.
// The zero value grants nothing.
type Grants struct {
	FSRead  bool     // fs.read: read files below the project's root
	FSWrite bool     // fs.write: write and delete files there
	Git     bool     // git: read the project's repository
	Tasks   bool     // tasks: create and read tasks of the tracker that is configured
	Env     []string // env: names of variables, globs ("GITHUB_*") among them
	Exec    []string // exec: programs, by name or absolute path
	HTTP    []string // http: hosts, "host", "host:port" or "*.host"
}

// None tells whether nothing is granted.
func (g Grants) None() bool {
	return !g.FSRead && !g.FSWrite && !g.Git && !g.Tasks && len(g.Env) == 0 && len(g.Exec) == 0 && len(g.HTTP) == 0
}

// With is what both grant together.
func (g Grants) With(other Grants) Grants {
	join := func(a, b []string) []string {
		var list []string
		for _, s := range slices.Concat(a, b) {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		return list
	}
	return Grants{
		FSRead: g.FSRead || other.FSRead, FSWrite: g.FSWrite || other.FSWrite, Git: g.Git || other.Git, Tasks: g.Tasks || other.Tasks,
		Env: join(g.Env, other.Env), Exec: join(g.Exec, other.Exec), HTTP: join(g.HTTP, other.HTTP),
	}
}

// List names what is granted, each as a person reads it: "fs.read", "exec: make, go".
func (g Grants) List() []string {
	var list []string
	for _, c := range []struct {
		name  string
		given bool
	}{{"fs.read", g.FSRead}, {"fs.write", g.FSWrite}, {"git", g.Git}, {"tasks", g.Tasks}} {
		if c.given {
			list = append(list, c.name)
		}
	}
	for _, c := range []struct {
		name string
		of   []string
	}{{"env", g.Env}, {"exec", g.Exec}, {"http", g.HTTP}} {
		if len(c.of) > 0 {
			text := c.name + ": "
			for i, s := range c.of {
				if i > 0 {
					text += ", "
				}
				text += s
			}
			list = append(list, text)
		}
	}
	return list
}
