package app

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind"
)

// verdict returns what explain prints about a loop.
func verdict(l luabind.LoopReport) string {
	if l.Reason == "" {
		return compiled(l)
	}
	at := fmt.Sprintf("line %d", l.At)
	if l.AtFile != "" {
		at = fmt.Sprintf("%s:%d", l.AtFile, l.At)
	}
	text := fmt.Sprintf("interpreted: %s (%s)", l.Reason, at)
	if l.Advice != "" {
		text += "; " + l.Advice
	}
	return text
}

// compiled returns how a compiled loop runs: as machine code, unless that is not possible or its systems ask for
// closures.
func compiled(l luabind.LoopReport) string {
	auto := len(l.Impls) == 0 || slices.Contains(l.Impls, luabind.Auto)
	text := "machine code"
	switch {
	case slices.Contains(l.Impls, luabind.Closures) && !auto:
		text = "closures"
	case l.Closures != "":
		text = "closures: " + l.Closures
	}
	if len(l.Unless) > 0 {
		text += "; interpreted " + strings.Join(l.Unless, ", and ")
	}
	return "compiled (" + text + ")"
}

// logCompiled logs how many query loops are compiled, of those in Lua systems that run and are not excluded from
// compilation.
func logCompiled(log *slog.Logger, path string, reports []luabind.LoopReport) {
	compiled, all := 0, 0
	for _, l := range reports {
		if l.Wanted {
			all++
			if l.Reason == "" {
				compiled++
			}
		}
	}
	switch {
	case all == 0:
	case compiled == all:
		log.Info(fmt.Sprintf("compiles %s", counted(all, "query loop")))
	default:
		log.Info(fmt.Sprintf("compiles %d of %s; ecsrun explain %s says why not the others", compiled, counted(all, "query loop"), path))
	}
}

// mostFallen is how many loops that fell back are named by default.
const mostFallen = 3

// logFallen logs which of the loops that explain calls compiled have run interpreted, wholly or in part, and why:
// the first few, and at debug level all.
func logFallen(log *slog.Logger, shown func(file string) string, reports []luabind.LoopReport, falls []luabind.LoopFall) {
	n := 0
	for _, f := range falls {
		promised := slices.ContainsFunc(reports, func(l luabind.LoopReport) bool { return l.File == f.File && l.Line == f.Line && l.Reason == "" })
		if !promised {
			continue
		}
		level := slog.LevelInfo
		if n++; n > mostFallen {
			level = slog.LevelDebug
		}
		what := "the compiled loop ran interpreted"
		if f.Rows {
			what = "rows of the compiled loop ran interpreted"
		}
		log.Log(context.Background(), level, fmt.Sprintf("%s:%d: %s: %s", filepath.ToSlash(shown(f.File)), f.Line, what, f.Reason))
	}
	if n > mostFallen {
		log.Info(fmt.Sprintf("%s more ran interpreted; log.level: debug names them", counted(n-mostFallen, "compiled loop")))
	}
}
