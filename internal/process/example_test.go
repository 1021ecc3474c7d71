//go:build unix

package process_test

import (
	"context"
	"fmt"
	"os"

	"github.com/luahook/luahook/internal/process"
)

func ExampleRun() {
	o, err := process.Run(context.Background(), process.Spec{
		Path: "sh", Args: []string{"-c", "wc -c; exit 3"}, Dir: os.TempDir(), Env: os.Environ(), Stdin: []byte("1234567"), MaxStdout: 100,
	})
	fmt.Printf("%t %d %v\n", len(o.Stdout) > 0, o.ExitCode, err)
	// Output: true 3 <nil>
}
