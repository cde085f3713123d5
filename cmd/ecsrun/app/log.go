package app

import (
	"io"
	"log/slog"

	"github.com/lmittmann/tint"

	"github.com/ecsrun/ecsrun/config"
)

// newLogger returns the logger for ecs.log of scripts and for ecsrun itself: lines for people, or one JSON object
// per line.
func newLogger(w io.Writer, l config.Log, color bool) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		panic("app: log level " + l.Level) // config knows the same names
	}
	if l.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, TimeFormat: "15:04:05", NoColor: !color}))
}
