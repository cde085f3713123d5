package inspector

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
)

// A Door is where an inspector listens, and who may enter.
type Door struct {
	Listener net.Listener
	Token    string
	Host     string // a name that Host may have, besides localhost and addresses; "" for none
}

// NewToken returns a new token of 256 random bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Open listens at an address, with a new token. Addresses of other machines are refused unless insecure.
func Open(addr string, insecure bool) (*Door, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address; write one of this machine and a port, as in 127.0.0.1:8080", addr)
	}
	if !insecure && !loopback(host) {
		return nil, fmt.Errorf("%s can be reached from other machines, and what the inspector sends is not encrypted; add --inspect-insecure if that is meant", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Door{Listener: l, Token: NewToken()}, nil
}

// Inherit takes over a listener that the parent process has opened, as an open file, with its token.
func Inherit(file uintptr, token string) (*Door, error) {
	f := os.NewFile(file, "inspector")
	if f == nil {
		return nil, fmt.Errorf("the listener of the parent is no open file")
	}
	defer func() { _ = f.Close() }() // the listener has its own
	l, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("the listener of the parent: %w", err)
	}
	return &Door{Listener: l, Token: token}, nil
}

// File returns the listener as a file, for a child process.
func (d *Door) File() (*os.File, error) {
	l, ok := d.Listener.(*net.TCPListener)
	if !ok {
		return nil, fmt.Errorf("a listener of type %T cannot be handed on", d.Listener)
	}
	return l.File()
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// URL returns the address for a browser, without the token.
func (d *Door) URL() string {
	host, port, err := net.SplitHostPort(d.Listener.Addr().String())
	if err != nil {
		return "http://" + d.Listener.Addr().String() + "/"
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		if host = "127.0.0.1"; ip.Is6() && !ip.Is4In6() {
			host = "::1"
		}
	}
	if d.Host != "" {
		host = d.Host
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// Entry is the URL with the token.
func (d *Door) Entry() string { return d.URL() + "#t=" + d.Token }

// WriteToken writes the URL with the token into a file that only its owner can read, as its only line.
func (d *Door) WriteToken(path string) error {
	path = filepath.Clean(path)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		if err := os.Remove(path); err != nil { // somebody may have it open
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(d.Entry() + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
