// Package excerpt shortens long texts, as programs write them, for a reader with little
// room: [Squeeze] leaves out what says nothing (escape sequences of terminals, overwritten
// progress, repeated lines), and [Cut] keeps the beginning, the end and those lines between
// that [Snippets] describe, with a marker for everything that was cut.
//
// Both take time linear to the text, whatever is in it, and never make it longer. They
// report their work to a function of the caller's, which may panic to stop them; about
// one unit stands for 16 bytes.
package excerpt

// spendEvery is how many bytes are worked on between two reports of work.
const spendEvery = 64 << 10

// spendBytes reports work over so many bytes.
func spendBytes(spend func(units int), n int) {
	if spend != nil {
		spend(1 + n/16)
	}
}
