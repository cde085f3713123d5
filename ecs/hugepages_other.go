//go:build !linux

package ecs

import "unsafe"

// adviseHuge does nothing where the system decides by itself.
func adviseHuge(unsafe.Pointer, uintptr) {}
