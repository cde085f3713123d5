package config

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// A Problem is one mistake in a config, with a hint how to correct it.
type Problem struct {
	Pos     Pos
	Path    string // "systems[1].script", counted from 0; empty when the file as a whole is meant
	Message string // what is wrong
	Hint    string // the way out: `did you mean "script"?`
	Err     error  // what the message is about, for errors.Is; nil if nothing but the config is wrong
}

// Unwrap returns Err.
func (p *Problem) Unwrap() error { return p.Err }

// Error returns one line:
//
//	config/arena.yaml:9:14: systems[1].scirpt: unknown key; did you mean "script"?
//
// The path is left out where the position is not a line of a file: a flag and a
// variable name what they set.
func (p *Problem) Error() string {
	var b strings.Builder
	if s := p.Pos.String(); s != "" {
		b.WriteString(s + ": ")
	}
	if p.Path != "" && (p.Pos.Line > 0 || p.Pos.File == "") {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.Message)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	return b.String()
}

// Problems are all mistakes of a config, at least one, ordered by line; those of flags and environment come last.
// Load and Parse return no other error.
type Problems []*Problem

// Error returns one line per problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each problem to errors.Is and errors.As.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}

// err sorts the problems and returns them as an error, nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	slices.SortStableFunc(ps, func(a, b *Problem) int { return a.Pos.compare(b.Pos) })
	return ps
}

// report collects the problems of one load. It also knows which values are wrong, so that one mistake is reported
// only once.
type report struct {
	problems Problems
	at       map[string]bool // the paths of problems, and all that they are in
	unknown  map[string]bool // what unknown keys are in
	compared int             // names that were compared for suggestions
}

func (r *report) add(pos Pos, path, message, hint string) {
	if r.at == nil {
		r.at, r.unknown = map[string]bool{}, map[string]bool{}
	}
	r.at[path] = true
	for around := enclosing(path); around != ""; around = enclosing(around) {
		r.at[around] = true
	}
	r.problems = append(r.problems, &Problem{Pos: pos, Path: path, Message: message, Hint: hint})
}

// broken reports whether there is a problem with path or with something inside of it. A check that depends on such
// a value reports nothing.
func (r *report) broken(path string) bool { return r.at[path] }

// listed is the largest number of names that a hint lists.
const listed = 16

// exhausted reports whether so many names have been compared that no more will be.
func (r *report) exhausted() bool { return r.compared > 200_000 }

// closest is suggest.Closest with a limit on the names that one load compares, so that the work is bounded no
// matter how many unknown and known names there are.
func (r *report) closest(name string, candidates []string) (string, bool) {
	if r.exhausted() {
		return "", false
	}
	r.compared += len(candidates)
	return suggest.Closest(name, candidates)
}

// addUnknownKey reports a key that its mapping does not have. It may be a misspelling of a key that is missing
// there.
func (r *report) addUnknownKey(pos Pos, path, hint string) {
	r.add(pos, path, "unknown key", hint)
	for around := enclosing(path); around != ""; around = enclosing(around) {
		r.unknown[around] = true
	}
}

// near returns the hint with the nearest candidate, false if none is similar.
func (r *report) near(name string, candidates []string) (hint string, ok bool) {
	near, ok := r.closest(name, candidates)
	if !ok {
		return "", false
	}
	return didYouMean(near), true
}

// didYouMean returns the hint for a name that was probably meant.
func didYouMean(name string) string { return `did you mean "` + name + `"?` }

// meant returns the hint for an unknown name: the nearest candidate, or a list of all if none is similar. what is
// the plural of the candidates: "keys", "types".
func (r *report) meant(name, what string, candidates []string) string {
	if hint, ok := r.near(name, candidates); ok {
		return hint
	}
	return listing(what, candidates)
}

// listing returns the hint for an unknown name that is not similar to any candidate: all of them.
func listing(what string, candidates []string) string {
	if len(candidates) == 0 {
		return "there are no other " + what
	}
	if len(candidates) > listed {
		return what + " are " + strings.Join(candidates[:listed], ", ") + ", …"
	}
	return what + " are " + strings.Join(candidates, ", ")
}

// meantWithin is meant for names that all begin with prefix. The prefix is left out of the comparison, because it
// would make all of them similar.
func (r *report) meantWithin(prefix, name, what string, candidates []string) string {
	rest := make([]string, len(candidates))
	for i, c := range candidates {
		rest[i] = strings.TrimPrefix(c, prefix)
	}
	if near, ok := suggest.Closest(strings.TrimPrefix(name, prefix), rest); ok {
		return `did you mean "` + prefix + near + `"?`
	}
	return what + " are " + strings.Join(candidates, ", ")
}

// oneLine keeps a foreign text from breaking the rule of a line per problem.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
