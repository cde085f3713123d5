package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// On arm64, Go computes x*y + z with one rounding where the source does not say float64(x*y) + z. A world would then depend on the
// processor, perhaps only for rare values. So the axis arm64 looks for such instructions in the code of this module.

// ours are the functions that a world, a test or a check of a loop may depend on.
const ours = `^github\.com/(ecsrun/ecsrun/(ecs|luabind|config|cmd)|yuin/gopher-lua)`

var (
	fusedOperation = regexp.MustCompile(`\sFN?M(ADD|SUB)[DS]\s`)
	instruction    = regexp.MustCompile(`^\s+(\S+\.go:\d+)\s`)
)

// fused returns where a program multiplies and adds in one step, as "FUNCTION at FILE:LINE"; nil if it does nowhere.
func fused(program string) ([]string, error) {
	out, err := exec.Command("go", "tool", "objdump", "-s", ours, program).Output()
	if err != nil {
		return nil, fmt.Errorf("go tool objdump: %w", err)
	}
	return fusedIn(out)
}

// fusedIn is fused for the text that objdump prints.
func fusedIn(text []byte) (places []string, err error) {
	function, seen := "", 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "TEXT "); ok {
			function, _, _ = strings.Cut(name, "(SB)")
			seen++
		}
		if fusedOperation.MatchString(line) {
			where := instruction.FindStringSubmatch(line)
			if where == nil {
				return nil, fmt.Errorf("go tool objdump prints an unknown line: %q", line)
			}
			if place := function + " at " + where[1]; !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	if seen == 0 {
		return nil, fmt.Errorf("go tool objdump finds no function")
	}
	return places, lines.Err()
}
