package luabind

import lua "github.com/yuin/gopher-lua"

// walkMark is the key by which a metatable's walker is known.
const walkMark = "\x00walk"

// OnWalk has fill called before a table with this metatable is walked: by pairs, by
// next from its beginning, and where it leaves Lua ([FromLua], so json, log and answers
// too). It is for tables that make their fields only when they are asked for: fill sets
// those that should be seen. It may raise errors, and is called each time. Scripts must
// not be able to get hold of the metatable.
func OnWalk(meta *lua.LTable, fill func(L *lua.LState, t *lua.LTable)) {
	meta.RawSetString(walkMark, &lua.LUserData{Value: walker(fill)})
}

type walker func(L *lua.LState, t *lua.LTable)

// beforeWalk calls what [OnWalk] has set for the table.
func beforeWalk(L *lua.LState, t *lua.LTable) {
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return
	}
	if u, ok := meta.RawGetString(walkMark).(*lua.LUserData); ok {
		if fill, ok := u.Value.(walker); ok {
			fill(L, t)
		}
	}
}
