package plot

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// A Data is columns over a first one.
type Data struct {
	Along  string // the name of the first column
	X      []float64
	Series []Series
}

// A Series is a column. NaN stands for an empty cell.
type Series struct {
	Name string
	Y    []float64
}

// Read reads CSV whose first line has the names of the columns, and whose cells are numbers or empty. The error has the line.
func Read(from io.Reader) (*Data, error) {
	in := csv.NewReader(from)
	in.ReuseRecord = true
	names, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty; its first line has the names of the columns")
	case err != nil:
		return nil, err
	case len(names) < 2:
		return nil, errors.New("line 1: one column only; the others are drawn over the first one")
	}
	d := &Data{Along: names[0]}
	for _, name := range names[1:] {
		d.Series = append(d.Series, Series{Name: name})
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for i, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if cell == "" && i > 0 {
				v, err = math.NaN(), nil
			}
			if err != nil {
				line, _ := in.FieldPos(i)
				return nil, fmt.Errorf("line %d: column %d: a number expected, got %q", line, i+1, cell)
			}
			if i == 0 {
				d.X = append(d.X, v)
			} else {
				d.Series[i-1].Y = append(d.Series[i-1].Y, v)
			}
		}
	}
	if len(d.X) == 0 {
		return nil, errors.New("there are no rows below the names of the columns")
	}
	return d, nil
}
