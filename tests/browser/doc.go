// Package browser tests the inspector in a real browser, Debian's chromium-headless-shell. It is a module of its own, so that the program
// does not depend on what drives the browser. .ci/run runs it:
//
//	cd tests/browser && go test .
//
// With PICTURES=folder it leaves a picture of each view there, light and dark, 1280 and 360 pixels wide.
package browser
