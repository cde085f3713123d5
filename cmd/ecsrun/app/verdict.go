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
	text := "interpreted: " + l.Reason
	if named := filepath.Base(at); !names(l.Reason, named) {
		text += " (" + at + ")"
	}
	if l.Advice != "" {
		text += "; " + l.Advice
	}
	return text
}

// names reports whether a reason names a place itself, as those of several places do.
func names(text, at string) bool {
	i := strings.Index(text, at)
	return i >= 0 && (i+len(at) == len(text) || text[i+len(at)] < '0' || text[i+len(at)] > '9')
}

// becomes returns how a loop runs: interpreted, as machine code, or as closures if machine code is not possible or its
// systems ask for closures.
func becomes(l luabind.LoopReport) string {
	auto := len(l.Impls) == 0 || slices.Contains(l.Impls, luabind.Auto)
	switch {
	case l.Reason != "":
		return "interpreted"
	case slices.Contains(l.Impls, luabind.Closures) && !auto, l.Closures != "":
		return "closures"
	}
	return "machine code"
}

// compiled returns how a compiled loop runs, with the conditions.
func compiled(l luabind.LoopReport) string {
	auto := len(l.Impls) == 0 || slices.Contains(l.Impls, luabind.Auto)
	text := becomes(l)
	if text == "machine code" {
		text += ", " + onCores(l)
	}
	if l.Closures != "" && (auto || !slices.Contains(l.Impls, luabind.Closures)) {
		text += ": " + l.Closures
	}
	if l.ByClosures != "" && becomes(l) == "machine code" {
		text += "; closures do each row that " + l.ByClosures
	}
	if l.Ordered != "" {
		text += "; " + l.Ordered
	}
	if len(l.Unless) > 0 {
		text += "; interpreted " + strings.Join(l.Unless, ", and ")
	}
	return "compiled (" + text + ")"
}

// onCores returns on how many cores a loop runs that is machine code.
func onCores(l luabind.LoopReport) string {
	if l.OneCore != "" {
		return "one core: " + l.OneCore
	}
	return "all cores"
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
		log.Info(fmt.Sprintf("compiles %d of %s before the first frame; ecsrun explain %s says what becomes of the others", compiled, counted(all, "query loop"), path))
	}
}

// mostFallen is how many loops that fell back are named by default.
const mostFallen = 3

// logFallen logs which of the loops that explain calls compiled have run interpreted, wholly or in part, and why:
// the first few, and at debug level all.
func logFallen(log *slog.Logger, shown func(file string) string, reports []luabind.LoopReport, falls []luabind.LoopFallback) {
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
		reason := f.Reason
		if f.Advice != "" {
			reason += "; " + f.Advice
		}
		log.Log(context.Background(), level, fmt.Sprintf("%s:%d: %s (%s): %s", filepath.ToSlash(shown(f.File)), f.Line, what, counted(uint64(f.Times), "time"), reason))
	}
	if n > mostFallen {
		log.Info(fmt.Sprintf("%s more ran interpreted; log.level: debug names them", counted(n-mostFallen, "compiled loop")))
	}
}
