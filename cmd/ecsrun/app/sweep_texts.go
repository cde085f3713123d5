package app

import (
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/ecsrun/ecsrun/config/files"
)

// This file keeps the files of scripts that a process with jobs of a sweep has read. They are its own copy, which nobody changes.

// keptFolders are the folders of scripts, by path.
type keptFolders map[string]*keptFolder

// open returns a folder.
func (k keptFolders) open(dir string) fs.FS {
	f := k[dir]
	if f == nil {
		f = &keptFolder{Folder: files.Folder(dir), infos: map[string]keptInfo{}, texts: map[string]string{}}
		k[dir] = f
	}
	return f
}

// A keptFolder is a folder that reads each file once.
type keptFolder struct {
	files.Folder
	infos map[string]keptInfo
	texts map[string]string
}

type keptInfo struct {
	info fs.FileInfo
	err  error
}

// Stat implements [fs.StatFS].
func (f *keptFolder) Stat(name string) (fs.FileInfo, error) {
	kept, found := f.infos[name]
	if !found {
		kept.info, kept.err = f.Folder.Stat(name)
		f.infos[name] = kept
	}
	return kept.info, kept.err
}

// Open implements [fs.FS].
func (f *keptFolder) Open(name string) (fs.File, error) {
	if path.Ext(name) != ".lua" { // a folder, whose entries are listed
		return f.Folder.Open(name)
	}
	text, found := f.texts[name]
	if !found {
		file, err := f.Folder.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if info, err := file.Stat(); err != nil || info.IsDir() {
			return f.Folder.Open(name)
		}
		read, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		text = string(read)
		f.texts[name] = text
	}
	return &keptFile{strings.NewReader(text), f, name}, nil
}

// A keptFile is an open file of a keptFolder.
type keptFile struct {
	*strings.Reader
	folder *keptFolder
	name   string
}

// Stat implements [fs.File].
func (f *keptFile) Stat() (fs.FileInfo, error) { return f.folder.Stat(f.name) }

// Close implements [fs.File].
func (f *keptFile) Close() error { return nil }
