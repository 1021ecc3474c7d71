package luabind

import (
	"log/slog"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Bounds of what scripts write to the log.
const (
	maxLine   = 8 << 10 // bytes of one line; the rest is cut off
	maxLogged = 1 << 20 // bytes of one run
)

// lineBytes is about what a line takes beside its text.
const lineBytes = 128

// LogLine writes one line to the hook log, with the place it comes from. level is
// debug, info, warn or error. A run may write 1 MiB; what comes after is left out,
// and the log says so once. A run that judges an event again writes none.
func LogLine(L *lua.LState, level, text string) {
	b, ok := L.Context().(*Budget)
	if !ok || b.logged > maxLogged || AgainOf(L) != nil {
		return
	}
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "..."
	}
	b.spend(L, lineBytes/2+len(text)/16)
	var at slog.Level
	if at.UnmarshalText([]byte(level)) != nil {
		at = slog.LevelInfo
	}
	if b.logged += lineBytes + len(text); b.logged > maxLogged {
		at, text = slog.LevelWarn, "this run has written 1 MiB to the log; the rest is left out"
	}
	b.lent = true // a handler may keep it
	Logger(L).Log(b.parent, at, text, "source", where(L))
}
