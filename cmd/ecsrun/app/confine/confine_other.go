//go:build !linux

package confine

import "runtime"

func process(Rules) (gaps []string, err error) {
	return []string{"nothing is restricted: " + runtime.GOOS + " has no Landlock; only Linux does"}, nil
}
