// Package plot draws columns of numbers over an axis: as text for a terminal, and as SVG.
package plot

import (
	"math"
	"strconv"
)

// A Scale maps the numbers of an axis to the interval from 0 to 1.
type Scale struct {
	Low, High float64
	Ticks     []float64 // round numbers between them
}

// ScaleOf returns a scale for these numbers with about so many ticks, whose ends are ticks. Numbers that are not finite do not count.
func ScaleOf(values []float64, ticks int) Scale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	if low == high {
		pad := max(1, math.Abs(low)) / 2
		low, high = low-pad, high+pad
	}
	step := round((high - low) / float64(max(1, ticks)))
	s := Scale{Low: math.Floor(low/step) * step, High: math.Ceil(high/step) * step}
	for i := 0; ; i++ {
		v := s.Low + float64(i)*step
		if v > s.High+step/2 || i > 1000 {
			break
		}
		if math.Abs(v) < step/1e6 {
			v = 0
		}
		s.Ticks = append(s.Ticks, v)
	}
	return s
}

// round returns the round number, 1, 2 or 5 times a power of ten, that is not below a step.
func round(step float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(step)))
	for _, f := range []float64{1, 2, 5} {
		if step <= f*unit*(1+1e-9) {
			return f * unit
		}
	}
	return 10 * unit
}

// At returns where a number is: 0 for Low, 1 for High.
func (s Scale) At(v float64) float64 { return (v - s.Low) / (s.High - s.Low) }

// Label returns the text of a number at a tick.
func Label(v float64) string {
	if a := math.Abs(v); a != 0 && (a >= 1e7 || a < 1e-4) {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}
