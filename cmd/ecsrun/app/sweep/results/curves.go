package results

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/plot"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
	"github.com/ecsrun/ecsrun/config"
)

// A Figure is a response curve or a heat map.
type Figure struct {
	Title string
	draw  func(io.Writer) error
}

// Draw writes the figure as SVG.
func (f Figure) Draw(w io.Writer) error { return f.draw(w) }

// mostLevels is how many levels of a key are drawn one by one; more are drawn in as many equal parts of its range.
const mostLevels = 24

// A level is a value of a key, or a part of its range, with the points that are there.
type level struct {
	label  string
	x      float64
	points []int
}

// Curves returns, for each measure and key, the mean with its interval at each level; of a text, the rate of each. With two keys on a grid there is a heat map, too.
func (in *Input) Curves() []Figure {
	if !in.Whole || in.Plan.Points() < 2 {
		return nil
	}
	var out []Figure
	for m, name := range in.Measures {
		words, _, _ := in.Table.Words(m, in.Table.All())
		for k, key := range in.Plan.Keys {
			levels, numeric := in.levels(k)
			if len(levels) < 2 {
				continue
			}
			if words == nil {
				out = append(out, in.curve(name, name, key, levels, numeric, func(rows []int) (float64, stats.Interval) { return in.meanOf(m, rows) }))
			}
			for _, w := range words[:min(len(words), 6)] {
				out = append(out, in.curve(fmt.Sprintf("%s = %q", name, w), "rate", key, levels, numeric, func(rows []int) (float64, stats.Interval) { return in.rateOf(m, w, rows) }))
			}
		}
		if words == nil && len(in.Plan.Keys) == 2 && in.Plan.Sweep.Design.Kind == config.DesignGrid {
			out = append(out, in.heat(m, name))
		}
	}
	return out
}

// rowsOf returns the rows with status ok of points.
func (in *Input) rowsOf(points []int) (rows []int) {
	for _, p := range points {
		at := in.Table.Point(p, in.Plan.Points())
		for r := at.From; r < at.To; r += at.Step {
			if in.Table.Status(r) == "ok" {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

func (in *Input) meanOf(m int, rows []int) (float64, stats.Interval) {
	var numbers []float64
	for _, r := range rows {
		if v, ok := in.Table.Number(r, m); ok {
			numbers = append(numbers, v)
		}
	}
	s := stats.Of(numbers)
	return s.Mean, s.Interval
}

func (in *Input) rateOf(m int, word string, rows []int) (float64, stats.Interval) {
	k := 0
	for _, r := range rows {
		if text, ok := in.Table.Text(r, m); ok && text == word {
			k++
		}
	}
	return float64(k) / float64(len(rows)), stats.Wilson(k, len(rows))
}

func (in *Input) curve(title, up, key string, levels []level, numeric bool, of func([]int) (float64, stats.Interval)) Figure {
	return Figure{title + " over " + key, func(w io.Writer) error {
		var dots []plot.Dot
		for i, l := range levels {
			mean, at := of(in.rowsOf(l.points))
			d := plot.Dot{X: l.x, Y: mean, Low: at.Low, High: at.High}
			if !numeric {
				d.X, d.Label = float64(i), l.label
			}
			dots = append(dots, d)
		}
		return plot.Curve(w, title, key, up, dots)
	}}
}

// levels returns the levels of a key, in order; numeric says that they are numbers.
func (in *Input) levels(k int) (levels []level, numeric bool) {
	at := map[string]int{}
	numeric = true
	for p := range in.Plan.Points() {
		text := in.Plan.Params(p)[k]
		i, known := at[text]
		if !known {
			i = len(levels)
			at[text] = i
			x, err := strconv.ParseFloat(text, 64)
			numeric = numeric && err == nil
			levels = append(levels, level{label: text, x: x})
		}
		levels[i].points = append(levels[i].points, p)
	}
	if !numeric {
		return levels, false
	}
	slices.SortFunc(levels, func(a, b level) int {
		if a.x < b.x {
			return -1
		}
		return 1
	})
	if len(levels) <= mostLevels {
		return levels, true
	}
	low, high := levels[0].x, levels[len(levels)-1].x
	parts := make([]level, mostLevels)
	for i := range parts {
		parts[i].x = low + (high-low)*(float64(i)+0.5)/mostLevels
	}
	for _, l := range levels {
		i := min(int((l.x-low)/(high-low)*mostLevels), mostLevels-1)
		parts[i].points = append(parts[i].points, l.points...)
	}
	return slices.DeleteFunc(parts, func(l level) bool { return len(l.points) == 0 }), true
}

func (in *Input) heat(m int, name string) Figure {
	across, _ := in.levels(0)
	up, _ := in.levels(1)
	return Figure{name, func(w io.Writer) error {
		labels := func(levels []level) (out []string) {
			for _, l := range levels {
				text := l.label
				if text == "" {
					text = plot.Label(l.x)
				}
				out = append(out, text)
			}
			return out
		}
		z := make([][]float64, len(up))
		for j, b := range up {
			z[j] = make([]float64, len(across))
			for i, a := range across {
				both := slices.DeleteFunc(slices.Clone(a.points), func(p int) bool { return !slices.Contains(b.points, p) })
				z[j][i] = math.NaN()
				if len(both) > 0 {
					z[j][i], _ = in.meanOf(m, in.rowsOf(both))
				}
			}
		}
		return plot.Heat(w, "mean of "+name, in.Plan.Keys[0], in.Plan.Keys[1], labels(across), labels(up), z)
	}}
}

// Draw writes the sensitivity as bars with intervals.
func (s Sensitivity) Draw(w io.Writer, keys []string) error {
	var bars []plot.Bar
	none := math.NaN()
	for k, key := range keys {
		if s.Effects != nil {
			e := s.Effects[k]
			bars = append(bars, plot.Bar{Name: key, A: plot.Dot{Y: e.MuStar, Low: e.Interval.Low, High: e.Interval.High}, B: plot.Dot{Y: e.Sigma, Low: none, High: none}})
		} else {
			x := s.Indices[k]
			bars = append(bars, plot.Bar{Name: key, A: plot.Dot{Y: x.First, Low: x.FirstInterval.Low, High: x.FirstInterval.High}, B: plot.Dot{Y: x.Total, Low: x.TotalInterval.Low, High: x.TotalInterval.High}})
		}
	}
	if s.Effects != nil {
		return plot.Bars(w, "Morris: "+s.Measure, "μ*", "σ", bars)
	}
	return plot.Bars(w, "Sobol indices: "+s.Measure, "first order", "total", bars)
}
