package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file reads which data files a config names. datafile.go reads the files.

// A Data is a file that scripts read with ecs.data(Name).
type Data struct {
	Name    string
	File    string // the path to open
	Written string // as in the config
	Pos     Pos
}

func (d *decoder) dataKeys(v *Data, config string) []key {
	return []key{
		{"name", true, func(n *node, path string) { v.Name = d.str(n, path, "write a name, as in waves") }},
		{"file", true, func(n *node, path string) { v.Written, v.File = d.fileBeside(n, path, config, dataFiles) }},
	}
}

// data checks the names of the data files.
func (k *checker) data() {
	names := namespace{}
	for i, v := range k.c.Data {
		k.take(names, v.Name, "data file", k.c.itemPath("data", i, v.Pos)+".name", identifier, noIdent)
	}
}

// dataFile adds a data file of a mod, unless another file has one of the same name and the same content.
func (r *resolver) dataFile(v Data) {
	i := slices.IndexFunc(r.c.Data, func(o Data) bool { return o.Name == v.Name && v.Name != "" && o.Pos.File != v.Pos.File })
	if i < 0 {
		r.c.Data = append(r.c.Data, v)
		return
	}
	other := r.c.Data[i]
	a, errA := os.ReadFile(other.File)
	b, errB := os.ReadFile(v.File)
	if same := errA == nil && errB == nil && bytes.Equal(a, b) && sameFormat(other.File, v.File) || other.File == v.File; !same {
		r.add(v.Pos, r.items[v.Pos], fmt.Sprintf("the data file %q is %s here, which has another content than %s at %s", v.Name, v.File, other.File, other.Pos),
			"make them alike, or rename one of them")
	}
}

// sameFormat reports whether two files are read in the same way.
func sameFormat(a, b string) bool { return strings.EqualFold(filepath.Ext(a), filepath.Ext(b)) }
