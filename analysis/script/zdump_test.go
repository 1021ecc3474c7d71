package script

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	out, _ := os.Create(os.Getenv("DUMP"))
	defer out.Close()
	for _, file := range []string{"guard", "real", "own"} {
		f, err := os.Open("/work/corpus/" + file + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<24)
		for n := 0; sc.Scan(); n++ {
			var p [2]string
			json.Unmarshal(sc.Bytes(), &p)
			if file == "own" && len(p[1]) > 6000 {
				continue
			}
			for _, l := range []*language{python, javascript, perl, ruby, php, awk} {
				if l.name == p[0] {
					b, _ := json.Marshal([]string{file, fmt.Sprint(n), l.name, showProgram(l.program(p[1]))})
					out.Write(append(b, '\n'))
				}
			}
		}
	}
}
