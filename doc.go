// Package luahook is a hook engine for AI agents: hooks are Lua functions that
// decide over what an agent is about to do.
//
// To embed it, import [github.com/luahook/luahook/engine] and
// [github.com/luahook/luahook/hooks]; docs/embedding.md shows how. The command is
// in cmd/luahook, the built-in hooks in builtins.
package luahook
