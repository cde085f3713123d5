package sandbox

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// ErrLimit is found by errors.Is in the Cause of an [Error] about a built-in limit: of strings, lists, plain data,
// patterns, calls and coroutines. A script may catch such an error, and then nothing has failed.
var ErrLimit = errors.New("a built-in limit was passed")

// limitError is the message of an ErrLimit.
type limitError string

func (e limitError) Error() string        { return string(e) }
func (e limitError) Is(target error) bool { return target == ErrLimit }

// Limitf returns an [ErrLimit] with this message.
func Limitf(format string, args ...any) error { return limitError(fmt.Sprintf(format, args...)) }

// passed raises an ErrLimit with this message.
func passed(L *lua.LState, format string, args ...any) { Raise(L, Limitf(format, args...)) }

// vmLimits are the texts with which gopher-lua reports limits of its own.
var vmLimits = map[string]bool{
	"stack overflow": true, "registry overflow": true, "too many recursions in gettable": true, "too many recursions in settable": true,
}
