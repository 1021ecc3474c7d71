package lib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/luabind"
)

var (
	gitPart = part{"git of a shell command", []string{
		"subcommand", "dir", "operands", "paths", "refspecs", "force", "force_with_lease", "dry_run",
		"discards_changes", "rewrites_history", "deletes_refs", "because", "dynamic",
		"settings", "stored", "elsewhere", "skips_hooks",
	}, []string{"subcommand", "dir", "stored"}}
	settingPart = part{"a setting of git", []string{"key", "value", "dynamic"}, nil}
	refspecPart = part{"a refspec of git", []string{"source", "target", "force", "delete"}, nil}
)

// gitOf is what a git command does to history and files, nil for any other.
func gitOf(c call, _ *parsedLine, cmd *shell.Command) lua.LValue {
	c.chargeOptions(cmd)
	g := cmd.Git()
	if g == nil {
		return lua.LNil
	}
	luabind.Spend(c.LState, 2*len(gitPart.fields))
	t := c.object(len(gitPart.fields))
	if g.Subcommand != "" {
		t.RawSetString("subcommand", lua.LString(g.Subcommand))
	}
	if g.Dir.Text != "" && !g.Dir.Dynamic {
		t.RawSetString("dir", lua.LString(g.Dir.Text))
	}
	t.RawSetString("operands", c.wordTexts(g.Operands))
	t.RawSetString("paths", c.wordTexts(g.Paths))
	t.RawSetString("refspecs", c.refspecs(g.Refspecs))
	t.RawSetString("force", lua.LBool(g.Force))
	t.RawSetString("force_with_lease", lua.LBool(g.ForceWithLease))
	t.RawSetString("dry_run", lua.LBool(g.DryRun))
	t.RawSetString("discards_changes", lua.LBool(g.DiscardsChanges))
	t.RawSetString("rewrites_history", lua.LBool(g.RewritesHistory))
	t.RawSetString("deletes_refs", lua.LBool(g.DeletesRefs))
	t.RawSetString("because", lua.LString(g.Because))
	t.RawSetString("dynamic", lua.LBool(g.Dynamic))
	t.RawSetString("settings", c.parts(len(g.Settings), settingPart, func(i int, t *lua.LTable) { setSetting(t, &g.Settings[i]) }))
	if g.Stored != nil {
		t.RawSetString("stored", c.parts(1, settingPart, func(_ int, t *lua.LTable) { setSetting(t, g.Stored) }).RawGetInt(1))
	}
	t.RawSetString("elsewhere", lua.LBool(g.Elsewhere))
	t.RawSetString("skips_hooks", lua.LBool(g.SkipsHooks))
	t.Metatable = c.metaOf(gitPart)
	return t
}

func setSetting(t *lua.LTable, s *shell.GitSetting) {
	t.RawSetString("key", lua.LString(s.Key))
	t.RawSetString("value", lua.LString(s.Value.Text))
	t.RawSetString("dynamic", lua.LBool(s.Value.Dynamic))
}

func (c call) refspecs(refspecs []shell.Refspec) *lua.LTable {
	return c.parts(len(refspecs), refspecPart, func(i int, t *lua.LTable) {
		r := refspecs[i]
		t.RawSetString("source", lua.LString(r.Source))
		t.RawSetString("target", lua.LString(r.Target))
		t.RawSetString("force", lua.LBool(r.Force))
		t.RawSetString("delete", lua.LBool(r.Delete))
	})
}
