package script

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Where scripts come from: the interface [Sources], and [Folders], which is the script folder of a world with the
// folders of its mods. A module name, as in require("lib.toxins"), becomes a path here, and a path becomes text.
// Nothing is compiled.

// Sources are where scripts come from. A path names one file in them, with slashes, as in package [io/fs].
type Sources interface {
	// Module returns the path of the file that require(name) means in files of a mod. The error is what require raises; to a [*MissingError] it adds a
	// suggestion.
	Module(name, mod string) (path string, err error)
	// Mod returns the mod that a file is of; "" for one that is of none.
	Mod(path string) string
	// Read returns the text of a file. The error has no path in it.
	Read(path string) (text string, err error)
	// Shown returns the name of a file in messages.
	Shown(path string) string
}

// A ReadError says that a file cannot be read.
type ReadError struct {
	Shown string // the name of the file in messages
	Err   error
}

func (e *ReadError) Error() string { return fmt.Sprintf("%s: cannot be read: %v", e.Shown, e.Err) }

// Unwrap returns the reason.
func (e *ReadError) Unwrap() error { return e.Err }

// A MissingError says that there is no such module. require adds a suggestion to it.
type MissingError struct {
	Text  string   // the message
	Known []string // names of modules that exist, for a suggestion
}

func (e *MissingError) Error() string { return e.Text }

// A Folder is a part of [Folders]: the script folder of the world itself, or a mod.
type Folder struct {
	Name    string   // the first part of the paths of its files, and in other folders of the names of its modules; "" for the world's own folder
	Files   fs.FS    // nil: no files
	Depends []string // mods whose exports its files may require; the world's own folder may require the exports of all
	Exports []string // modules that files of other folders may require, by their names in this folder
	Off     bool     // the mod is switched off: only its name counts, for messages
	Most    uint64   // bytes of a file; 0: as many as are compiled
}

// Folders are [Sources]: the script folder of a world, and one folder for each mod. The file tick.lua of the mod
// poison has the path poison/tick.lua. In other folders, its module lib.toxins has the name poison.lib.toxins.
type Folders []Folder

// Check returns what is wrong with the folders, all problems joined: a name that is used twice or is no module
// name, a dependency on a mod that does not exist, and a folder in the world's own folder that has the name of a
// mod.
func (f Folders) Check() error {
	seen := map[string]bool{}
	var errs []error
	for _, one := range f {
		if one.Off {
			continue
		}
		if seen[one.Name] {
			errs = append(errs, fmt.Errorf("two mods have the name %q", one.Name))
		}
		seen[one.Name] = true
		if one.Name != "" && !isModule(one.Name) || strings.Contains(one.Name, ".") {
			errs = append(errs, fmt.Errorf("%q is no name of a mod: letters, digits, _ and -", one.Name))
		}
		for _, name := range one.Depends {
			if _, ok := f.named(name); !ok || name == "" {
				errs = append(errs, fmt.Errorf("the mod %q depends on the mod %q, which is not there", one.Name, name))
			}
		}
	}
	if own, ok := f.named(""); ok && own.Files != nil && errs == nil {
		for _, one := range f {
			if info, err := fs.Stat(own.Files, or(one.Name, ".")); one.Name != "" && !one.Off && err == nil && info.IsDir() {
				errs = append(errs, fmt.Errorf("the script folder has a folder %q, which is the name of a mod; rename one of them", one.Name))
			}
		}
	}
	return errors.Join(errs...)
}

// or returns s, or otherwise if s is empty.
func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// named returns the folder with a name; false if there is none.
func (f Folders) named(name string) (Folder, bool) {
	i := slices.IndexFunc(f, func(one Folder) bool { return one.Name == name && !one.Off })
	if i < 0 {
		return Folder{}, false
	}
	return f[i], true
}

// holder returns the folder that a path is in, and the path inside it. A path that does not begin with the name of
// a mod is in the world's own folder.
func (f Folders) holder(file string) (in Folder, inside string) {
	if first, rest, ok := strings.Cut(file, "/"); ok {
		if mod, ok := f.named(first); ok {
			return mod, rest
		}
	}
	own, _ := f.named("")
	return own, file
}

// Shown implements [Sources]. Messages show a path as it is.
func (f Folders) Shown(file string) string { return file }

// Read implements [Sources]. The error of a file that does not exist is an fs.ErrNotExist, with a suggestion if a
// file has a similar name.
func (f Folders) Read(file string) (string, error) {
	if !fs.ValidPath(file) {
		return "", errors.New("not a path inside the script folder: no \"..\", no leading \"/\"")
	}
	in, inside := f.holder(file)
	if in.Files == nil {
		return "", errors.New("there is no script folder")
	}
	text, err := sandbox.ReadSource(in.Files, inside, in.Most)
	if sandbox.NoFile(err) {
		if _, err := in.stat(inside + ".lua"); err == nil {
			return "", fmt.Errorf("there is no such file in the script folder; did you mean %q? (%w)", file+".lua", fs.ErrNotExist)
		}
		if near, ok := suggest.Closest(file, f.files()); ok {
			return "", fmt.Errorf("there is no such file in the script folder; did you mean %q? (%w)", near, fs.ErrNotExist)
		}
		return "", fmt.Errorf("there is no such file in the script folder (%w)", fs.ErrNotExist)
	}
	return text, err
}

// Mod implements [Sources].
func (f Folders) Mod(file string) string {
	in, _ := f.holder(file)
	return in.Name
}

// Module implements [Sources]. A name that begins with the name of a folder means a module which that folder
// exports. Any other name means a file in the folder of the mod itself: lib.lua, or else lib/init.lua.
func (f Folders) Module(name, mod string) (string, error) {
	inside, err := moduleFile(name)
	if err != nil {
		return "", err
	}
	own, _ := f.named(mod)
	in := own
	if first, module, ok := strings.Cut(name, "."); ok && first != "" {
		if mod, ok := f.named(first); ok {
			if err := own.mayRequire(name, mod, module); err != nil {
				return "", err
			}
			in, inside = mod, strings.TrimPrefix(inside, mod.Name+"/")
		}
	}
	file := path.Join(in.Name, inside)
	if _, err := in.stat(inside); sandbox.NoFile(err) {
		init := strings.TrimSuffix(inside, ".lua") + "/init.lua"
		if _, err := in.stat(init); err == nil {
			return path.Join(in.Name, init), nil
		}
		if first, _, _ := strings.Cut(name, "."); slices.ContainsFunc(f, func(one Folder) bool { return one.Off && one.Name == first }) {
			return "", fmt.Errorf("require %q: the mod %q is switched off; switch it on, or do not require it", cut(name), first)
		}
		return "", &MissingError{fmt.Sprintf("require %q: there is no file %s in the script folder", cut(name), cut(file)), f.modules(own)}
	}
	return file, nil
}

// mayRequire returns why files of a folder may not require a module of a mod; nil if they may. name is the whole
// name, for the message.
func (f Folder) mayRequire(name string, mod Folder, module string) error {
	switch {
	case f.Name == mod.Name:
		return nil // its own, by its full name
	case f.Name != "" && !slices.Contains(f.Depends, mod.Name):
		return fmt.Errorf("require %q: the mod %q does not depend on %q; add it to its dependencies", cut(name), f.Name, mod.Name)
	case !slices.Contains(mod.Exports, module):
		text := fmt.Sprintf("require %q: the mod %q does not export %q", cut(name), mod.Name, cut(module))
		if mod.Exports == nil {
			return errors.New(text)
		}
		return &MissingError{text, mod.exported()}
	}
	return nil
}

// exported returns the names that a mod's exports have in other folders.
func (f Folder) exported() []string {
	var out []string
	for _, module := range f.Exports {
		out = append(out, f.Name+"."+module)
	}
	return out
}

// stat returns information about a file of the folder.
func (f Folder) stat(inside string) (fs.FileInfo, error) {
	if f.Files == nil {
		return nil, errors.New("there is no script folder")
	}
	return fs.Stat(f.Files, inside)
}

// modules lists the names that files of a folder may require, for suggestions.
func (f Folders) modules(own Folder) []string {
	var out []string
	for _, file := range own.files() {
		out = append(out, strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(file, ".lua"), "/init"), "/", "."))
	}
	for _, mod := range f {
		if mod.Name != own.Name && (own.Name == "" || slices.Contains(own.Depends, mod.Name)) {
			out = append(out, mod.exported()...)
		}
	}
	return out
}

// files lists the Lua files of all folders, for suggestions.
func (f Folders) files() []string {
	var out []string
	for _, one := range f {
		for _, file := range one.files() {
			out = append(out, path.Join(one.Name, file))
		}
	}
	return out
}

// files lists the Lua files of a folder, for suggestions.
func (f Folder) files() []string {
	const most = 10_000 // a folder that large is not a script folder
	var out []string
	if f.Files == nil {
		return nil
	}
	// An error is ignored: a folder that cannot be read gives no suggestions.
	_ = fs.WalkDir(f.Files, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case path.Ext(p) == ".lua":
			out = append(out, p)
		}
		if len(out) >= most {
			return fs.SkipAll
		}
		return nil
	})
	return out
}

// moduleFile returns the path that a module name means inside a folder: lib.toxins is lib/toxins.lua.
func moduleFile(name string) (string, error) {
	if base, ok := strings.CutSuffix(name, ".lua"); ok || strings.Contains(name, "\\") {
		return "", fmt.Errorf("require %q: folders are separated by dots, and files have no ending: require(%q)", cut(name), cut(strings.ReplaceAll(base, "\\", ".")))
	}
	if !isModule(name) {
		return "", fmt.Errorf("require %q: no module name: letters, digits, _ and -, folders separated by single dots", cut(name))
	}
	return strings.ReplaceAll(name, ".", "/") + ".lua", nil
}

// isModule reports whether a name consists of words that are separated by single dots. Words have letters, digits,
// _ and -.
func isModule(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || strings.ContainsFunc(part, func(c rune) bool {
			return c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
		}) {
			return false
		}
	}
	return true
}

// cut shortens a name for a message to 60 bytes.
func cut(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
