package plot

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// The cells of a terminal have two times four dots of Braille.
const (
	dotsAcross = 2
	dotsDown   = 4
	chartRows  = 10
)

var dots = [dotsDown][dotsAcross]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// Text draws each series as a chart of its own below the one before, within so many columns of a terminal.
func Text(to io.Writer, d *Data, width int) error {
	x := ScaleOf(d.X, 5)
	x.Low, x.High = extent(d.X)
	for i, s := range d.Series {
		if i > 0 {
			if _, err := fmt.Fprintln(to); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(to, chart(d, s, x, width)); err != nil {
			return err
		}
	}
	return nil
}

// extent returns the smallest and the largest finite number; they differ.
func extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return 0, 1
	}
	if low == high {
		return low - 0.5, high + 0.5
	}
	return low, high
}

func chart(d *Data, s Series, x Scale, width int) string {
	y := ScaleOf(s.Y, 4)
	left := 0
	for _, t := range y.Ticks {
		left = max(left, utf8.RuneCountInString(Label(t)))
	}
	columns := max(10, width-left-2)
	cells := make([][]rune, chartRows)
	for r := range cells {
		cells[r] = make([]rune, columns)
	}
	set := func(px, py int) {
		if px >= 0 && py >= 0 && px < columns*dotsAcross && py < chartRows*dotsDown {
			cells[py/dotsDown][px/dotsAcross] |= dots[py%dotsDown][px%dotsAcross]
		}
	}
	across, down := float64(columns*dotsAcross-1), float64(chartRows*dotsDown-1)
	lastX, lastY, drawn := 0, 0, false
	for i, v := range s.Y {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(d.X[i]) {
			drawn = false
			continue
		}
		px, py := int(math.Round(x.At(d.X[i])*across)), int(math.Round((1-y.At(v))*down))
		steps := 1
		if drawn {
			steps = max(1, abs(px-lastX), abs(py-lastY))
		} else {
			lastX, lastY = px, py
		}
		for k := 0; k <= steps; k++ {
			set(lastX+(px-lastX)*k/steps, lastY+(py-lastY)*k/steps)
		}
		lastX, lastY, drawn = px, py, true
	}
	labels := map[int]string{}
	for _, t := range y.Ticks {
		labels[int(math.Round((1-y.At(t))*float64(chartRows-1)))] = Label(t)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.Name)
	for r, row := range cells {
		axis := "│"
		if labels[r] != "" {
			axis = "┤"
		}
		line := make([]rune, columns)
		for c, bits := range row {
			if line[c] = ' '; bits != 0 {
				line[c] = 0x2800 + bits
			}
		}
		fmt.Fprintf(&b, "%*s %s%s\n", left, labels[r], axis, strings.TrimRight(string(line), " "))
	}
	low, high := Label(x.Low), d.Along+" "+Label(x.High)
	fmt.Fprintf(&b, "%*s └%s\n", left, "", strings.Repeat("─", columns))
	fmt.Fprintf(&b, "%*s  %s%*s\n", left, "", low, max(1, columns-len(low)), high)
	return b.String()
}

func abs(n int) int { return max(n, -n) }
