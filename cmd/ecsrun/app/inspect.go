package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/spf13/cobra"
)

// The command inspect: it asks a run with --inspect, from a terminal.

// An inspection is one use of the command.
type inspection struct {
	*program
	url, token   string
	asJSON       bool
	watch        bool
	where, sort  string
	limit        uint64
	changedLimit bool
}

// isMethod tells names of methods from queries.
var isMethod = regexp.MustCompile(`^[a-z]+\.[a-z]+$`)

func (p *program) inspectCommand() *cobra.Command {
	i := &inspection{program: p}
	cmd := &cobra.Command{
		Use:   "inspect URL METHOD [JSON] | QUERY",
		Short: "Ask a run with --inspect",
		Long: `inspect calls a method of a run with --inspect and prints the result as JSON, or
prints the entities that match a query as a table. URL is what the run has printed,
or the file of --inspect-token-file.`,
		Example: `  ecsrun inspect 'http://127.0.0.1:41234/#t=TOKEN' world.info
  ecsrun inspect token.txt run.step '{"frames": 3}'
  ecsrun inspect token.txt 'Position, #enemy' --watch`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return usageError(`inspect wants a URL and a method or a query, as in ecsrun inspect URL world.info, or ecsrun inspect URL "Position, #enemy"`)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			i.changedLimit = cmd.Flags().Changed("limit")
			if err := i.find(args[0]); err != nil {
				return err
			}
			params := "{}"
			if len(args) == 3 {
				params = args[2]
			}
			switch method := isMethod.MatchString(args[1]); {
			case method && (i.watch || i.where != "" || i.sort != "" || i.changedLimit):
				return usageError("--watch, --where, --sort and --limit are for a query; give %s its params as JSON", args[1])
			case method:
				return i.method(args[1], params)
			case len(args) == 3:
				return usageError("%q is no method, and a query takes no JSON; put the query in quotes", args[1])
			case i.watch:
				return i.follow(i.params(args[1]))
			}
			return i.table(i.params(args[1]))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&i.asJSON, "json", false, "print the rows of a query as JSON")
	flags.BoolVar(&i.watch, "watch", false, "print the table again whenever it changes, until the run ends")
	flags.StringVar(&i.where, "where", "", "only entities for which a Lua expression holds, `EXPRESSION`, as in 'Position.x > 10'")
	flags.StringVar(&i.sort, "sort", "", "the first rows by a field, `FIELD`, as in Health.current or -Health.current")
	flags.Uint64Var(&i.limit, "limit", 100, "print at most `N` rows")
	return cmd
}

// find reads URL and token.
func (i *inspection) find(text string) error {
	if !strings.HasPrefix(text, "http://") {
		content, err := os.ReadFile(text)
		if err != nil {
			return usageError("inspect: %w; give the URL that the run has printed, or the file of --inspect-token-file", err)
		}
		text = strings.TrimSpace(string(content))
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return usageError("inspect: %q is no URL of a run, which is as http://127.0.0.1:41234/#t=TOKEN", text)
	}
	fragment, err := url.ParseQuery(u.EscapedFragment())
	if i.token = fragment.Get("t"); err != nil || i.token == "" {
		return usageError("inspect: the URL has no token; copy the whole line, with #t= and what follows, and put it in quotes")
	}
	i.url = "http://" + u.Host + "/rpc"
	return nil
}

// call calls a method, and returns the result.
func (i *inspection) call(method string, params json.RawMessage) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, usageError("inspect: %w", err)
	}
	request, err := http.NewRequest(http.MethodPost, i.url, bytes.NewReader(body))
	if err != nil {
		return nil, usageError("inspect: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+i.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, usageError("inspect: nobody answers, the run may have ended: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, usageError("inspect: the run has ended: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, usageError("inspect: %s", strings.TrimSpace(string(text)))
	}
	return resultOf(text)
}

// resultOf returns the result of an answer.
func resultOf(text []byte) (json.RawMessage, error) {
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, usageError("inspect: this is no answer of a run: %w", err)
	}
	if answer.Error != nil {
		return nil, usageError("inspect: %s", answer.Error.Message)
	}
	return answer.Result, nil
}

func (i *inspection) method(name, params string) error {
	var any any
	if err := json.Unmarshal([]byte(params), &any); err != nil {
		at := int64(len(params))
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return usageError("inspect: the params are no JSON: %w, at byte %d of %s", err, at, params)
	}
	result, err := i.call(name, json.RawMessage(params))
	if err != nil {
		return err
	}
	return i.print(result)
}

// print prints JSON for people.
func (i *inspection) print(text json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return usageError("inspect: this is no answer of a run: %w", err)
	}
	fmt.Fprintln(i.console.stdout(), b.String())
	return nil
}

func (i *inspection) params(query string) json.RawMessage {
	params := map[string]any{"query": query, "limit": i.limit}
	if i.where != "" {
		params["where"] = i.where
	}
	if i.sort != "" {
		params["sort"] = i.sort
	}
	text, _ := json.Marshal(params) // strings and a number
	return text
}

func (i *inspection) table(params json.RawMessage) error {
	result, err := i.call("world.query", params)
	if err != nil {
		return err
	}
	return i.show(result)
}

// show prints the rows of an answer.
func (i *inspection) show(result json.RawMessage) error {
	if i.asJSON {
		return i.print(result)
	}
	var page struct {
		Total int
		Rows  []struct {
			Entity     string
			Components orderedObject
			Tags       []string
		}
	}
	if err := json.Unmarshal(result, &page); err != nil {
		return usageError("inspect: this is no answer of a run: %w", err)
	}
	heads := []string{"entity"}
	at := map[string]int{}
	var rows [][]string
	for _, r := range page.Rows {
		row := []string{r.Entity}
		set := func(column, value string) {
			k, known := at[column]
			if !known {
				k = len(heads)
				at[column], heads = k, append(heads, column)
			}
			for len(row) <= k {
				row = append(row, "")
			}
			row[k] = value
		}
		for _, c := range r.Components {
			var fields orderedObject
			if err := json.Unmarshal(c.value, &fields); err != nil {
				return usageError("inspect: this is no answer of a run: %w", err)
			}
			if len(fields) == 0 {
				set(c.name, "yes")
			}
			for _, f := range fields {
				set(c.name+"."+f.name, cellOf(f.value))
			}
		}
		if len(r.Tags) > 0 {
			set("tags", strings.Join(r.Tags, " "))
		}
		rows = append(rows, row)
	}
	for k := range rows {
		for len(rows[k]) < len(heads) {
			rows[k] = append(rows[k], "")
		}
	}
	out := i.console.stdout()
	writeColumns(out, append([][]string{heads}, rows...), len(heads))
	fmt.Fprintf(out, "%d of %s\n", len(rows), counted(page.Total, "entity"))
	return nil
}

// cellOf shortens a value for a table.
func cellOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	text = withoutControls(strings.ReplaceAll(text, "\n", " "))
	if r := []rune(text); len(r) > 40 {
		text = string(r[:39]) + "…"
	}
	return text
}

// An orderedObject is a JSON object whose members stay in their order.
type orderedObject []member

type member struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON implements [json.Unmarshaler].
func (o *orderedObject) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("an object expected")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	return nil
}

// follow prints a table whenever it changes.
func (i *inspection) follow(params json.RawMessage) error {
	var start map[string]any
	_ = json.Unmarshal(params, &start) // params has made it
	start["stream"] = "query"
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "watch.start", "params": start})
	signal, release := i.interrupts()
	defer release()
	dialing, cancel := context.WithTimeout(signal.first, 10*time.Second)
	defer cancel()
	conn, response, err := websocket.Dial(dialing, i.url, &websocket.DialOptions{Subprotocols: []string{"ecsrun." + i.token}})
	if err != nil {
		if response != nil && response.StatusCode == http.StatusUnauthorized {
			return usageError("inspect: the token is missing or another one; use the URL that the run has printed")
		}
		return usageError("inspect: nobody answers, the run may have ended: %w", err)
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(-1)
	if err := conn.Write(signal.first, websocket.MessageText, body); err != nil {
		return usageError("inspect: the run has ended: %w", err)
	}
	clearing := terminal(i.console.raw, os.Getenv)
	for {
		_, text, err := conn.Read(signal.first)
		switch {
		case signal.came():
			return nil
		case websocket.CloseStatus(err) == websocket.StatusGoingAway:
			fmt.Fprintln(i.console.stderr(), "the run has ended")
			return nil
		case err != nil:
			return usageError("inspect: the connection was lost: %w", err)
		}
		var message struct {
			Method string
			Params struct {
				Frame uint64
				Data  json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &message); err != nil {
			return usageError("inspect: this is no answer of a run: %w", err)
		}
		if message.Method != "watch" {
			if _, err := resultOf(text); err != nil {
				return err
			}
			continue
		}
		if clearing {
			fmt.Fprint(i.console.stdout(), "\x1b[H\x1b[2J")
		}
		fmt.Fprintf(i.console.stdout(), "frame %d\n", message.Params.Frame)
		if err := i.show(message.Params.Data); err != nil {
			return err
		}
		if !i.console.flush() {
			return nil
		}
	}
}
