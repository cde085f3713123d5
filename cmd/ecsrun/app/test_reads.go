package app

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// What the tests of a file read, for test --watch: the test file, the modules it requires, golden files, and the
// configs, scripts and mods of its worlds. From that follows whether a change on disk concerns the file.

// A reading is what the tests of one file have read, as it was then. It belongs to one goroutine at a time.
type reading struct {
	files   map[string]fingerprint // by whole path; files that were looked for and not found, too
	folders map[string]fingerprint // mods: everything in them counts
	unsure  bool                   // a world could not be made, so that not all it needs is known: any change counts
}

// A fingerprint tells whether a file or folder is as it was. That of one that cannot be read is zero.
type fingerprint [sha256.Size]byte

func newReading() *reading {
	return &reading{files: map[string]fingerprint{}, folders: map[string]fingerprint{}}
}

// note records that a file is about to be read. r may be nil.
func (r *reading) note(path string) {
	if r == nil {
		return
	}
	if at, err := filepath.Abs(path); err == nil {
		if _, known := r.files[at]; !known {
			r.files[at] = fileFingerprint(at)
		}
	}
}

// noteConfig records what the config of a world says that it needs.
func (r *reading) noteConfig(c *config.Config) {
	if r == nil {
		return
	}
	for _, v := range c.Data {
		r.note(v.File)
	}
	for _, m := range c.Mods {
		if at, err := filepath.Abs(m.Dir); err == nil {
			r.folders[at] = folderFingerprint(at)
		}
	}
}

// changed lists what is not as it was, sorted.
func (r *reading) changed() []string {
	var out []string
	for path, was := range r.files {
		if fileFingerprint(path) != was {
			out = append(out, path)
		}
	}
	for path, was := range r.folders {
		if folderFingerprint(path) != was {
			out = append(out, path)
		}
	}
	sort.Strings(out)
	return out
}

// places lists the folders that hold what was read.
func (r *reading) places() []string {
	var out []string
	for path := range r.files {
		out = append(out, filepath.Dir(path))
	}
	for path := range r.folders {
		_ = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				out = append(out, at)
			}
			return nil // a folder that cannot be read has nothing that was read
		})
	}
	return out
}

func fileFingerprint(path string) fingerprint {
	f, err := files.Open(path)
	if err != nil {
		return fingerprint{}
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return fingerprint{}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fingerprint{}
	}
	return sha256.Sum256(text)
}

// folderFingerprint is that of the names and texts of all files in a folder, hidden ones excepted.
func folderFingerprint(path string) fingerprint {
	sum := sha256.New()
	err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case at != path && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir():
			text := fileFingerprint(at)
			sum.Write([]byte(at + "\x00"))
			sum.Write(text[:])
		}
		return nil
	})
	if err != nil {
		return fingerprint{}
	}
	return fingerprint(sum.Sum(nil))
}

// A notedFolder is a folder whose files are recorded when they are read or looked for.
type notedFolder struct {
	files.Folder
	reading *reading
}

// noted returns a test file that records in r what is read.
func (r *reading) noted(f luatest.File) luatest.File {
	if folder, ok := f.FS.(files.Folder); ok {
		f.FS = notedFolder{folder, r}
	}
	return f
}

// readingOf returns where a test file records what is read; nil if it does not.
func readingOf(f luatest.File) *reading {
	if folder, ok := f.FS.(notedFolder); ok {
		return folder.reading
	}
	return nil
}

func (f notedFolder) note(name string) {
	f.reading.note(filepath.Join(string(f.Folder), filepath.FromSlash(name)))
}

// Open implements [fs.FS].
func (f notedFolder) Open(name string) (fs.File, error) {
	f.note(name)
	return f.Folder.Open(name)
}

// Stat implements [fs.StatFS].
func (f notedFolder) Stat(name string) (fs.FileInfo, error) {
	f.note(name)
	return f.Folder.Stat(name)
}
