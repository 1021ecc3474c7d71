package script

import "testing"

// What loses all rows of a table is known as the SQL that does the same; what picks some isn't.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		read          func(string) Program
		program, want string
	}{
		{Python, `from app.models import User; User.objects.all().delete()`, `delete:sql "DELETE FROM \"User\""`},
		{Python, `[u.delete() for u in User.objects.all()]`, `delete:sql "DELETE FROM \"User\""`},
		{Python, `for u in User.objects.all(): u.delete()`, `delete:sql "DELETE FROM \"User\""`},
		{Python, "for u in User.objects.all():\n  if u.old:\n    u.delete()", ""},
		{Python, `User.objects.filter(id=3).delete()`, ""},
		{Python, `User.objects.filter().delete()`, `delete:sql "DELETE FROM \"User\""`},
		{Python, `User.objects.all()[:3].delete()`, ""},
		{Python, `User.objects.first().delete()`, ""},
		{Python, `s.query(User).delete(); s.query(User).filter(User.id == 3).delete()`, `delete:sql "DELETE FROM \"s\""`},
		{Python, `from sqlalchemy import delete; s.execute(delete(User)); s.execute(delete(User).where(User.id == 3))`, `sqlalchemy.delete:sql "DELETE FROM \"User\""`},
		{Python, `db.users.delete_many({}); db.users.delete_many({"a": 1}); db.users.delete_many(f)`, `delete_many:sql "DELETE FROM \"users\""`},
		{Python, `df.drop(columns=["a"]); s.remove(1); d.clear()`, ""},
		{Python, `redis.Redis().flushall()`, `flushall:run redis-cli flushall`},
		{JavaScript, `p.user.deleteMany(); p.user.deleteMany({where: {}}); p.user.deleteMany({where: {id: 1}})`, `deleteMany:sql "DELETE FROM \"user\""; deleteMany:sql "DELETE FROM \"user\""`},
		{JavaScript, `User.destroy({where: {}, truncate: true}); User.destroy({where: {id: 3}}); socket.destroy()`, `destroy:sql "DELETE FROM \"User\""`},
		{JavaScript, `knex("users").del(); knex("users").where("id", 1).del(); knex("users").del().where("id", 1)`, `del:sql "DELETE FROM \"knex\""`},
		{JavaScript, `db.sync({force: true}); db.sync(); db.sync({force: false})`, `sync:sql "DROP DATABASE \"db\""`},
		{JavaScript, `new Map().clear(); m.delete("x"); userRepository.clear()`, `clear:sql "DELETE FROM \"userRepository\""`},
		{Ruby, `User.delete_all; User.where(a: 1).delete_all; user.posts.delete_all; User.inactive.delete_all`, `delete_all:sql "DELETE FROM \"User\""`},
		{Ruby, `User.find_each { |u| u.destroy! }`, `destroy!:sql "DELETE FROM \"User\""`},
		{Ruby, `User.last.delete; User.find(3).destroy; set.delete(1); File.delete("x")`, `File.delete:delete x`},
		{PHP, `User::truncate(); DB::table('users')->delete(); User::where('id', 3)->delete(); $u->delete();`, `truncate:sql "TRUNCATE TABLE \"User\""; delete:sql "DELETE FROM \"DB\""`},
		{PHP, `Artisan::call('migrate:fresh');`, `artisan.call:run artisan migrate:fresh`},
		// the database
		{Python, `import sqlite3; c = sqlite3.connect(":memory:"); c.execute("DELETE FROM t")`, `c.execute:sql "DELETE FROM t" :memory:`},
		{Python, `from sqlalchemy import *; e = create_engine("sqlite:////tmp/x.db?a=b"); e.execute("DROP TABLE t")`, `e.execute:sql "DROP TABLE t" /tmp/x.db`},
		{Python, `import sqlite3; c = sqlite3.connect(p); sqlite3.connect(":memory:"); c.execute("DROP TABLE t")`, `c.execute:sql "DROP TABLE t"`},
		// what is sent
		{Python, `import requests; requests.post("u", data=open(".env").read())`, `requests.post:send .env u`},
		{Python, `import requests, base64; k = open("a").read(); requests.get("u/" + base64.b64encode(k).decode())`, `requests.get:send a u/{base64.b64encode(k).decode()}*`},
		{Python, `import requests; k = open("a").read(); requests.post("u", json={"x": 1})`, ""},
		{JavaScript, `fetch("u", {method: "POST", body: require("fs").readFileSync(".env")}); fetch("u", {body: "x"})`, `fetch:send .env u`},
		{JavaScript, `fetch("u", {body: JSON.stringify(process.env)})`, `fetch:send /proc/self/environ u`},
		// what is emptied
		{JavaScript, `require("fs").readdir(".", (e, all) => all.forEach(f => require("fs").unlink(f, () => {})))`, `fs.unlink:delete -r .`},
		{PHP, `array_map("unlink", array_filter(glob("*"), "is_file"));`, `unlink:delete -r .`},
		{Python, `import os; os.truncate("x", 5); os.truncate("y", 0)`, `os.truncate:write x; os.truncate:write y <""`},
	} {
		if got := showProgram(c.read(c.program)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.program, got, c.want)
		}
	}
}

// A chain without an end is read in bounded time.
func TestLongChain(t *testing.T) {
	long := "User.objects"
	for range 5000 {
		long += ".all()"
	}
	Python(long + ".delete()")
}
