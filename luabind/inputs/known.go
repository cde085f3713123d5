package inputs

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// Messages about unknown names.

// undeclared is the error for a name that the world does not have.
func (d *Decoder) undeclared(what, name string, known []string) error {
	e := d.wrong("%s %s is not declared", what, quoted(name))
	e.Fix = meant(name, what+"s", known)
	return e
}

// unknown is the error for a key or field that there is not.
func (d *Decoder) unknown(what, name string, known []string) error {
	e := d.wrong("there is no %s %s", what, quoted(name))
	e.Fix = meant(name, "there are", known)
	if len(known) == 0 {
		e.Fix = "it has none"
	}
	return e
}

// meant suggests a name that is declared.
func meant(name, what string, known []string) string {
	if near, ok := suggest.Closest(name, known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	switch {
	case len(known) == 0:
		return "the config and the scripts declare no " + what
	case len(known) > 12:
		return ""
	case what == "there are":
		return "there are " + strings.Join(known, ", ")
	default:
		return what + " are " + strings.Join(known, ", ")
	}
}
