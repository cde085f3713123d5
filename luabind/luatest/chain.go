package luatest

import (
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Chains: the words after assert and match, such as are_not.equal. The values that stand for them are in assert.go and
// matcher.go.

// chain is the part of a chain that was read so far.
type chain struct {
	path  string      // as written, without assert
	words []string    // that were read since the last call
	state *lua.LTable // what called modifiers have left; nil without one
}

// A reading is what the words of a chain mean.
type reading struct {
	name    string      // of the assertion or matcher; "" if there is none
	found   *assertion  // nil: the chain names none of luassert
	own     *registered // nil: it names none of the test
	keys    []string    // the modifiers and the assertion
	negated bool        // by an odd number of modifiers
	taker   string      // the last modifier that takes arguments; "" if none does
	left    string      // the words that are left over, joined by underscores
	whole   bool        // none is
}

// read finds the assertion and the modifiers in words.
func (s *suite) read(words []string) reading {
	r := s.readChain(words, s.isAssertion)
	if r.own = s.own["assertion"][r.name]; r.own == nil {
		r.found = assertions[r.name]
	}
	return r
}

// readChain finds a name and the modifiers in words, the longest names from the end on, as luassert does.
func (s *suite) readChain(words []string, isName func(string) bool) (r reading) {
	key := ""
	for i := len(words) - 1; i >= 0; i-- {
		if key != "" {
			key = words[i] + "_" + key
		} else {
			key = words[i]
		}
		for i > 0 && isName(words[i-1]+"_"+key) {
			i--
			key = words[i] + "_" + key
		}
		own, mine := s.own["modifier"][key]
		negates, is := modifiers[key]
		switch named := isName(key); {
		case named && r.name == "":
			r.name = key
		case own != nil, slices.Contains(takers, key) && !mine:
			if r.taker == "" {
				r.taker = key
			}
		case is && !mine:
			r.negated = r.negated != negates
		case !named:
			continue
		}
		r.keys = append(r.keys, key)
		key = ""
	}
	slices.Reverse(r.keys)
	r.left, r.whole = key, key == ""
	return r
}

func (s *suite) isAssertion(name string) bool {
	if own, ok := s.own["assertion"][name]; ok {
		return own != nil
	}
	return assertions[name] != nil
}

// isWord reports whether a word belongs to the name of an assertion or of a modifier.
func (s *suite) isWord(word string) bool {
	if assertWords[word] {
		return true
	}
	for _, names := range []map[string]*registered{s.own["assertion"], s.own["modifier"]} {
		for name := range names {
			if slices.Contains(strings.Split(name, "_"), word) {
				return true
			}
		}
	}
	return false
}

// assertWords are the words of the names of assertions and modifiers.
var assertWords = func() map[string]bool {
	all := map[string]bool{}
	for _, word := range takers {
		all[word] = true
	}
	for word := range modifiers {
		all[word] = true
	}
	for name := range assertions {
		for word := range strings.SplitSeq(name, "_") {
			all[word] = true
		}
	}
	return all
}()

// goesOn reports whether the name of an assertion begins with another one's, and has more words.
func (s *suite) goesOn(name string) bool {
	for other := range assertions {
		if strings.HasPrefix(other, name+"_") {
			return true
		}
	}
	for other := range s.own["assertion"] {
		if strings.HasPrefix(other, name+"_") {
			return true
		}
	}
	return false
}
