package sandbox

import "math"

// Power is the VM's ^.
func Power(a, b float64) float64 { return math.Pow(a, b) }
