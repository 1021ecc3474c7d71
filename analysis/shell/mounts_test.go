package shell

import (
	"strings"
	"testing"
)

// mountCases are commands in containers, with those of their files that are this machine's.
var mountCases = []struct{ text, want string }{
	{"docker run -v /p:/w alpine rm -rf /w/x /y", "d /p/x"},
	{"docker run -v /p:/w -w /w alpine rm -rf x", "d /p/x"},
	{"docker run -v /p:/w -w /w alpine rm -rf ../x", ""},
	{"docker run -v .:/w -w /w alpine rm x", "d x"},
	{"docker run -v ..:/w alpine rm /w/x", "d ../x"},
	{"docker run -v ~:/h alpine rm /h/x", "d ~/x"},
	{"docker run -v $X:/w alpine rm /w/x", "d $X/x*"},
	{"docker run -v $(x y:/z):/w:rw,z alpine rm /w/x", "d $(x y:/z)/x*"},
	{"docker run -v /p:/w:ro alpine cp /w/a /w/b", "r /p/a"},
	{"docker run -v /p:/w:O alpine rm /w/x", ""},
	{"docker run -v data:/w alpine rm /w/x", ""},
	{"docker run -v /w alpine rm /w/x", ""},
	{"docker run -v /p:/w -v /w/n alpine rm -rf /w/n/x /w/m", "d /p/m"},
	{"docker run -v /p:/w --tmpfs /w/n:size=1m alpine rm -rf /w/n/x", ""},
	{"docker run -v /p:/w -v /q:/w/n alpine rm -rf /w/n/x", "d /q/x"},
	{"docker run -v /p:/w/a -v /q:/w/b alpine rm -rf /w", "d /p, d /q"},
	{"docker run -v /p:/w/a alpine rm /w", ""},
	{"docker run -v /p:/w/a alpine rm -rf '/w'/*", "d /p"},
	{"docker run -v /p:/w/a alpine rm -rf /w/*/x", "d /p/x"},
	{"docker run -v /p:/w/a alpine rm -rf /w/*/*.o", "d /p/*.o^"},
	{"docker run -v /p:/w alpine rm -rf /w/$X", "d /p/$X*"},
	{"docker run -v /p:/w alpine rm -rf $X", ""},
	{"docker run -v /p:/w -w /w alpine rm -rf $X", "d $X*"},
	{"docker run -v /p:/root/p alpine rm '/root/p/x' ~/p/y", "d /p/x, d /p/y"},
	{"docker run --mount type=bind,source=/p,target=/w alpine rm /w/x", "d /p/x"},
	{"docker run --mount=type=bind,src=/p,dst=/w,readonly alpine rm /w/x", ""},
	{"docker run --mount destination=/w,src=/p,type=bind alpine rm /w/x", "d /p/x"},
	{"docker run --mount type=volume,src=p,dst=/w alpine rm /w/x", ""},
	{"docker run --device /dev/sda alpine wipefs -a /dev/sda", "w /dev/sda"},
	{"docker run --device /dev/sda:/dev/x:r alpine wipefs -a /dev/x", ""},
	{"docker run --privileged alpine wipefs -a /dev/sda", "w /dev/sda"},
	{"docker run --privileged=false alpine wipefs -a /dev/sda", ""},
	{"docker run -v /:/host alpine chroot /host rm -rf /etc", "d /etc"},
	{"docker run -v /p:/a/w alpine chroot /a rm -rf /w/x", "d /p/x"},
	{"docker run --pid=host alpine nsenter -t 1 -m rm -rf /etc", "d /etc"},
	{"docker run --pid=host alpine nsenter -t 2 -m rm -rf /etc", ""},
	{"docker run alpine nsenter -t 1 -m rm -rf /etc", ""},
	{"docker exec web rm -rf /w/x", ""},
	{"ssh h docker run -v /p:/w alpine rm -rf /w/x", ""},
	{"docker run -v /p:/w alpine ssh h rm -rf /w/x", ""},
	{"docker run -v /p:/w alpine docker run -v /w:/v alpine rm -rf /v/x", ""},
	{"docker run -v /p:/w alpine find /w -delete", "d /p"},
	{"docker run -v /p:/git alpine/git rm x", "d /p/x"},
	{"docker run -v /p:/w -w /w docker.io/alpine/git:v2 rm x", "d /p/x"},
	{"docker run -v /p:/w -w /w bitnami/git git rm x", "d /p/x"},
	{"docker run -v /p:/w alpine git -C /w rm x", "d /p/x"},
}

func TestMounts(t *testing.T) {
	for _, c := range mountCases {
		line := Parse(c.text, Options{})
		var last *Command
		for _, command := range line.Commands {
			if command.Parent != nil {
				last = command
			}
		}
		if got := showPaths(last.Paths()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestMountsAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString("docker run ")
	for i := range maxMounts + 1 {
		text.WriteString("-v /p:/" + strings.Repeat("w", i+1) + " ")
	}
	if line := Parse(text.String()+"alpine rm -rf /w", Options{}); !line.TooComplex {
		t.Error("more mounts than are kept pass in silence")
	}
}
