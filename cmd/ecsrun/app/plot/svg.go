package plot

import (
	"fmt"
	"io"
	"math"

	svg "github.com/ajstarks/svgo"
)

// The picture, in pixels.
const (
	pictureWidth = 960
	chartHeight  = 260
	marginLeft   = 84
	marginRight  = 24
	marginTop    = 34
	marginBottom = 44
)

// palette are colours that people with any kind of colour vision tell apart (Okabe and Ito).
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// SVG draws each series as a chart of its own below the one before, over the same axis. The error is that of to.
func SVG(to io.Writer, d *Data) error {
	w := &firstError{to: to}
	c := svg.New(w)
	c.Start(pictureWidth, chartHeight*len(d.Series), `font-family="system-ui, sans-serif"`, `font-size="12"`)
	c.Rect(0, 0, pictureWidth, chartHeight*len(d.Series), "fill:#ffffff")
	x := ScaleOf(d.X, 8)
	x.Low, x.High = extent(d.X)
	for i, s := range d.Series {
		panel(c, d, s, x, i)
	}
	c.End()
	return w.err
}

// panel draws the chart of a series.
func panel(c *svg.SVG, d *Data, s Series, x Scale, i int) {
	top, bottom := i*chartHeight+marginTop, (i+1)*chartHeight-marginBottom
	left, right := marginLeft, pictureWidth-marginRight
	y := ScaleOf(s.Y, 4)
	atX := func(v float64) int { return left + int(math.Round(x.At(v)*float64(right-left))) }
	atY := func(v float64) int { return bottom - int(math.Round(y.At(v)*float64(bottom-top))) }
	c.Text(left, top-12, s.Name, "font-weight:600")
	for _, t := range y.Ticks {
		c.Line(left, atY(t), right, atY(t), "stroke:#dddddd")
		c.Text(left-8, atY(t)+4, Label(t), "text-anchor:end;fill:#444444")
	}
	for _, t := range x.Ticks {
		if t < x.Low || t > x.High {
			continue
		}
		c.Line(atX(t), bottom, atX(t), bottom+5, "stroke:#444444")
		c.Text(atX(t), bottom+19, Label(t), "text-anchor:middle;fill:#444444")
	}
	c.Line(left, bottom, right, bottom, "stroke:#444444")
	c.Text(right, bottom+36, d.Along, "text-anchor:end;fill:#444444")
	style := fmt.Sprintf("fill:none;stroke:%s;stroke-width:1.5;stroke-linejoin:round", palette[i%len(palette)])
	var xs, ys []int
	draw := func() {
		switch {
		case len(xs) == 1:
			c.Circle(xs[0], ys[0], 2, "fill:"+palette[i%len(palette)])
		case len(xs) > 1:
			c.Polyline(xs, ys, style)
		}
		xs, ys = xs[:0], ys[:0]
	}
	for k, v := range s.Y {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(d.X[k]) {
			draw() // a gap
			continue
		}
		xs, ys = append(xs, atX(d.X[k])), append(ys, atY(v))
	}
	draw()
}

// A firstError keeps the first error of a writer.
type firstError struct {
	to  io.Writer
	err error
}

func (w *firstError) Write(b []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
	}
	return len(b), nil
}
