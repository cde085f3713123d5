package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestScales(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []float64
		labels string
	}{
		{[]float64{0, 10}, "0 5 10"},
		{[]float64{3, 97}, "0 50 100"},
		{[]float64{-0.2, 0.3}, "-0.5 0 0.5"},
		{[]float64{5}, "0 5 10"},
		{[]float64{nan, inf, 1, 2}, "1 1.5 2"},
		{nil, "0 0.5 1"},
		{[]float64{1e9, 3e9}, "1e+09 2e+09 3e+09"},
	} {
		s := ScaleOf(c.values, 2)
		var labels []string
		for _, v := range s.Ticks {
			labels = append(labels, Label(v))
		}
		if got := strings.Join(labels, " "); got != c.labels {
			t.Errorf("%v: %s, want %s", c.values, got, c.labels)
		}
		if s.At(s.Low) != 0 || s.At(s.High) != 1 {
			t.Errorf("%v: %+v", c.values, s)
		}
	}
}

const samples = "frame,sum(Health.current),\"a<b\"\n0,1,\n10,3,5\n20,2,nan\n30,2,6\n"

func TestDrawing(t *testing.T) {
	d, err := Read(strings.NewReader(samples))
	if err != nil || len(d.X) != 4 || len(d.Series) != 2 || !math.IsNaN(d.Series[1].Y[0]) {
		t.Fatal(d, err)
	}
	var text strings.Builder
	if err := Text(&text, d, 40); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"sum(Health.current)\n", "a<b\n", "frame 30\n", "⠉"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	var picture strings.Builder
	if err := SVG(&picture, d); err != nil {
		t.Fatal(err)
	}
	in, lines, dots, texts := xml.NewDecoder(strings.NewReader(picture.String())), 0, 0, ""
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "polyline":
				lines++
			case "circle":
				dots++
			}
		case xml.CharData:
			texts += string(token) + "\n"
		}
	}
	if lines != 1 || dots != 2 || !strings.Contains(texts, "a<b") || !strings.Contains(texts, "frame") {
		t.Errorf("%d lines, %d dots, texts %s", lines, dots, texts)
	}
	if err := SVG(failing{}, d); err == nil {
		t.Error("a writer that fails")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWrongFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "the file is empty",
		"frame\n1\n":          "one column only",
		"frame,x\n":           "no rows",
		"frame,x\n1,2\n2,y\n": `line 3: column 2: a number expected, got "y"`,
		"frame,x\n,2\n":       `line 2: column 1: a number expected, got ""`,
		"frame,x\n1,2,3\n":    "wrong number of fields",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
