package redact_test

import (
	"fmt"

	"github.com/luahook/luahook/internal/redact"
)

func ExampleRedactor_Text() {
	r := redact.New([]string{"DB_PASSWORD=Winter-is-c0ming", "HOME=/home/kim"})
	text, found := r.Text("psql postgres://app:s3cr3t@db/shop  # or Winter-is-c0ming, in /home/kim")
	fmt.Println(text)
	fmt.Println(found)
	// Output:
	// psql postgres://app:[redacted: password]@db/shop  # or [redacted: environment: DB_PASSWORD], in /home/kim
	// 2
}

func ExampleRedactor_Value() {
	value, _ := redact.New(nil).Value(map[string]any{"user": "kim", "password": "correct horse"})
	fmt.Println(value)
	// Output: map[password:[redacted: password] user:kim]
}
