//go:build unix

package ecs

import "syscall"

// cpuSeconds returns the processor time that this process has used, in the program and in the kernel: other work on the machine does not count.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
