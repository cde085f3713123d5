package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/confine"
	"github.com/ecsrun/ecsrun/config"
)

// This file is --confine: before any script is loaded, the process gives up what the run does not need.

// The values of --confine. It is "" without the flag.
const (
	confineBest   = "yes"    // the run goes on where the kernel cannot
	confineStrict = "strict" // it ends there
)

// confine restricts the process to the folders of a config, which it may read, and to those in write. read lists what
// else it may read. What the kernel cannot restrict is said on stderr, or ends the run.
func (p *program) confine(how, path string, c *config.Config, read, write []string) error {
	read = append([]string{filepath.Dir(path), c.Scripts.Dir}, read...)
	for _, m := range c.Mods {
		read = append(read, m.Dir)
	}
	gaps, err := confine.Process(confine.Rules{Read: present(read), Write: write})
	if err != nil {
		return usageError("--confine: %w", err)
	}
	if len(gaps) == 0 {
		return nil
	}
	if how == confineStrict {
		return usageError("--confine=strict: %s", strings.Join(gaps, "; "))
	}
	for _, gap := range gaps {
		fmt.Fprintf(p.console.stderr(), "--confine: %s; the run goes on without that\n", gap)
	}
	return nil
}

// present returns the paths at which there is something: a config without Lua systems may name no script folder.
func present(paths []string) (out []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			out = append(out, path)
		}
	}
	return out
}
