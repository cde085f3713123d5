package luatest

import (
	"fmt"
	"regexp"
	"strings"
)

// The command that runs one failure alone.

// alone returns the command that runs the test of a result alone, with the seed if one was given. For a file that does
// not load it is the command that loads it.
func (r *Report) alone(one Result) string {
	command := "ecsrun test"
	if !one.Unloaded {
		command += " --run " + shellQuote("^"+quotePattern(one.FullName())+"$")
	}
	if r.Seeded {
		command += fmt.Sprintf(" --seed %d", r.Seed)
	}
	return command + " " + shellWord(one.File)
}

// quotePattern returns a regular expression that matches a text. It has no characters that control a terminal.
func quotePattern(text string) string {
	var b strings.Builder
	for _, r := range regexp.QuoteMeta(text) {
		if printable(string(r)) != string(r) || r == '\t' {
			fmt.Fprintf(&b, `\x{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// shellQuote quotes a word for a shell.
func shellQuote(s string) string {
	if !strings.ContainsAny(s, "\"$`\\!") {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func shellWord(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n\"'$`\\!*?[]{}()<>|&;#~") && printable(s) == s {
		return s
	}
	return shellQuote(s)
}
