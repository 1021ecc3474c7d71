package sql

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell"
)

// tool is a program that does by itself what a statement does.
type tool struct {
	program
	verb, object string
	subcommand   string // the operand before the name
	fixed        string // the name, where none is given
}

// tools are such programs, by name, from their manuals.
var tools = sync.OnceValue(func() map[string]tool {
	return map[string]tool{
		"dropdb":     {program: program{short: "h:p:U:", long: "host port username maintenance-db"}, verb: "DROP", object: "DATABASE"},
		"dropuser":   {program: program{short: "h:p:U:", long: "host port username"}, verb: "DROP", object: "USER"},
		"createdb":   {program: program{short: "D:E:l:O:S:T:h:p:U:", long: "tablespace encoding locale lc-collate lc-ctype icu-locale owner strategy template host port username maintenance-db"}, verb: "CREATE", object: "DATABASE"},
		"createuser": {program: program{short: "c:g:a:m:h:p:U:v:", long: "connection-limit role member-of with-admin with-member host port username valid-until"}, verb: "CREATE", object: "USER"},
		"mysqladmin": mysqladmin, "mariadb-admin": mysqladmin,
		"wp":    {verb: "DROP", object: "DATABASE", subcommand: "db drop|db reset|db clean", fixed: "*"},
		"drush": {verb: "DROP", object: "DATABASE", subcommand: "sql:drop|sql-drop", fixed: "*"},
	}
})

var mysqladmin = tool{program: program{short: "h:P:S:u:c:i:w::p::", long: "host port socket user count sleep wait connect-timeout shutdown-timeout defaults-file default-character-set protocol ssl-mode login-path"},
	verb: "DROP", object: "DATABASE", subcommand: "drop"}

// administration returns what c does to a database without SQL, or nil.
func administration(c *shell.Command) *Statement {
	t, ok := tools()[strings.ToLower(c.Name)]
	if !ok {
		return nil
	}
	options, operands := t.arguments(c.Args)
	s := &Statement{Verb: t.verb, Object: t.object}
	for _, o := range options {
		switch o.name {
		case "--help", "--version", "-?", "-V":
			return nil
		case "--if-exists":
			s.IfExists = true
		}
	}
	if t.subcommand != "" {
		if operands = behind(operands, t.subcommand); operands == nil {
			return nil
		}
	}
	switch {
	case t.fixed != "":
		s.Names = []string{t.fixed}
	case len(operands) > 0:
		s.Names, s.Dynamic = []string{operands[0].Text}, operands[0].Dynamic
	default:
		return nil
	}
	return s
}

// behind returns what follows one of the subcommands, not nil where nothing does,
// and nil where none of them is there.
func behind(operands []shell.Word, subcommands string) []shell.Word {
	for subcommand := range strings.SplitSeq(subcommands, "|") {
		words := strings.Fields(subcommand)
		for i := range operands {
			if i+len(words) <= len(operands) && spells(operands[i:], words) {
				return append([]shell.Word{}, operands[i+len(words):]...)
			}
		}
	}
	return nil
}

func spells(operands []shell.Word, words []string) bool {
	for i, w := range words {
		if operands[i].Text != w {
			return false
		}
	}
	return true
}
