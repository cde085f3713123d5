package config

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// This file parses values with a unit, sizes and durations, for scalar.go.

// sizeUnits are the units of sizes, in bytes. Decimal units are powers of a thousand, as in the SI.
var sizeUnits = []struct {
	name  string
	bytes uint64
}{
	{"B", 1},
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"kB", 1e3},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
}

const (
	sizeHint     = `write a whole number and a unit, as in "512MiB"`
	durationHint = `write a number and a unit, as in "30s", "500ms" or "2m"`
)

// ParseSize parses a size such as "512MiB", as the config has it. The error says how to write one.
func ParseSize(s string) (uint64, error) {
	size, hint := parseSize(s)
	if hint != "" {
		return 0, fmt.Errorf("%q is no size; %s", s, hint)
	}
	return size, nil
}

// parseSize parses a size such as "512MiB". For text that is not a size it returns 0 and a hint.
func parseSize(s string) (size uint64, hint string) {
	s = strings.TrimSpace(s)
	digits := len(s) - len(strings.TrimLeft(s, "0123456789_"))
	num, ok := parseNumber(s[:digits])
	if !ok || !num.whole {
		return 0, sizeHint
	}
	unit := strings.TrimSpace(s[digits:])
	var names []string
	for _, u := range sizeUnits {
		if u.name == unit {
			if num.size > math.MaxInt64/u.bytes {
				return 0, "no machine has that much; " + sizeHint
			}
			return num.size * u.bytes, ""
		}
		names = append(names, u.name)
	}
	if unit != "" && strings.ContainsRune("PEZ", rune(unit[0])) {
		return 0, "no machine has that much; " + sizeHint
	}
	if near, ok := suggest.Closest(unit, names); ok {
		if _, hint := parseSize(s[:digits] + near); hint != "" {
			return 0, hint
		}
		return 0, `did you mean "` + s[:digits] + near + `"?`
	}
	return 0, sizeHint
}

// parseDuration parses a duration such as "30s". For text that is not a duration it returns 0 and a hint.
func parseDuration(s string) (d time.Duration, hint string) {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil {
		return 0, durationMeant(s)
	}
	return d, ""
}

// durationMeant returns the hint for text that is nearly a duration: without a unit, with blanks, or with a unit
// in capitals.
func durationMeant(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	for _, guess := range []string{s, s + "s"} {
		if _, err := time.ParseDuration(guess); err == nil && s != "" {
			return `did you mean "` + guess + `"?`
		}
	}
	return durationHint
}
