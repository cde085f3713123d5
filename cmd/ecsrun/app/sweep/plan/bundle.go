package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A Bundle is the files of a sweep, as they are when it begins: a worker runs from its own copy, so that nobody can change a file under it.
type Bundle struct {
	Program  string // that makes the results
	Config   string // the path of the config in the bundle
	Scripts  string // the folder of the scripts in the bundle
	Frames   uint64 // of all points; 0: what the config says
	Set      []string
	Measures []Measure
	Files    []File // sorted by path
}

// A Measure is a measure of the sweep.
type Measure struct {
	Name, Value string
	Every       uint64
}

// A File is a file of a bundle, its path with slashes.
type File struct {
	Path string
	Data []byte
}

// Hash returns the hash of the contents of a file.
func (f File) Hash() string {
	sum := sha256.Sum256(f.Data)
	return hex.EncodeToString(sum[:])
}

// Base returns the hash of everything that all jobs have in common.
func (b *Bundle) Base() [32]byte {
	var t []byte
	text := func(s string) { t = append(strconv.AppendQuote(t, s), '\n') }
	text("ecsrun sweep 1")
	text(b.Program)
	text(b.Config)
	text(b.Scripts)
	t = append(strconv.AppendUint(t, b.Frames, 10), '\n')
	for _, m := range b.Measures {
		text(m.Name)
		text(m.Value)
		t = append(strconv.AppendUint(t, m.Every, 10), '\n')
	}
	for _, f := range b.Files {
		text(f.Path)
		text(f.Hash())
	}
	return sha256.Sum256(t)
}

// Add adds a file, once.
func (b *Bundle) Add(path string, data []byte) {
	at, found := slices.BinarySearchFunc(b.Files, path, func(f File, path string) int { return bytes.Compare([]byte(f.Path), []byte(path)) })
	if !found {
		b.Files = slices.Insert(b.Files, at, File{path, data})
	}
}

// Encode returns the bundle as bytes.
func (b *Bundle) Encode() []byte {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(b); err != nil {
		panic("plan: " + err.Error()) // it is plain data
	}
	return out.Bytes()
}

// Decode reads a bundle.
func Decode(data []byte) (*Bundle, error) {
	b := &Bundle{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(b); err != nil {
		return nil, fmt.Errorf("the files of the sweep are damaged: %w", err)
	}
	return b, nil
}

// Unpack writes the files into a folder, which it makes.
func (b *Bundle) Unpack(dir string) error {
	for _, f := range b.Files {
		name := filepath.FromSlash(f.Path)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the file %q would lie outside of the folder", f.Path)
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, f.Data, 0o600); err != nil {
			return err
		}
	}
	if scripts := filepath.FromSlash(b.Scripts); filepath.IsLocal(scripts) {
		return os.MkdirAll(filepath.Join(dir, scripts), 0o700)
	}
	return nil
}
