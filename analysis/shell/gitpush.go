package shell

import "strings"

// Push is a branch of a remote that git push changes, or what is known of which one it is.
type Push struct {
	Remote string // as it is named: a name, a path or an address; "": git chooses, or it isn't known
	Branch string // without refs/heads/; "": see Current and Any

	// Current is set where it is the branch that is checked out, or its upstream, as git is configured.
	Current bool

	// Any is set where it may be any branch: all of them, those of a pattern, or one that isn't known.
	Any bool

	Force  bool // also with a lease
	Delete bool
}

// pushes reads which branches of a remote are changed. Tags and other refs aren't among them.
func (call *gitCall) pushes(settings []GitSetting) []Push {
	if call.name != "push" && call.name != "send-pack" || call.onlyHelps() || call.on("--dry-run") {
		return nil
	}
	remote := ""
	if len(call.operands) > 0 {
		if word := call.command.Args[call.operands[0]]; !word.Dynamic {
			remote = word.Text
		}
	} else {
		for _, o := range call.options {
			if o.name == "--repo" && o.given && !o.value.Dynamic {
				remote = o.value.Text
			}
		}
	}
	force := call.on("--force") || call.on("--force-with-lease")
	var list []Push
	for _, r := range call.specs {
		p := Push{Remote: remote, Force: force || r.Force, Delete: r.Delete || call.on("--mirror")}
		if p.read(&r); p.Branch != "" || p.Any || p.Current {
			list = append(list, p)
		}
	}
	if len(call.specs) == 0 {
		p := Push{Remote: remote, Current: true, Force: force}
		for _, s := range settings {
			key := strings.ToLower(s.Key)
			if key == "push.default" || strings.HasPrefix(key, "remote.") && (strings.HasSuffix(key, ".push") || strings.HasSuffix(key, ".mirror")) || s.Value.Dynamic && key == "" {
				p.Current, p.Any = false, true
			}
		}
		list = append(list, p)
	}
	if call.on("--prune") && !call.on("--mirror") {
		list = append(list, Push{Remote: remote, Any: true, Delete: true, Force: force})
	}
	if call.unsure {
		list = append(list, Push{Remote: remote, Any: true, Force: force})
	}
	return list
}

// read says which branch a refspec changes, if any.
func (p *Push) read(r *Refspec) {
	target := r.Target
	switch {
	case target == "" && (r.Source == "HEAD" || r.Source == "@"):
		p.Current = true
		return
	case target == "": // ":" is every branch that both sides have
		p.Any = true
		return
	}
	name, full := strings.CutPrefix(target, "refs/")
	branch, isBranch := strings.CutPrefix(name, "heads/")
	switch {
	case strings.ContainsAny(target, "*$`?["): // what isn't known is there as it is written
		p.Any = !strings.HasPrefix(name, "tags/")
	case isBranch:
		p.Branch = branch
	case !full && !strings.HasPrefix(name, "tags/"):
		p.Branch = target
	}
}
