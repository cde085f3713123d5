package queue

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how a server is reached. Secrets in them are in no message.
type Options struct {
	URL                      string // nats://host:port, or several with commas between them
	Creds                    string // a file of credentials
	CA, Certificate, Private string // files of TLS
	Name                     string // of this client, for those who look at the server
}

// A Connection is one to a server or a cluster. It comes back by itself when it breaks.
type Connection struct {
	conn *nats.Conn
	js   jetstream.JetStream
}

// The oldest server that has what is needed.
const oldestMajor, oldestMinor = 2, 11

// Connect connects. The error says what is wrong with the server, without secrets.
func Connect(o Options) (*Connection, error) {
	options := []nats.Option{nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second)}
	if o.Creds != "" {
		options = append(options, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if (o.Certificate == "") != (o.Private == "") {
		return nil, errors.New("--tls-cert and --tls-key belong together: a certificate and its key")
	}
	if o.Certificate != "" {
		options = append(options, nats.ClientCert(o.Certificate, o.Private))
	}
	for one := range strings.SplitSeq(o.URL, ",") {
		if !isAddress(one) {
			return nil, fmt.Errorf("%q is no address of a NATS server: write nats://localhost:4222", Redacted(one))
		}
	}
	conn, err := nats.Connect(o.URL, options...)
	if err != nil {
		text := err.Error() + remedy(err.Error())
		for one := range strings.SplitSeq(o.URL, ",") {
			text = strings.ReplaceAll(text, one, Redacted(one))
		}
		return nil, fmt.Errorf("cannot connect to %s: %s", Redacted(o.URL), text)
	}
	var major, minor int
	if _, err := fmt.Sscanf(conn.ConnectedServerVersion(), "%d.%d", &major, &minor); err == nil && (major < oldestMajor || major == oldestMajor && minor < oldestMinor) {
		conn.Close()
		return nil, fmt.Errorf("the server at %s is version %s, and %d.%d is needed", Redacted(o.URL), conn.ConnectedServerVersion(), oldestMajor, oldestMinor)
	}
	js, err := jetstream.New(conn)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		conn.Close()
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || errors.Is(err, nats.ErrNoResponders) {
			return nil, fmt.Errorf("the server at %s has no JetStream: start it with nats-server -js", Redacted(o.URL))
		}
		return nil, fmt.Errorf("the server at %s: %w", Redacted(o.URL), err)
	}
	return &Connection{conn, js}, nil
}

// isAddress reports whether a text may be the address of a NATS server; without a scheme it may be any host.
func isAddress(text string) bool {
	if !strings.Contains(text, "//") {
		return strings.TrimSpace(text) != ""
	}
	u, err := url.Parse(text)
	return err != nil || u.Host != "" && slices.Contains(schemes, u.Scheme) // the client says what is wrong with one that cannot be read
}

// schemes are those of addresses of a NATS server.
var schemes = []string{"nats", "tls", "ws", "wss"}

// remedy returns what to do about an error of TLS, "" if that is not known.
func remedy(text string) string {
	switch {
	case strings.Contains(text, "certificate required"), strings.Contains(text, "after TLS handshake"):
		return "; the server wants a certificate: --tls-cert and --tls-key"
	case strings.Contains(text, "unknown authority"):
		return "; name the authority that has signed its certificate: --tls-ca"
	case strings.Contains(text, "secure connection not available"):
		return "; the server has no TLS: leave out the flags of TLS, and write nats://"
	}
	return ""
}

// room returns how many bytes a message may have.
func (c *Connection) room() int { return max(1, int(c.conn.MaxPayload())-headerRoom) }

// headerRoom is what the server counts beside the bytes of a message.
const headerRoom = 256

// Explained returns an error of the server with what its owner can do about it, where that is known.
func Explained(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
		return errors.New("it does not answer")
	}
	if Full(err) {
		return fmt.Errorf("JetStream of the server has no memory left (%w): give it more, with max_memory_store in its configuration", err)
	}
	return err
}

// Full reports whether an error says that JetStream of the server has no memory left.
func Full(err error) bool {
	e := new(jetstream.APIError)
	return errors.As(err, &e) && (e.ErrorCode == resourcesExceeded || e.ErrorCode == memoryExceeded)
}

// The numbers of errors of JetStream that say that its memory is full, or that it may not use any.
const (
	resourcesExceeded = 10023
	memoryExceeded    = 10028
)

// Close ends the connection.
func (c *Connection) Close() { c.conn.Close() }

// Connected reports whether there is a connection now.
func (c *Connection) Connected() bool { return c.conn.IsConnected() }

// Redacted returns an address without user, password and token.
func Redacted(address string) string {
	var out []string
	for one := range strings.SplitSeq(address, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Host == "" {
			_, host, found := strings.Cut(one, "@")
			if !found {
				host = one
			}
			out = append(out, host)
			continue
		}
		u.User, u.RawQuery = nil, ""
		out = append(out, u.String())
	}
	return strings.Join(out, ",")
}

const (
	jobsPrefix    = "ECSRUN_JOBS_"
	resultsPrefix = "ECSRUN_RESULTS_"
	filesPrefix   = "ECSRUN_FILES_"
	jobsSubject   = "ecsrun.jobs."
	resultSubject = "ecsrun.results."
)

// The metadata of a stream of jobs.
const (
	metaProgram = "ecsrun-program"
	metaFiles   = "ecsrun-files"
)

// ackWait is how long a job may be silent until another worker gets it. Workers say three times as often that they are at it.
const ackWait = 30 * time.Second
