package plot

import (
	"fmt"
	"io"
	"math"

	svg "github.com/ajstarks/svgo"
)

// This file has the figures of a report. Each is an SVG that brings its own style, for light and dark pages.

// The size of a figure, in pixels.
const (
	figureWidth  = 560
	figureHeight = 300
	figureLeft   = 72
	figureRight  = 20
	figureTop    = 34
	figureBottom = 48
)

const figureStyle = `.f{fill:#333}.m{fill:#666}.g{stroke:#ddd}.a{stroke:#666}.l{stroke:#0072b2;fill:none;stroke-width:1.5}.p{fill:#0072b2}.q{fill:#d55e00}.e{stroke:#0072b2}.d{stroke:#d55e00}.h{fill:#0072b2}
@media(prefers-color-scheme:dark){.f{fill:#ddd}.m{fill:#aaa}.g{stroke:#444}.a{stroke:#aaa}.l{stroke:#56b4e9}.p,.h{fill:#56b4e9}.q{fill:#e69f00}.e{stroke:#56b4e9}.d{stroke:#e69f00}}`

// A figure is a drawing with two axes.
type figure struct {
	*svg.SVG
	w             *firstError
	x, y          Scale
	width, height int
}

func newFigure(to io.Writer, title string, width, height int) *figure {
	w := &firstError{to: to}
	f := &figure{SVG: svg.New(w), w: w, width: width, height: height}
	f.Startraw(fmt.Sprintf(`width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"`, width, height), `role="img"`, `font-family="system-ui, sans-serif"`, `font-size="12"`)
	f.Title(title)
	f.Style("text/css", figureStyle)
	f.Text(figureLeft, figureTop-14, title, `class="f"`, `font-weight="600"`)
	return f
}

func (f *figure) end() error {
	f.End()
	return f.w.err
}

func (f *figure) atX(v float64) int {
	return figureLeft + int(math.Round(f.x.At(v)*float64(f.width-figureLeft-figureRight)))
}

func (f *figure) atY(v float64) int {
	return f.height - figureBottom - int(math.Round(f.y.At(v)*float64(f.height-figureTop-figureBottom)))
}

// axes draws the axis of y with its grid, and that of x with labels at places.
func (f *figure) axes(along, up string, places []float64, labels []string) {
	for _, t := range f.y.Ticks {
		f.Line(figureLeft, f.atY(t), f.width-figureRight, f.atY(t), `class="g"`)
		f.Text(figureLeft-8, f.atY(t)+4, Label(t), `class="m"`, `text-anchor="end"`)
	}
	bottom := f.height - figureBottom
	f.Line(figureLeft, bottom, f.width-figureRight, bottom, `class="a"`)
	for i, v := range places {
		f.Line(f.atX(v), bottom, f.atX(v), bottom+5, `class="a"`)
		f.Text(f.atX(v), bottom+18, labels[i], `class="m"`, `text-anchor="middle"`)
	}
	f.Text(f.width-figureRight, bottom+36, along, `class="m"`, `text-anchor="end"`)
	f.Text(figureLeft-60, f.height-8, up, `class="m"`)
}

func labelsOf(ticks []float64) []string {
	out := make([]string, len(ticks))
	for i, t := range ticks {
		out[i] = Label(t)
	}
	return out
}

// within returns the ticks from Low to High. The ends of a scale need not be ticks.
func within(s Scale) (out []float64) {
	for _, t := range s.Ticks {
		if t >= s.Low && t <= s.High {
			out = append(out, t)
		}
	}
	return out
}

// Histogram draws how often numbers occur, in at most 30 equal parts of their range. Numbers that are not finite do not count.
func Histogram(to io.Writer, title string, values []float64) error {
	f := newFigure(to, title, figureWidth, figureHeight)
	low, high := extent(values)
	parts := min(30, max(5, int(math.Sqrt(float64(len(values))))))
	counts := make([]float64, parts)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			counts[min(int((v-low)/(high-low)*float64(parts)), parts-1)]++
		}
	}
	f.x = ScaleOf([]float64{low, high}, 6)
	f.x.Low, f.x.High = low, high
	f.y = ScaleOf(append(counts, 0), 4)
	ticks := within(f.x)
	f.axes(title, "rows", ticks, labelsOf(ticks))
	for i, n := range counts[:parts] {
		a, b := f.atX(low+(high-low)*float64(i)/float64(parts)), f.atX(low+(high-low)*float64(i+1)/float64(parts))
		if n > 0 {
			f.Rect(a, f.atY(n), max(1, b-a-1), f.atY(0)-f.atY(n), `class="h"`)
		}
	}
	return f.end()
}

// A Dot is a place of a curve and its interval. Low and High are NaN without an interval. Label is what the axis shows at the place, "" where it shows X.
type Dot struct {
	X, Y, Low, High float64
	Label           string
}

// Curve draws dots with their intervals, and lines between them if their places are numbers.
func Curve(to io.Writer, title, along, up string, dots []Dot) error {
	f := newFigure(to, title, figureWidth, figureHeight)
	var xs, ys, places []float64
	var labels []string
	for _, d := range dots {
		xs, ys = append(xs, d.X), append(ys, d.Y, d.Low, d.High)
		if d.Label != "" {
			places, labels = append(places, d.X), append(labels, d.Label)
		}
	}
	f.x, f.y = ScaleOf(xs, 6), ScaleOf(ys, 5)
	low, high := extent(xs)
	f.x.Low, f.x.High = low-(high-low)/20, high+(high-low)/20
	if places == nil {
		places = within(f.x)
		labels = labelsOf(places)
	}
	f.axes(along, up, places, labels)
	var px, py []int
	for _, d := range dots {
		if math.IsNaN(d.Y) || math.IsInf(d.Y, 0) {
			continue
		}
		px, py = append(px, f.atX(d.X)), append(py, f.atY(d.Y))
		if !math.IsNaN(d.Low) && !math.IsNaN(d.High) {
			f.whisker(f.atX(d.X), f.atY(d.Low), f.atY(d.High), `class="e"`)
		}
	}
	if len(px) > 1 && dots[0].Label == "" {
		f.Polyline(px, py, `class="l"`)
	}
	for i := range px {
		f.Circle(px[i], py[i], 3, `class="p"`)
	}
	return f.end()
}

func (f *figure) whisker(x, low, high int, class string) {
	f.Line(x, low, x, high, class)
	f.Line(x-3, low, x+3, low, class)
	f.Line(x-3, high, x+3, high, class)
}

// Heat draws a number for each pair of labels as a shade; z is row after row, the first row at the bottom. NaN is left out.
func Heat(to io.Writer, title, along, up string, xs, ys []string, z [][]float64) error {
	f := newFigure(to, title, figureWidth, figureHeight)
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range z {
		for _, v := range row {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	w, h := figureWidth-figureLeft-figureRight-80, figureHeight-figureTop-figureBottom
	bottom := figureHeight - figureBottom
	atX := func(i int) int { return figureLeft + i*w/len(xs) }
	atY := func(i int) int { return bottom - i*h/len(ys) }
	for j, row := range z {
		for i, v := range row {
			if math.IsNaN(v) {
				continue
			}
			part := 0.5
			if high > low {
				part = (v - low) / (high - low)
			}
			f.Rect(atX(i), atY(j+1), atX(i+1)-atX(i)-1, atY(j)-atY(j+1)-1, `class="h"`, fmt.Sprintf(`fill-opacity="%.2f"`, 0.08+0.92*part))
		}
	}
	for i, label := range xs {
		if len(xs) <= 12 || i%(len(xs)/10+1) == 0 {
			f.Text((atX(i)+atX(i+1))/2, bottom+18, label, `class="m"`, `text-anchor="middle"`)
		}
	}
	for j, label := range ys {
		if len(ys) <= 12 || j%(len(ys)/10+1) == 0 {
			f.Text(figureLeft-8, (atY(j)+atY(j+1))/2+4, label, `class="m"`, `text-anchor="end"`)
		}
	}
	f.Text(figureLeft+w, bottom+36, along, `class="m"`, `text-anchor="end"`)
	f.Text(figureLeft-60, figureHeight-8, up, `class="m"`)
	for i := range 20 {
		f.Rect(figureLeft+w+16, bottom-(i+1)*h/20, 14, h/20+1, `class="h"`, fmt.Sprintf(`fill-opacity="%.2f"`, 0.08+0.92*(float64(i)+0.5)/20))
	}
	if low <= high {
		f.Text(figureLeft+w+34, bottom, Label(low), `class="m"`)
		f.Text(figureLeft+w+34, figureTop+10, Label(high), `class="m"`)
	}
	return f.end()
}

// A Bar is a name with one or two numbers, and their intervals.
type Bar struct {
	Name string
	A, B Dot
}

// Bars draws horizontal bars; a and b name the two numbers of each bar in the legend; b is "" if the bars have one number.
func Bars(to io.Writer, title, a, b string, bars []Bar) error {
	const row = 40
	height := figureTop + figureBottom + row*len(bars)
	f := newFigure(to, title, figureWidth, height)
	var values []float64
	left := 120
	for _, r := range bars {
		values = append(values, 0, r.A.Y, r.A.Low, r.A.High)
		left = max(left, 16+7*len(r.Name))
		if b != "" {
			values = append(values, r.B.Y, r.B.Low, r.B.High)
		}
	}
	left = min(left, figureWidth/2)
	f.x = ScaleOf(values, 6)
	at := func(v float64) int { return left + int(math.Round(f.x.At(v)*float64(figureWidth-left-figureRight))) }
	for _, t := range f.x.Ticks {
		f.Line(at(t), figureTop, at(t), height-figureBottom, `class="g"`)
		f.Text(at(t), height-figureBottom+18, Label(t), `class="m"`, `text-anchor="middle"`)
	}
	bar := func(y int, d Dot, fill, line string) {
		if math.IsNaN(d.Y) {
			return
		}
		x0, x1 := min(at(0), at(d.Y)), max(at(0), at(d.Y))
		f.Rect(x0, y, max(1, x1-x0), 10, fill, `fill-opacity="0.6"`)
		if !math.IsNaN(d.Low) && !math.IsNaN(d.High) {
			f.Line(at(d.Low), y+5, at(d.High), y+5, line)
			f.Line(at(d.Low), y+2, at(d.Low), y+8, line)
			f.Line(at(d.High), y+2, at(d.High), y+8, line)
		}
	}
	for i, r := range bars {
		y := figureTop + i*row
		f.Text(left-8, y+row/2+4, r.Name, `class="f"`, `text-anchor="end"`)
		bar(y+8, r.A, `class="p"`, `class="e"`)
		if b != "" {
			bar(y+22, r.B, `class="q"`, `class="d"`)
		}
	}
	f.Rect(left, height-18, 10, 10, `class="p"`)
	f.Text(left+16, height-9, a, `class="m"`)
	if b != "" {
		f.Rect(left+120, height-18, 10, 10, `class="q"`)
		f.Text(left+136, height-9, b, `class="m"`)
	}
	return f.end()
}
