//go:build unix

package inspector

import (
	"net"
	"syscall"
	"testing"
)

// A child takes over the listener of its parent, with the token.
func TestInherit(t *testing.T) {
	d, _, stop := serve(t)
	f, err := d.File()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := f.SyscallConn() // Fd would let the server wait in accept, which cannot be ended then
	if err != nil {
		t.Fatal(err)
	}
	var file int // Inherit owns it
	if failed := raw.Control(func(fd uintptr) { file, err = syscall.Dup(int(fd)) }); failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	_ = f.Close()
	child, err := Inherit(uintptr(file), d.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Listener.Close() }()
	stop()
	if child.Entry() != d.Entry() {
		t.Errorf("%s, and %s before", child.Entry(), d.Entry())
	}
	conn, err := net.Dial("tcp", d.Listener.Addr().String()) // it waits for the child
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := child.Listener.Accept(); err != nil {
		t.Error(err)
	}
}
