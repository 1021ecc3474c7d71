package shell

import "testing"

func TestCommandMethods(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`mongosh --eval "db.users.drop()"`, "drop"},
		{`mongosh shop --quiet --eval 'db.users.find({})'`, "find"},
		{`mongo --eval="db.a.drop()" --eval "db.b.remove({})"`, "drop remove"},
		{"mongosh <<'EOF'\ndb.users.drop()\nEOF", "drop"},
		{`echo 'db.dropDatabase()' | mongosh shop`, "dropDatabase"},
		{`mongosh --eval "$X"`, ""},
		{`mongosh shop cleanup.js`, ""},
		{`node --eval 'a.b()'`, ""},
		{`echo 'db.users.drop()'`, ""},
	} {
		got := ""
		for _, c := range Parse(tt.line, Options{}).Commands {
			for _, m := range c.Methods() {
				if got != "" {
					got += " "
				}
				got += m.Name
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.line, got, tt.want)
		}
	}
}
