// Package wordlist looks for words in texts that list some, as tables of programs and options
// are written here.
package wordlist

import "strings"

// Has reports whether name is one of the names, which are ASCII with blanks between them.
func Has(names, name string) bool {
	if name == "" || strings.ContainsAny(name, " \t\n\v\f\r") {
		return false
	}
	for at := 0; ; at++ {
		found := strings.Index(names[at:], name)
		if found < 0 {
			return false
		}
		at += found
		end := at + len(name)
		if (at == 0 || names[at-1] <= ' ') && (end == len(names) || names[end] <= ' ') {
			return true
		}
	}
}
