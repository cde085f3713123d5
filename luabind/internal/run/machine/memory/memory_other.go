//go:build !((linux || darwin) && (amd64 || arm64))

package memory

import "errors"

// Systems without a compiler for machine code: nothing is reserved, and worlds use Go's heap.

func reserve(uintptr) ([]byte, error) { return nil, errors.ErrUnsupported }

func release([]byte) error { return nil }

func forget([]byte) {}
