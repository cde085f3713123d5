//go:build !((linux || darwin) && (amd64 || arm64))

package memory

import "errors"

func reserve(uintptr) ([]byte, error) { return nil, errors.ErrUnsupported }

func release([]byte) error { return nil }

func forget([]byte) {}
