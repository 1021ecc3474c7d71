package install

// SetStep has f called between the steps of a write.
func SetStep(f func()) { step = f }

// LockFolder locks a folder.
var LockFolder = lockFolder

// Unified is the difference of two texts.
var Unified = unified

// SplitLine takes a command line apart.
var SplitLine = splitLine

// QuoteWord quotes a word.
var QuoteWord = quoteWord

// Parse reads a JSON text with comments.
func Parse(text []byte) error {
	_, err := parseJSON(text)
	return err
}
