package sandbox

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// ErrLimit is what errors.Is finds in the Cause of an [Error] that says a limit
// was passed that is built in: of strings, lists, plain data, patterns, calls and
// coroutines. A script may catch such an error, and then nothing has failed.
var ErrLimit = errors.New("a built-in limit was passed")

// limitError is the text of a passed limit.
type limitError string

func (e limitError) Error() string        { return string(e) }
func (e limitError) Is(target error) bool { return target == ErrLimit }

// Limitf is an error with this text that is an [ErrLimit].
func Limitf(format string, args ...any) error { return limitError(fmt.Sprintf(format, args...)) }

// passed raises the error of a passed limit.
func passed(L *lua.LState, format string, args ...any) { Raise(L, Limitf(format, args...)) }

// vmLimits are the texts with which gopher-lua reports limits of its own.
var vmLimits = map[string]bool{
	"stack overflow": true, "registry overflow": true, "too many recursions in gettable": true, "too many recursions in settable": true,
}
