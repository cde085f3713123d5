//go:build !linux

package ecs

import "unsafe"

// adviseHuge does nothing on systems that have no such request.
func adviseHuge(unsafe.Pointer, uintptr) {}
