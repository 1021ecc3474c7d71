package shell

import (
	"strings"
	"sync"
)

// gitEffect says what a subcommand does with which words.
type gitEffect struct {
	letters string // the long options that letters stand for: "f=force n=dry-run"
	rivals  string // options of which only the last one given holds
	asks    string // the option with which it asks a person first
	rules   []gitRule
}

// gitRule says what is done if all terms hold:
//
//   - "--name" or "-x": the option holds at the end; "!--name": it doesn't;
//   - "@drop": this is the subcommand's own; "@a|b" likewise for one of both;
//   - a name: gitTerms has the function that decides.
type gitRule struct {
	when string
	does gitFact
}

type gitFact int

const (
	discards gitFact = 1 << iota
	rewrites
	deletes
	forces
)

// gitEffects holds the subcommands that lose something, and those of which
// Force and DryRun are of interest. What isn't here loses nothing of its own
// accord: git merge, cherry-pick and revert add commits, git switch, checkout,
// pull and stash pop refuse to overwrite changes, git reset without --hard
// leaves the files as they are, git stash keeps what it takes away, and git gc
// keeps what is younger than two weeks.
var gitEffects = sync.OnceValue(func() map[string]gitEffect {
	return map[string]gitEffect{
		"add":   {letters: "f=force n=dry-run"},
		"stage": {letters: "f=force n=dry-run"},
		"am":    {letters: "n=no-verify", rules: []gitRule{{"--abort", discards}, {"--skip", discards}}},
		"branch": {letters: "d=delete f=force m=move c=copy", rules: []gitRule{
			{"-D", deletes | forces}, {"--delete !-D", deletes},
			{"-M", rewrites | forces}, {"-C", rewrites | forces}, {"--force !--delete !-D", rewrites}}},
		"checkout": {letters: "f=force p=patch", asks: "--patch", rules: []gitRule{
			{"--force", discards}, {"-B", rewrites | forces}, {"paths", discards}, {"--pathspec-from-file", discards}}},
		"checkout-index": {letters: "f=force a=all", rules: []gitRule{{"--force !--temp !--prefix", discards}}},
		"cherry-pick":    {rules: []gitRule{{"--abort", discards}, {"--skip", discards}}},
		"clean": {letters: "f=force n=dry-run i=interactive", asks: "--interactive", rules: []gitRule{
			{"--force", discards}, {"!--force unforced", discards}}},
		"commit":      {letters: "n=no-verify", rules: []gitRule{{"--amend", rewrites}}},
		"fast-import": {rules: []gitRule{{"--force", rewrites}}},
		"fetch": {letters: "f=force p=prune P=prune-tags t=tags", rules: []gitRule{
			{"--prune-tags", deletes}, {"overwrites", rewrites}, {"--tags --force", rewrites}}},
		"filter-branch": {letters: "f=force", rules: []gitRule{{"", rewrites}}},
		"filter-repo":   {letters: "f=force", rules: []gitRule{{"!--analyze", rewrites}}},
		"gc":            {rules: []gitRule{{"prunes", rewrites}}},
		"history":       {rules: []gitRule{{"operand", rewrites}}},
		"lfs":           {rules: []gitRule{{"@migrate migrates", rewrites}}},
		"merge":         {rules: []gitRule{{"--abort", discards}}},
		"mv":            {letters: "f=force n=dry-run", rules: []gitRule{{"--force", discards}}},
		"notes":         {letters: "f=force n=dry-run"},
		"prune":         {letters: "n=dry-run", rules: []gitRule{{"expires", rewrites}}},
		"pull": {letters: "f=force p=prune r=rebase t=tags", rules: []gitRule{
			{"rebases", rewrites}, {"overwrites", rewrites}, {"--tags --force", rewrites}}},
		"push": {letters: "f=force n=dry-run d=delete", rules: []gitRule{
			{"--mirror", rewrites | deletes | forces}, {"--force", rewrites}, {"--force-with-lease", rewrites},
			{"--prune", deletes}, {"--delete", deletes}, {"!--force !--mirror forced", rewrites | forces}, {"!--delete removed", deletes}}},
		"read-tree": {letters: "n=dry-run", rules: []gitRule{{"indexed", discards}}},
		"rebase": {rules: []gitRule{
			{"!--abort !--quit !--edit-todo !--show-current-patch", rewrites}, {"--abort", discards}, {"--skip", discards}}},
		"reflog": {letters: "n=dry-run", rules: []gitRule{
			{"@expire", rewrites}, {"@delete|drop", rewrites | deletes}}},
		"remote": {letters: "n=dry-run p=prune", rules: []gitRule{
			{"@remove|rm", deletes}}},
		"repack": {letters: "k=keep-unreachable", rules: []gitRule{{"-a -d !--keep-unreachable", rewrites}}},
		"replace": {letters: "d=delete f=force l=list", rules: []gitRule{
			{"--delete", deletes}, {"!--delete !--list operand", rewrites}, {"--convert-graft-file", rewrites}}},
		"replay": {rules: []gitRule{{"updates", rewrites}}},
		"reset": {letters: "p=patch", rivals: "--soft --mixed --hard --merge --keep", asks: "--patch", rules: []gitRule{
			{"--hard", discards}, {"--merge", discards}, {"moves", rewrites}}},
		"restore": {letters: "p=patch W=worktree S=staged", asks: "--patch", rules: []gitRule{{"restores", discards}}},
		"revert":  {rules: []gitRule{{"--abort", discards}, {"--skip", discards}}},
		"rm":      {letters: "f=force n=dry-run", rules: []gitRule{{"--force !--cached", discards}}},
		"send-pack": {letters: "f=force n=dry-run", rules: []gitRule{
			{"--mirror", rewrites | deletes | forces}, {"--force", rewrites}, {"--force-with-lease", rewrites},
			{"!--force !--mirror forced", rewrites | forces}, {"removed", deletes}}},
		"sparse-checkout": {letters: "f=force", rules: []gitRule{
			{"@clean --force", discards}, {"@clean !--force unforced", discards}}},
		"stash":        {rules: []gitRule{{"@drop|clear", discards}}},
		"submodule":    {letters: "f=force", rules: []gitRule{{"@deinit|update --force", discards}}},
		"switch":       {letters: "f=force C=force-create", rules: []gitRule{{"--force", discards}, {"--discard-changes", discards | forces}, {"--force-create", rewrites | forces}}},
		"symbolic-ref": {letters: "d=delete", rules: []gitRule{{"--delete", deletes}}},
		"tag":          {letters: "d=delete f=force", rules: []gitRule{{"--delete", deletes}, {"--force !--delete", rewrites}}},
		"update-ref": {rules: []gitRule{
			{"-d", deletes}, {"--stdin", rewrites | deletes}, {"!-d operand", rewrites}}},
		"worktree": {letters: "f=force n=dry-run", rules: []gitRule{
			{"@remove --force", discards}, {"@add -B", rewrites | forces}}},
	}
})

// judge sets the facts of g that the rules decide.
func (call *gitCall) judge(g *Git, effect *gitEffect) {
	g.Force, g.ForceWithLease, g.DryRun = call.on("--force"), call.on("--force-with-lease"), call.on("--dry-run")
	if len(effect.rules) == 0 || call.helps() {
		return
	}
	g.Dynamic = call.unsure
	// Where the answers come from a pipe or a file, nobody is asked.
	if g.DryRun || effect.asks != "" && call.on(effect.asks) && call.command.Input == nil {
		return
	}
	because := []string{call.name}
	for _, rule := range effect.rules {
		words, ok := call.holds(rule.when)
		if !ok {
			continue
		}
		for _, word := range words {
			if !listed(strings.Join(because, " "), word) {
				because = append(because, word)
			}
		}
		g.DiscardsChanges = g.DiscardsChanges || rule.does&discards != 0
		g.RewritesHistory = g.RewritesHistory || rule.does&rewrites != 0
		g.DeletesRefs = g.DeletesRefs || rule.does&deletes != 0
		g.Force = g.Force || rule.does&forces != 0
	}
	if g.DiscardsChanges || g.RewritesHistory || g.DeletesRefs {
		g.Because = strings.Join(because, " ")
	}
}

// helps reports whether the command only explains itself, or refuses to run.
func (call *gitCall) helps() bool {
	args := call.command.Args
	return call.on("--help") || call.on("--version") || call.on("-h") && args[len(args)-1].Text == "-h"
}

// holds reports whether all terms hold, and because of which words.
func (call *gitCall) holds(when string) (because []string, ok bool) {
	for term := range strings.FieldsSeq(when) {
		word := term
		switch term[0] {
		case '!':
			if call.on(term[1:]) {
				return nil, false
			}
			continue
		case '@':
			if word = call.action; !listed(strings.ReplaceAll(term[1:], "|", " "), word) {
				return nil, false
			}
		case '-':
			if !call.on(term) {
				return nil, false
			}
		default:
			if word = gitTerms()[term](call); word == "" {
				return nil, false
			}
		}
		because = append(because, word)
	}
	return because, true
}
