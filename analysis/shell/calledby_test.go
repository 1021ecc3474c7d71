package shell

import "testing"

// TestCalledBy is about commands in variables that a program runs, and in its libraries.
func TestCalledBy(t *testing.T) {
	checkRuns(t, []struct{ text, want string }{
		{"MANPAGER='rm x' man ls", "man ls; rm x"},
		{"export PAGER='rm x'; man ls", "man ls; rm x"},
		{"env RSYNC_RSH='rm x' rsync a b:c", "rsync a b:c; rm x"},
		{"LESSOPEN='|rm %s' less f", "less f; rm %s"},
		{"EDITOR='rm x' crontab -e", "crontab -e; rm x"},
		{"SYSTEMD_PAGER='rm x' systemctl status", "systemctl status; rm x"},
		{"MANPAGER=cat PAGER='rm x' man ls", "man ls"},
		{"PAGER='rm x' ls", "ls"},
		{"ruby -run -e rm -- -rf /x", "ruby -run -e rm -- -rf /x; rm -rf /x"},
		{"perl -MExtUtils::Command -e rm_rf /x", "perl -MExtUtils::Command -e rm_rf /x; rm -rf /x"},
		{"perl -e rm_rf /x", "perl -e rm_rf /x"},
		{"echo '!rm x' | dc", "dc; rm x"},
		{"dc -e '1 p\n!rm x'", `dc -e "1 p\n!rm x"; rm x`},
		{"dc -e '1 2 + p'", `dc -e "1 2 + p"`},
		{"jobs -x rm -rf /x", "jobs -x rm -rf /x; rm -rf /x"},
		{"jobs -l", "jobs -l"},
		{"/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /x", "ld-linux-x86-64.so.2 /bin/rm -rf /x; rm -rf /x"},
		{"ld-linux-x86-64.so.2 --library-path /l --preload x /bin/rm x", "ld-linux-x86-64.so.2 --library-path /l --preload x /bin/rm x; rm x"},
		{"qemu-x86_64 -L /usr/x /bin/rm -rf /x", "qemu-x86_64 -L /usr/x /bin/rm -rf /x; rm -rf /x"},
		{"coreutils --coreutils-prog=rm -rf /x", "coreutils --coreutils-prog=rm -rf /x; rm -rf /x"},
		{"BASH_ENV=<(echo rm x) bash -c :", "rm x"},
		{"bash --rcfile <(echo rm x) -ic :", "rm x"},
	})
}
