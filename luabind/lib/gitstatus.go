package lib

import (
	"fmt"
	"strings"
)

type statusEntry struct{ path, index, worktree string }

// status asks git. Untracked folders are one entry each where untracked is "normal", and
// with "all" the files in them.
func (c call) status(untracked string) ([]statusEntry, error) {
	top, err := c.repository()
	if err != nil {
		return nil, err
	}
	out, err := c.git(maxListBytes, "status", "--porcelain=v1", "-z", "--untracked-files="+untracked, "--ignored=no", "--no-renames", "--no-ahead-behind", "--ignore-submodules=dirty", "--", ".")
	if err != nil {
		return nil, err
	}
	return parseStatus(out, top.prefix)
}

// parseStatus reads what git status -z prints, whose paths start at the repository.
func parseStatus(out, prefix string) ([]statusEntry, error) {
	var list []statusEntry
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if out == "" {
			break
		}
		if len(line) < 4 || line[2] != ' ' {
			return nil, fmt.Errorf("git status says %q, which isn't understood", cut(line, 100))
		}
		if name, inside := strings.CutPrefix(line[3:], prefix); inside {
			list = append(list, statusEntry{name, line[:1], line[1:2]})
		}
	}
	return list, nil
}
