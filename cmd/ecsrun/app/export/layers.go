package export

import (
	"bufio"
	"fmt"
	"io"

	"github.com/ecsrun/ecsrun/ecs"
)

// Layers are written as a config reads them: rows of values with commas, and as a grey image where all values are whole numbers
// from 0 to 65535.

// mostGrey is the largest value of an image.
const mostGrey = 1<<16 - 1

// layers writes the files of all layers, and returns their names.
func layers(w *ecs.World, taken map[string]bool, create func(name string, fill func(io.Writer) error) error) (names []string, err error) {
	for _, name := range w.LayerNames() {
		l := w.LookupLayer(name)
		base := fileName("_layer_"+name, taken)
		if err := create(base+".csv", func(to io.Writer) error { return cells(l, to, ",", ecs.Value.String) }); err != nil {
			return names, err
		}
		names = append(names, base+".csv")
		if !grey(l) {
			continue
		}
		err := create(base+".pgm", func(to io.Writer) error {
			spec := l.Spec()
			most := map[ecs.FieldType]int{ecs.Bool: 1, ecs.U8: 255}[spec.Type]
			if most == 0 {
				most = mostGrey
			}
			if _, err := fmt.Fprintf(to, "P2\n%d %d\n%d\n", spec.Width, spec.Height, most); err != nil {
				return err
			}
			return cells(l, to, " ", func(v ecs.Value) string { return fmt.Sprint(int(v.Float())) })
		})
		if err != nil {
			return names, err
		}
		names = append(names, base+".pgm")
	}
	return names, nil
}

// cells writes all values, a line per row.
func cells(l *ecs.AnyLayer, to io.Writer, between string, text func(ecs.Value) string) error {
	out := bufio.NewWriter(to)
	spec := l.Spec()
	for y := range spec.Height {
		for x := range spec.Width {
			if x > 0 {
				_, _ = out.WriteString(between) // Flush returns the error
			}
			_, _ = out.WriteString(text(ecs.Must(l.Get(x, y))))
		}
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}

// grey reports whether a layer can be an image.
func grey(l *ecs.AnyLayer) bool {
	spec := l.Spec()
	switch spec.Type {
	case ecs.Bool, ecs.U8, ecs.U16:
		return true
	case ecs.EntityField:
		return false
	}
	for y := range spec.Height {
		for x := range spec.Width {
			if v := ecs.Must(l.Get(x, y)).Float(); !(v >= 0 && v <= mostGrey && v == float64(int(v))) {
				return false
			}
		}
	}
	return true
}
