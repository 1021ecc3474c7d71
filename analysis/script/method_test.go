package script

import (
	"fmt"
	"strings"
	"testing"
)

func TestMethods(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"db.users.drop()", "users.drop*"},
		{"db.dropDatabase()", "db.dropDatabase*"},
		{"db.getSiblingDB('shop').dropDatabase()", "db.getSiblingDB .dropDatabase*"},
		{"db.users.deleteMany({})", "users.deleteMany*"},
		{"db.users.deleteMany({ }, {w: 1})", "users.deleteMany*"},
		{"db.users.deleteMany({age: {$gt: 3}})", "users.deleteMany:age"},
		{`db.runCommand({drop: "users"})`, "db.runCommand:drop"},
		{`db.runCommand({"dropDatabase": 1})`, "db.runCommand:dropDatabase"},
		{"db.runCommand({...x})", "db.runCommand"},
		{"db.runCommand({", "db.runCommand"},
		{"db.users.deleteMany(q)", "users.deleteMany"},
		{"db['users'].remove({})", "users.remove*"},
		{`db.users["drop"]()`, "users.drop*"},
		{"db.users?.drop()", "users.drop*"},
		{"db.users\n  .find({})\n  .count()", "users.find* .count*"},
		{"print('db.users.drop()') // db.users.drop()", ""},
		{"/* db.users.drop() */ db.users.find()", "users.find*"},
		{"db.users.insertOne({note: 'drop()'})", "users.insertOne:note"},
		{"db.users.drop", ""},
		{"`${db.users.drop()}`", "users.drop*"},
		{"db.users.drop(", "users.drop"},
		{"", ""},
	} {
		var got []string
		for _, m := range Methods(tt.source) {
			text := m.Object + "." + m.Name
			if m.Bare {
				text += "*"
			}
			if m.Key != "" {
				text += ":" + m.Key
			}
			got = append(got, text)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.source, got, tt.want)
		}
	}
}

func TestMethodsHaveBounds(t *testing.T) {
	if n := len(Methods(strings.Repeat("a.b();", 3*maxCalls))); n != maxCalls {
		t.Errorf("%d methods, want %d", n, maxCalls)
	}
	if m := Methods("a.b();\nc.d()"); len(m) != 2 || m[1].Line != 2 {
		t.Error(fmt.Sprint(m))
	}
}
