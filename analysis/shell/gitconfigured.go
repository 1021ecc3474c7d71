package shell

import (
	"slices"
	"strings"
)

// gitNamed is a program that git is told about.
type gitNamed struct {
	gitRun
	label string // the variable or key
	part  string // of the key
	value argument
}

// programs reports the programs that variables and settings name, as far as
// the subcommand runs them.
func (r *gitRunner) programs(settings []gitSetting) {
	var all []gitNamed
	best := map[string]int{}
	add := func(name string, n gitNamed) {
		run, ok := gitRuns()[name]
		if !ok || n.value.Text == "" {
			return
		}
		use := run.use
		if use == "" {
			use, _, _ = strings.Cut(name, ".")
		}
		if !r.call.runs(use, n.part) {
			return
		}
		n.gitRun = run
		if rank, ok := best[run.use]; !ok || run.rank < rank {
			best[run.use] = run.rank
		}
		n.value.at = r.call.place()
		all = append(all, n)
	}
	given := map[string]bool{}
	for _, a := range slices.Backward(r.call.set) {
		if !strings.Contains(a.Name, ".") && !given[a.Name] {
			given[a.Name] = true
			add(a.Name, gitNamed{label: a.Name, value: argument{Word: a.Value}})
		}
	}
	for _, set := range [][]gitSetting{settings, r.w.gitSettings} {
		for _, s := range set {
			add(s.kind, gitNamed{label: s.key, part: s.part, value: s.value})
		}
	}
	for _, n := range all {
		if n.use == "" || n.rank == best[n.use] {
			r.named(n)
		}
	}
}

// runs reports whether the subcommand may run what is used for that. part says
// more about it.
func (call *gitCall) runs(use, part string) bool {
	switch use {
	case "pager":
		return call.pages(part)
	case "editor":
		return call.edits()
	}
	users := gitUsers()[use]
	return listed(users, call.name) || users == gitNetwork && call.network()
}

// network reports whether the subcommand talks to another repository.
func (call *gitCall) network() bool {
	switch call.name {
	case "remote":
		return listed("update show prune set-head", call.action) || call.action == "add" && call.on("-f")
	case "submodule":
		return call.action == "add" || call.action == "update"
	}
	return listed(gitNetwork, call.name)
}

// pages reports whether git may show what the subcommand writes with a pager,
// that of the subcommand part if that isn't "".
func (call *gitCall) pages(part string) bool {
	paged := listed(gitPaged, call.name)
	for _, o := range call.global {
		switch o.name {
		case "-p", "--paginate":
			paged = true
		case "-P", "--no-pager":
			paged = false
		}
	}
	return paged && (part == "" || part == call.name)
}

// edits reports whether the subcommand may open an editor.
func (call *gitCall) edits() bool {
	options, ok := gitEditors()[call.name]
	if !ok || options == "" {
		return ok
	}
	for option := range strings.FieldsSeq(options) {
		if call.on(option) {
			return true
		}
	}
	return false
}

// named reports that git runs n.
func (r *gitRunner) named(n gitNamed) {
	via, text := "git "+n.label, n.value
	rest, bang := strings.CutPrefix(text.Text, "!")
	switch n.how {
	case asProgram:
		r.program([]argument{text}, via)
		return
	case asURL:
		r.address(text)
		return
	case asAddress:
		r.address(literal(n.part, text.at))
		return
	case asBang:
		if !bang {
			return
		}
		text.Text = rest
	case asHelper:
		switch {
		case bang:
			text.Text = rest
		case !strings.HasPrefix(text.Text, "/"):
			text.Text = "git credential-" + text.Text
		}
		text.Text += " get"
	case asMonitor, asPager:
		if isGitTruth(text.Text) {
			return
		}
	}
	r.w.text(text, via, r.top)
}

func isGitTruth(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return isGitFalse(value)
}
