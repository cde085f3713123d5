package inspector

import (
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy is the Content-Security-Policy: everything comes from here, and no page shows this one inside of it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// A refusal is why a request is not answered.
type refusal struct {
	status int
	why    string
}

func refused(status int, format string, args ...any) *refusal {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// from checks where a request comes from: for all paths.
func (d *Door) from(r *http.Request) *refusal {
	if !d.knows(r.Host) {
		return refused(http.StatusMisdirectedRequest, "Host %.100q is neither localhost nor an address", r.Host)
	}
	if origins := r.Header.Values("Origin"); len(origins) > 0 && (len(origins) > 1 || origins[0] != "http://"+r.Host) {
		return refused(http.StatusForbidden, "Origin %.100q is another one than http://%s", origins[0], r.Host)
	}
	return nil
}

// knows reports whether a Host is localhost, an address, or the name that was allowed. Names can be made to lead here by others.
func (d *Door) knows(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		for _, c := range port {
			if c < '0' || c > '9' {
				return false
			}
		}
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if strings.EqualFold(name, "localhost") || d.Host != "" && strings.EqualFold(name, d.Host) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil && !strings.Contains(name, "%")
}

// protocol is the WebSocket subprotocol that carries the token. A browser can send no header with a WebSocket.
func (d *Door) protocol() string { return "ecsrun." + d.Token }

// may checks who calls.
func (d *Door) may(r *http.Request, socket bool) *refusal {
	if socket {
		for _, list := range r.Header.Values("Sec-WebSocket-Protocol") {
			for p := range strings.SplitSeq(list, ",") {
				if equal(strings.TrimSpace(p), d.protocol()) {
					return nil
				}
			}
		}
	}
	if tokens := r.Header.Values("Authorization"); len(tokens) == 1 {
		if scheme, token, _ := strings.Cut(tokens[0], " "); strings.EqualFold(scheme, "Bearer") && equal(token, d.Token) {
			return nil
		}
	}
	return refused(http.StatusUnauthorized, "the token is missing or another one; it is in the URL that the run has printed, behind #t=")
}

// equal compares in a time that does not depend on what differs.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// posts checks the form of a POST.
func posts(r *http.Request) *refusal {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refused(http.StatusUnsupportedMediaType, "Content-Type application/json expected, got %.100q", r.Header.Get("Content-Type"))
	}
	return nil
}
