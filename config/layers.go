package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// This file reads the layers of a config. layerfile.go reads the files with their sizes and first values.

// A Layer is a grid of values of one type.
type Layer struct {
	Name          string
	Type          string // the name of an ecs.FieldType: a number type, bool or entity
	Width, Height int    // in cells
	Wrap          bool
	Default       any       // as in Field
	File          string    // of the first values: the path to open; empty if there is none
	Written       string    // as in the config
	Cells         []float64 // the values of the file, row after row; of a bool 0 or 1
	Pos           Pos
}

func (d *decoder) layer(n *node, path string, c *Config) Layer {
	v := Layer{Pos: n.pos}
	var t ecs.FieldType
	var value *node
	d.object(n, path, "layer", d.layerKeys(&v, &t, &value, c.file))
	if value != nil && v.Type != "" { // the type may come after the default
		v.Default = d.defaultValue(t, value, join(path, "default"))
	}
	return v
}

func (d *decoder) layerKeys(v *Layer, t *ecs.FieldType, value **node, file string) []key {
	return append(d.typedKeys(&v.Name, &v.Type, t, value),
		key{"width", false, func(n *node, path string) { d.cells(n, path, &v.Width) }},
		key{"height", false, func(n *node, path string) { d.cells(n, path, &v.Height) }},
		key{"wrap", false, func(n *node, path string) { v.Wrap, _ = d.truth(n, path) }},
		key{"file", false, func(n *node, path string) { v.Written, v.File = d.fileBeside(n, path, file, layerFiles) }},
	)
}

func (d *decoder) cells(n *node, path string, to *int) {
	if v, ok := d.whole(n, path, 1, ecs.MaxLayerCells); ok {
		*to = int(v)
	}
}

// layerFiles reads the files of all layers. Without disk, a layer with a file is a problem.
func (d *decoder) layerFiles(c *Config, disk bool) {
	for i := range c.Layers {
		v := &c.Layers[i]
		if v.File == "" {
			continue
		}
		at := d.itemPath("layers", i, v.Pos) + ".file"
		t, known := ecs.ParseFieldType(v.Type)
		switch {
		case !disk:
			d.add(v.Pos, at, "the file of a layer was not read, because the config was parsed from memory", "use config.Load")
			v.File = ""
		case known && (t.Numeric() || t == ecs.Bool):
			d.readLayer(v, t, at)
		}
	}
}

// layers checks the layers one by one.
func (k *checker) layers() {
	names := namespace{}
	for i, v := range k.c.Layers {
		path := k.c.itemPath("layers", i, v.Pos)
		k.take(names, v.Name, "layer", path+".name", identifier, noIdent)
		t, known := ecs.ParseFieldType(v.Type)
		switch {
		case !known: // reported
		case !t.Numeric() && t != ecs.Bool && t != ecs.EntityField:
			k.problem(path+".type", fmt.Sprintf("a layer holds numbers, bool or entity, not %s", v.Type), "write one of these types, as in u8")
		case v.Written != "" && t == ecs.EntityField:
			k.problem(path+".file", "a layer of entities has no first values", "leave the file out")
		case v.Written != "": // it has the size
		case v.Width == 0 && !k.broken(path+".width") || v.Height == 0 && !k.broken(path+".height"):
			k.problem(path, fmt.Sprintf("layer %q has no size", clip(v.Name)), "add width: 80 and height: 40, or file: maps/ground.csv")
		case v.Width > 0 && v.Height > ecs.MaxLayerCells/v.Width:
			k.problem(path, fmt.Sprintf("%d × %d are more than %d cells", v.Width, v.Height, ecs.MaxLayerCells), "make it smaller")
		}
	}
}

// layerText returns a layer for a comparison and for messages.
func layerText(v Layer) string {
	text := v.Type
	if v.Width > 0 || v.Height > 0 {
		text += fmt.Sprintf(" of %d × %d", v.Width, v.Height)
	}
	if v.Written != "" {
		text += " from " + v.Written
	}
	if v.Wrap {
		text += ", wrapped"
	}
	return text + defaultText(v.Default)
}

// layerSetKeys are the keys of layers that --set reaches.
var layerSetKeys = []string{"default", "height", "width", "wrap"}

// setLayer handles NAME.KEY.
func (d *decoder) setLayer(rest string, n *node, c *Config) {
	name, last, dotted := strings.Cut(rest, ".")
	i := slices.IndexFunc(c.Layers, func(v Layer) bool { return v.Name == name })
	switch {
	case !dotted:
		d.add(n.pos, "", "no key of the layer", "write layers.NAME.KEY=VALUE; KEY is "+strings.Join(layerSetKeys, ", "))
		return
	case i < 0:
		var names []string
		for _, v := range c.Layers {
			names = append(names, v.Name)
		}
		d.add(n.pos, "", fmt.Sprintf("no layer %q", clip(name)), d.meant(name, "layers", names))
		return
	}
	v, path := &c.Layers[i], d.itemPath("layers", i, c.Layers[i].Pos)+"."+last
	switch last {
	case "width":
		d.cells(n, path, &v.Width)
	case "height":
		d.cells(n, path, &v.Height)
	case "wrap":
		if wrap, ok := d.truth(n, path); ok {
			v.Wrap = wrap
		}
	case "default":
		if t, ok := ecs.ParseFieldType(v.Type); ok {
			if value := d.defaultValue(t, n, path); value != nil {
				v.Default = value
			}
		}
	default:
		d.add(n.pos, "", fmt.Sprintf("unknown key %q", clip(last)), d.meant(last, "keys", layerSetKeys))
		return
	}
	d.mark(path, n.pos)
}
