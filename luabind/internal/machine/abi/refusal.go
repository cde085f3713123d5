package abi

import "fmt"

// A Refusal says why there is no machine code for a Program. It is an error, and the value of the panic that ends the generation of code.
type Refusal string

func (r Refusal) Error() string { return "machine code: " + string(r) }

// Refuse leaves the generation of code with a refusal: it panics, and the caller has deferred Refused.
func Refuse(format string, args ...any) { panic(Refusal(fmt.Sprintf(format, args...))) }

// Refused makes an error of the refusal that ends a function. It is to be deferred.
// refuse leaves the generation of code with a refusal: it panics, and the caller has deferred Refused.
func Refused(err *error) {
	switch r := recover().(type) {
	case nil:
	case Refusal:
		*err = r
	default:
		panic(r)
	}
}
