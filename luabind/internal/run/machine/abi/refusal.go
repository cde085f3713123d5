package abi

import "fmt"

// Refusals: a Program for which there is no machine code. The generators panic with a Refusal, so that code that
// writes instructions needs no error returns; Refused turns the panic into an error.

// A Refusal says why there is no machine code for a Program. It is an error, and the value of the panic that ends the generation of code.
type Refusal string

func (r Refusal) Error() string { return "machine code: " + string(r) }

// Refuse ends the generation of code: it panics with a Refusal. A caller has deferred Refused.
func Refuse(format string, args ...any) { panic(Refusal(fmt.Sprintf(format, args...))) }

// Refused must be deferred. It turns the panic of Refuse into an error.
func Refused(err *error) {
	switch r := recover().(type) {
	case nil:
	case Refusal:
		*err = r
	default:
		panic(r)
	}
}
