package worldfile

import (
	"errors"
	"path/filepath"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// dataOf returns the data files of a config. A link in the folder of one does not lead out of it.
func dataOf(c *config.Config) []luabind.DataFile {
	out := []luabind.DataFile{}
	for _, v := range c.Data {
		if v.File != "" {
			out = append(out, luabind.DataFile{Name: v.Name, File: v.File, Files: files.Folder(filepath.Dir(v.File)), Path: filepath.Base(v.File)})
		}
	}
	return out
}

// ParseData is [config.ReadData] with the errors of [luabind.Options.ParseData].
func ParseData(file, text string) (ecs.Value, error) {
	v, err := config.ReadData(file, text)
	var problem *config.Problem
	if !errors.As(err, &problem) {
		return v, err
	}
	message := problem.Message
	if problem.Hint != "" {
		message += "; " + problem.Hint
	}
	return v, &luabind.DataError{Line: problem.Pos.Line, Column: problem.Pos.Column, Err: errors.New(message)}
}
