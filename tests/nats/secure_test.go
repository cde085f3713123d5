package nats

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	crypto "crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// An authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	last int64
}

// sign writes NAME.pem and NAME-key.pem, signed by a; by itself if a is nil.
func (a *authority) sign(t *testing.T, dir, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), crypto.Reader)
	check(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, BasicConstraintsValid: true, IsCA: a == nil,
	}
	signer := &authority{cert: c, key: key}
	if a != nil {
		a.last++
		c.SerialNumber, signer = big.NewInt(1+a.last), a
	}
	der, err := x509.CreateCertificate(crypto.Reader, c, signer.cert, &key.PublicKey, signer.key)
	check(t, err)
	private, err := x509.MarshalECPrivateKey(key)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, name+".pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, name+"-key.pem"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o600))
	return signer
}

// A server that speaks TLS and wants a certificate: who trusts its authority and shows one has results, others have an error.
func TestTLS(t *testing.T) {
	dir, port := folder(t), freePort(t)
	ca := (*authority)(nil).sign(t, dir, "ca")
	ca.sign(t, dir, "server")
	ca.sign(t, dir, "client")
	(*authority)(nil).sign(t, dir, "stranger")
	file := func(name string) string { return filepath.Join(dir, name) }
	serve(t, port, "--tlsverify", "--tlscert", file("server.pem"), "--tlskey", file("server-key.pem"), "--tlscacert", file("ca.pem"))
	url := "nats://127.0.0.1:" + port
	client := []string{"--tls-ca", "ca.pem", "--tls-cert", "client.pem", "--tls-key", "client-key.pem"}
	w := start(t, dir, ecsrun, append([]string{"worker", url, "--idle", "3s"}, client...)...)
	start(t, dir, ecsrun, append([]string{"sweep", "sweep.yaml", "--out", "far", "--queue", url}, client...)...).wait(t, 0)
	w.wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) {
		t.Error("other results")
	}
	for name, args := range map[string][]string{
		"no authority":        {},
		"another authority":   {"--tls-ca", "stranger.pem", "--tls-cert", "client.pem", "--tls-key", "client-key.pem"},
		"no certificate":      {"--tls-ca", "ca.pem"},
		"a stranger's":        {"--tls-ca", "ca.pem", "--tls-cert", "stranger.pem", "--tls-key", "stranger-key.pem"},
		"a missing file":      {"--tls-ca", "missing.pem"},
		"missing credentials": {"--creds", "missing.creds"},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, dir, ecsrun, append([]string{"worker", url}, args...)...)
			p.wait(t, 2)
			if said := p.out.String(); !strings.Contains(said, "127.0.0.1:"+port) || strings.Count(said, "\n") != 1 {
				t.Errorf("it says %s", said)
			}
		})
	}
}

// A server with accounts: who has a file of credentials has results, others have an error, and no secret is printed.
func TestCredentials(t *testing.T) {
	dir, port := folder(t), freePort(t)
	operator, err := nkeys.CreateOperator()
	check(t, err)
	operatorKey, err := operator.PublicKey()
	check(t, err)
	account, err := nkeys.CreateAccount()
	check(t, err)
	accountKey, err := account.PublicKey()
	check(t, err)
	user, err := nkeys.CreateUser()
	check(t, err)
	userKey, err := user.PublicKey()
	check(t, err)
	system, err := nkeys.CreateAccount()
	check(t, err)
	systemKey, err := system.PublicKey()
	check(t, err)
	systemText, err := jwt.NewAccountClaims(systemKey).Encode(operator)
	check(t, err)
	operatorText, err := jwt.NewOperatorClaims(operatorKey).Encode(operator)
	check(t, err)
	claims := jwt.NewAccountClaims(accountKey)
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit, MaxAckPending: jwt.NoLimit}
	accountText, err := claims.Encode(operator)
	check(t, err)
	userClaims := jwt.NewUserClaims(userKey)
	userText, err := userClaims.Encode(account)
	check(t, err)
	seed, err := user.Seed()
	check(t, err)
	creds, err := jwt.FormatUserConfig(userText, seed)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, "ada.creds"), creds, 0o600))
	conf := filepath.Join(dir, "server.conf")
	check(t, os.WriteFile(conf, fmt.Appendf(nil, "operator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: { %s: %s, %s: %s }\n",
		operatorText, systemKey, systemKey, systemText, accountKey, accountText), 0o600))
	serve(t, port, "-c", conf)
	url := "nats://127.0.0.1:" + port
	w := start(t, dir, ecsrun, "worker", url, "--idle", "3s", "--creds", "ada.creds")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url, "--creds", "ada.creds")
	s.wait(t, 0)
	w.wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) {
		t.Error("other results")
	}
	none := start(t, dir, ecsrun, "worker", url)
	none.wait(t, 2)
	if said := none.out.String(); !strings.Contains(said, "cannot connect to nats://127.0.0.1:"+port) {
		t.Errorf("it says %s", said)
	}
	if said := s.out.String() + w.out.String() + read(t, dir, "far", "plan.json"); strings.Contains(said, string(seed)) || strings.Contains(said, userText) {
		t.Errorf("a secret is printed: %s", said)
	}
}

// Two people run the same sweep over the same server, into two folders: each has streams of their own, and both have the whole table.
func TestTwoCoordinators(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port, monitor := folder(t), freePort(t), freePort(t)
	serve(t, port, "-m", monitor)
	url := "nats://127.0.0.1:" + port
	a := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "one", "--queue", url)
	b := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "two", "--queue", url)
	until(func() bool { return a.waits() && b.waits() })
	if names := streams(t, monitor); len(names) != 6 {
		t.Errorf("streams of jobs, results and files of two sweeps: %q", names)
	}
	w := start(t, dir, ecsrun, "worker", url, "--workers", "2", "--idle", "3s")
	a.wait(t, 0)
	b.wait(t, 0)
	want := whole(t, dir)
	if read(t, dir, "one", "results.csv") != want || read(t, dir, "two", "results.csv") != want {
		t.Error("other results")
	}
	w.wait(t, 0)
	if names := streams(t, monitor); len(names) != 0 {
		t.Errorf("streams that are left: %q", names)
	}
}

// A coordinator that is killed finds its own streams again, and removes them at the end.
func TestKilledCoordinator(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port, monitor := folder(t), freePort(t), freePort(t)
	serve(t, port, "-m", monitor)
	url := "nats://127.0.0.1:" + port
	for range 2 {
		s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
		until(s.waits)
		s.kill()
		if names := streams(t, monitor); len(names) != 3 {
			t.Errorf("streams of a sweep: %q", names)
		}
	}
	w := start(t, dir, ecsrun, "worker", url, "--idle", "3s")
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url).wait(t, 0)
	w.wait(t, 0)
	if names := streams(t, monitor); len(names) != 0 {
		t.Errorf("streams that are left: %q", names)
	}
}

// streams asks a server, at its port for monitoring, for the names of its streams.
func streams(t *testing.T, monitor string) (names []string) {
	t.Helper()
	answer, err := http.Get("http://127.0.0.1:" + monitor + "/jsz?streams=true")
	check(t, err)
	defer func() { _ = answer.Body.Close() }()
	var jsz struct {
		Accounts []struct {
			Streams []struct {
				Name string `json:"name"`
			} `json:"stream_detail"`
		} `json:"account_details"`
	}
	check(t, json.NewDecoder(answer.Body).Decode(&jsz))
	for _, account := range jsz.Accounts {
		for _, one := range account.Streams {
			names = append(names, one.Name)
		}
	}
	return names
}
