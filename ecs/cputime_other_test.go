//go:build !unix

package ecs

import "time"

var began = time.Now()

// cpuSeconds returns the seconds since the program began, where processor time is not asked for.
func cpuSeconds() float64 { return time.Since(began).Seconds() }
