package ecs

// layerOp does something to a layer.
func (r *machine) layerOp() {
	i := r.pick(2)
	l, cells := r.layers[i], r.m.cells[i]
	w, h := l.spec.Width, l.spec.Height
	x, y, v := r.byte()%(w+10)-5, r.byte()%(h+10)-5, float64(r.byte()*2)
	cell, there := 0, l.spec.Wrap || x >= 0 && y >= 0 && x < w && y < h
	if there {
		cell = (y+h)%h*w + (x+w)%w
	}
	fits := func(v float64) bool { return l.spec.Type == F32 || v <= 255 }
	said := func(err error, ok bool) {
		if (err == nil) != ok {
			r.fail("layer %s: the error is %v", l.spec.Name, err)
		}
	}
	switch r.byte() % 8 {
	case 0:
		r.say("%s.FillRect(%v, %d, %d, 4, 2)", l.spec.Name, v, x, y)
		inside := l.spec.Wrap || x >= 0 && y >= 0 && x+4 <= w && y+2 <= h
		said(l.FillRect(Number(v), x, y, 4, 2), fits(v) && inside)
		for dy := 0; dy < 2 && fits(v) && inside; dy++ {
			for dx := range 4 {
				cells[(y+dy+h)%h*w+(x+dx+w)%w] = v
			}
		}
	case 1:
		r.say("%s.Fill(%v)", l.spec.Name, v)
		said(l.Fill(Number(v)), fits(v))
		for c := range cells {
			if fits(v) {
				cells[c] = v
			}
		}
	case 2:
		r.say("%s.Slice()[%d] = 7", l.spec.Name, cell)
		if i == 0 {
			(&Layer[uint8]{l}).Slice()[cell] = 7
		} else {
			(&Layer[float32]{l}).Slice()[cell] = 7
		}
		cells[cell] = 7
	case 3, 4:
		r.say("%s.Add(%d, %d, %v)", l.spec.Name, x, y, v)
		_, err := l.Add(x, y, v)
		said(err, there && fits(cells[cell]+v))
		if err == nil {
			cells[cell] += v
		}
	default:
		r.say("%s.Set(%d, %d, %v)", l.spec.Name, x, y, v)
		said(l.Set(x, y, Number(v)), there && fits(v))
		if there && fits(v) {
			cells[cell] = v
		}
	}
}

// compareLayers compares all cells.
func (r *machine) compareLayers() {
	for i, l := range r.layers {
		sum := 0.0
		for cell, want := range r.m.cells[i] {
			if got := loadNumber(l.at(cell), l.spec.Type); got != want {
				r.fail("cell %d of %s is %v, not %v", cell, l.spec.Name, got, want)
			}
			sum += want
		}
		got, err := l.Sum()
		r.ok(err)
		r.same("the sum of "+l.spec.Name, got, sum)
	}
}
