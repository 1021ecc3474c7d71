package main

import (
	"fmt"
	"path/filepath"

	"github.com/luahook/luahook/engine"
)

// managedOptions read the managed files that LUAHOOK_MANAGED names, beside the one of
// the machine, which is read in any case.
func managedOptions(list string) ([]engine.Option, error) {
	var options []engine.Option
	for _, file := range filepath.SplitList(list) {
		if !filepath.IsAbs(file) {
			return nil, fmt.Errorf("LUAHOOK_MANAGED is %q: %q is no absolute path; it is a list of files, with %q between them", list, file, filepath.ListSeparator)
		}
		options = append(options, engine.WithManagedEnv(file))
	}
	return options, nil
}
