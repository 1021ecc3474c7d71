package lib

import (
	"runtime"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"HOOKTEST_A": "a", "HOOKTEST_B": "b", "HOOKTEST_TOKEN": "t", "HOOKTEST_EMPTY": "", "HOOKTEST_API_KEY": "k", "HOOKTEST_KEYBOARD": "de", "OTHER_HOOKTEST": "o", "LUAHOOK_HOOKTEST": "l",
	} {
		t.Setenv(name, value)
	}
	checkIn(t, "", hooks.Grants{Env: []string{"HOOKTEST_*", "HOOKTEST_API_KEY", "HOOK_??"}}, []script{
		{"by a glob", `same(env.get("HOOKTEST_A"), "a") same(env.get("HOOKTEST_EMPTY"), "")`, ""},
		{"not set", `same(env.get("HOOKTEST_NONE"), nil)`, ""},
		{"list", `same(env.list(), { "HOOKTEST_A", "HOOKTEST_API_KEY", "HOOKTEST_B", "HOOKTEST_EMPTY", "HOOKTEST_KEYBOARD" })`, ""},
		{"another", `env.get("OTHER_HOOKTEST")`, `env.get: not granted; give this script "grant: {env: [OTHER_HOOKTEST]}"`},
		{"one that isn't set", `env.get("NONE")`, "env.get: not granted"},
		{"luahook's own", `env.get("LUAHOOK_HOOKTEST")`, "env.get: not granted"},
		{"a secret by a glob", `env.get("HOOKTEST_TOKEN")`, `HOOKTEST_TOKEN is not granted: its name says that it is a secret, and a glob doesn't grant those; give its exact name: "grant: {env: [HOOKTEST_TOKEN]}"`},
		{"a secret by its name", `same(env.get("HOOKTEST_API_KEY"), "k")`, ""},
		{"no name", `env.get("")`, "the name of a variable expected"},
		{"no name, either", `env.get("A=B")`, "the name of a variable expected"},
		{"a NUL byte", `env.get("HOOKTEST_A\0x")`, "the name of a variable expected"},
	})
	checkIn(t, "", hooks.Grants{Env: []string{"LUAHOOK_HOOKTEST", "HOOKTEST_A"}}, []script{
		{"luahook's own, granted", `same(env.get("LUAHOOK_HOOKTEST"), "l")`, ""},
		{"the name alone", `env.get("HOOKTEST_AB")`, "not granted"},
	})
	lower := hooks.Grants{Env: []string{"hooktest_a"}}
	if runtime.GOOS == "windows" {
		checkIn(t, "", lower, []script{{"case is ignored", `same(env.get("HookTest_A"), "a")`, ""}})
	} else {
		checkIn(t, "", lower, []script{{"case counts", `env.get("HOOKTEST_A")`, "not granted"}})
	}
}

func TestNamesOfSecrets(t *testing.T) {
	for _, name := range []string{"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "db_passwd", "OPENAI_API_KEY", "MY_APIKEY", "SSH_PRIVATE", "NPM_AUTH", "X_PAT", "GITHUB_PAT_2", "DB_PWD", "SESSION_COOKIE", "GOOGLE_CREDENTIALS", "SENTRY_DSN", "SSH_KEYS"} {
		if !saysSecret(name) {
			t.Errorf("%s is a secret", name)
		}
	}
	for _, name := range []string{"PATH", "PWD", "OLDPWD", "HOME", "KEYBOARD", "MONKEY_MODE", "AUTHOR", "PATTERN", "CI_BRANCH", "GITHUB_SHA"} {
		if saysSecret(name) {
			t.Errorf("%s is none", name)
		}
	}
}
