// Verifies a copy of your events against the service's log, with the libraries of Go's own checksum database. It shares no
// code with the service or with @omi/consumer.
//
//	verify_log -base https://api.omi.example -tenant <id> -category public -from 2026-11-12T00:00:00Z -to 2026-11-13T00:00:00Z \
//	    [-kept checkpoint.txt]... events.jsonl
//
// Each line of the file is an event as it was delivered, byte for byte. OMI_TOKEN is an access token with the scope
// omi:exports:get. It prints what it found, a line each, how many events were erased,
// and the checkpoint to keep; the exit status is 1 if it found something.
package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

var (
	base     = flag.String("base", "", "base URL of the service")
	tenant   = flag.String("tenant", "", "id of your tenant")
	category = flag.String("category", "public", "public or log")
	from     = flag.String("from", "", "first minute to compare, RFC 3339")
	to       = flag.String("to", "", "end of the minutes to compare, RFC 3339")
	kept     files
)

// No log is older. Minutes of five days are an answer of less than a megabyte.
var firstLog = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

const window = 5 * 24 * time.Hour

type files []string

func (f *files) String() string        { return strings.Join(*f, ",") }
func (f *files) Set(name string) error { *f = append(*f, name); return nil }

func main() {
	log.SetFlags(0)
	flag.Var(&kept, "kept", "file with a checkpoint that you kept, or that somebody else got")
	flag.Parse()
	found, checkpoint, err := verify(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range found {
		fmt.Println(one)
	}
	fmt.Print(checkpoint)
	if len(found) > 0 {
		os.Exit(1)
	}
}

func verify(name string) (found []string, text string, err error) {
	copied, err := readCopy(name)
	if err != nil {
		return nil, "", err
	}
	keys, err := logKeys()
	if err != nil {
		return nil, "", err
	}
	logs, err := readLogs(keys)
	if err != nil {
		return nil, "", err
	}
	known := copied.checkpoints
	for _, file := range kept {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, "", err
		}
		known = append(known, text)
	}
	for _, text := range known {
		finding, err := compareCheckpoint(text, keys, logs)
		if err != nil {
			return nil, "", err
		}
		found = append(found, finding...)
	}
	for position, one := range logs {
		minutes, finding, err := readMinutes(one, logs[:position])
		if err != nil {
			return nil, "", err
		}
		found = append(found, finding...)
		for _, minute := range minutes {
			finding, err := compareMinute(minute, one, copied)
			if err != nil {
				return nil, "", err
			}
			found = append(found, finding...)
		}
	}
	finding, err := lookFor(copied, logs)
	if err != nil {
		return nil, "", err
	}
	if copied.erased > 0 {
		fmt.Printf("erased %d, which is no fault\n", copied.erased)
	}
	if copied.open > 0 {
		fmt.Printf("open %d, which the log does not have yet\n", copied.open)
	}
	return append(found, finding...), string(logs[len(logs)-1].text), nil
}

// What a file has of the log's tenant and category.
type copyOfEvents struct {
	byID map[string][]*event
	// Those in the events by which the service tells the state of its log. No log has these events.
	checkpoints [][]byte
	// How many events of the log are neither in the copy nor, but for their hash, in the log.
	erased int
	// How many events of the copy are so new that the log may not have them yet.
	open int
}

// An event of the copy, by the hash of its bytes.
type event struct {
	id, aggregate, agent string
	digest               string
	leaf                 tlog.Hash
	// When it was probably accepted.
	at    time.Time
	found bool
}

func readCopy(name string) (*copyOfEvents, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	copied := &copyOfEvents{byID: map[string][]*event{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := copied.add(lines.Bytes()); err != nil {
			return nil, err
		}
	}
	return copied, lines.Err()
}

func (c *copyOfEvents) add(line []byte) error {
	var one struct {
		Metadata struct {
			EventID, ProducerID, Type, Category, TenantID, AggregateID, Agent string
			OccurredTime                                                      time.Time
		}
		Payload struct{ Category, Checkpoint string }
	}
	if err := json.Unmarshal(line, &one); err != nil {
		return err
	}
	metadata := one.Metadata
	// A test of a tenant's programs is in no log, whatever it says.
	if !strings.EqualFold(metadata.TenantID, *tenant) || metadata.ProducerID == "omi-test" {
		return nil
	}
	if metadata.Type == "CheckpointEvent" {
		if one.Payload.Category == *category {
			c.checkpoints = append(c.checkpoints, []byte(one.Payload.Checkpoint))
		}
		return nil
	}
	id := strings.ToLower(metadata.EventID)
	hash := sha256.Sum256(line)
	digest := hex.EncodeToString(hash[:])
	if metadata.Category != *category || find(c.byID[id], digest) != nil {
		return nil
	}
	c.byID[id] = append(c.byID[id], &event{
		id: metadata.EventID, aggregate: metadata.AggregateID, agent: metadata.Agent,
		digest: digest, leaf: tlog.RecordHash([]byte(metadata.EventID + "\n" + digest)),
		at: acceptance(id, metadata.OccurredTime),
	})
	return nil
}

// The time in a UUID of version 7, which the service's own events have, or else the producer's time.
func acceptance(id string, occurred time.Time) time.Time {
	digits := strings.ReplaceAll(id, "-", "")
	if len(digits) != 32 || digits[12] != '7' {
		return occurred
	}
	milliseconds, err := strconv.ParseInt(digits[:12], 16, 64)
	if err != nil {
		return occurred
	}
	return time.UnixMilli(milliseconds)
}

// The log has an event when its minute is closed: 90 seconds after the minute at most.
const settledAfter = 4 * time.Minute

// Looks for events of the range that no minute of it had: the log has them elsewhere, or never had them.
func lookFor(copied *copyOfEvents, logs []checkpoint) (found []string, err error) {
	begin, err := time.Parse(time.RFC3339, *from)
	if err != nil {
		return nil, err
	}
	end, err := time.Parse(time.RFC3339, *to)
	if err != nil {
		return nil, err
	}
	settled := time.Now().Add(-settledAfter)
	for id, events := range copied.byID {
		for _, one := range events {
			if one.found || one.at.Before(begin) || !one.at.Before(end) {
				continue
			}
			if !one.at.Before(settled) {
				copied.open++
				continue
			}
			finding, err := lookForOne(one, logs)
			if err != nil {
				return nil, err
			}
			if finding != "" {
				found = append(found, finding+" "+id)
			}
		}
	}
	return found, nil
}

func lookForOne(one *event, logs []checkpoint) (string, error) {
	query := url.Values{"eventId": {one.id}}
	if one.aggregate != "" {
		query.Set("aggregateId", one.aggregate)
	} else if one.agent != "" {
		query.Set("agent", one.agent)
	}
	for _, its := range logs {
		query.Set("size", fmt.Sprint(its.tree.N))
		body, err := its.get("/proofs/inclusion", query)
		if errors.Is(err, errNotThere) {
			continue
		}
		if err != nil {
			return "", err
		}
		var proof inclusion
		if err := json.Unmarshal(body, &proof); err != nil {
			return "", err
		}
		if proof.leadsTo(its.tree, one.leaf) {
			return "", nil
		}
		return "edited", nil
	}
	return "added", nil
}

type inclusion struct {
	Minute struct {
		Minute           string
		Count, LeafIndex int64
	}
	MinutePath, Path tlog.RecordProof
	LeafIndex        int64
}

// The minute's root is not in the proof. It is what the path leads to, which package tlog only compares: so it is computed here.
func (p inclusion) leadsTo(tree tlog.Tree, leaf tlog.Hash) bool {
	root, err := rootBy(p.MinutePath, p.Minute.Count, p.Minute.LeafIndex, leaf)
	if err != nil {
		return false
	}
	record := tlog.RecordHash([]byte(recordOf(p.Minute.Minute, p.Minute.Count, root)))
	return tlog.CheckRecord(p.Path, tree.N, tree.Hash, p.LeafIndex, record) == nil
}

// RFC 9162, section 2.1.3.2.
func rootBy(path tlog.RecordProof, size, index int64, hash tlog.Hash) (tlog.Hash, error) {
	if index < 0 || index >= size {
		return hash, errors.New("there is no such leaf")
	}
	last := size - 1
	for _, beside := range path {
		if last == 0 {
			return hash, errors.New("the path is too long")
		}
		if index%2 == 1 || index == last {
			hash = tlog.NodeHash(beside, hash)
			for index%2 == 0 && index != 0 {
				index, last = index/2, last/2
			}
		} else {
			hash = tlog.NodeHash(hash, beside)
		}
		index, last = index/2, last/2
	}
	if last != 0 {
		return hash, errors.New("the path is too short")
	}
	return hash, nil
}

func find(events []*event, digest string) *event {
	for _, one := range events {
		if one.digest == digest {
			return one
		}
	}
	return nil
}

// A key of the service as package note knows it: ECDSA on P-256 with SHA-256, named by the hash of its public half.
type verifier struct {
	name string
	hash uint32
	key  *ecdsa.PublicKey
}

func (v verifier) Name() string    { return v.name }
func (v verifier) KeyHash() uint32 { return v.hash }
func (v verifier) Verify(msg, sig []byte) bool {
	digest := sha256.Sum256(msg)
	return ecdsa.VerifyASN1(v.key, digest[:], sig)
}

func logKeys() ([]*ecdsa.PublicKey, error) {
	body, err := fetch(*base+"/.well-known/omi-keys", false)
	if err != nil {
		return nil, err
	}
	var document struct {
		Keys []struct{ For, Crv, X, Y string }
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return nil, err
	}
	var keys []*ecdsa.PublicKey
	for _, jwk := range document.Keys {
		x, errX := base64.RawURLEncoding.DecodeString(jwk.X)
		y, errY := base64.RawURLEncoding.DecodeString(jwk.Y)
		if jwk.For != "log" || jwk.Crv != "P-256" || errX != nil || errY != nil {
			continue
		}
		key := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		keys = append(keys, key)
	}
	return keys, nil
}

// The state of a log. A restore of the service ends a log and begins another one, of the next generation.
type checkpoint struct {
	text       []byte
	origin     string
	generation int
	tree       tlog.Tree
}

// The first leaf of a log that a restore has begun is the last checkpoint of the log before.
func (c checkpoint) asLeaf() tlog.Hash { return tlog.RecordHash(c.text) }

// Asks about this log, which may have ended.
func (c checkpoint) get(path string, query url.Values) ([]byte, error) {
	own := url.Values{"generation": {strconv.Itoa(c.generation)}}
	for name, values := range query {
		own[name] = values
	}
	return get(path, own)
}

var generations = regexp.MustCompile(`^/([2-9]|[1-9][0-9]{1,4})$`)

// Opens a checkpoint: its signature, its name, its tree.
func open(text []byte, keys []*ecdsa.PublicKey) (one checkpoint, err error) {
	origin, _, _ := strings.Cut(string(text), "\n")
	one = checkpoint{text: text, origin: origin, generation: 1}
	address, err := url.Parse(*base)
	if err != nil {
		return one, err
	}
	expected := address.Host + "/" + *tenant + "/" + *category
	if origin != expected {
		number := generations.FindStringSubmatch(strings.TrimPrefix(origin, expected))
		if number == nil {
			return one, fmt.Errorf("the checkpoint is of the log %s", origin)
		}
		one.generation, _ = strconv.Atoi(number[1])
	}
	var verifiers []note.Verifier
	for _, key := range keys {
		spki, err := x509.MarshalPKIXPublicKey(key)
		if err != nil {
			return one, err
		}
		hash := sha256.Sum256(spki)
		verifiers = append(verifiers, verifier{origin, binary.BigEndian.Uint32(hash[:4]), key})
	}
	opened, err := note.Open(text, note.VerifierList(verifiers...))
	if err != nil {
		return one, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 {
		return one, fmt.Errorf("the text is not a checkpoint")
	}
	if one.tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return one, err
	}
	one.tree.Hash, err = tlog.ParseHash(lines[2])
	return one, err
}

// The log that is served, and those that it continues since restores, oldest first.
func readLogs(keys []*ecdsa.PublicKey) ([]checkpoint, error) {
	text, err := get("/checkpoint", nil)
	if err != nil {
		return nil, err
	}
	served, err := open(text, keys)
	if err != nil {
		return nil, err
	}
	logs := []checkpoint{served}
	for number := served.generation - 1; number > 0; number-- {
		text, err := get("/checkpoint", url.Values{"generation": {strconv.Itoa(number)}})
		if errors.Is(err, errNotThere) {
			continue
		}
		if err != nil {
			return nil, err
		}
		earlier, err := open(text, keys)
		if err != nil {
			return nil, err
		}
		logs = append([]checkpoint{earlier}, logs...)
	}
	return logs, nil
}

func compareCheckpoint(text []byte, keys []*ecdsa.PublicKey, logs []checkpoint) ([]string, error) {
	known, err := open(text, keys)
	if err != nil {
		return nil, err
	}
	for _, one := range logs {
		if one.generation == known.generation {
			return compareStates(known.tree, one)
		}
	}
	return []string{"rolled-back to a time before " + known.origin}, nil
}

func compareStates(known tlog.Tree, served checkpoint) ([]string, error) {
	tree := served.tree
	if known.N > tree.N {
		return []string{fmt.Sprintf("rolled-back from %d to %d", known.N, tree.N)}, nil
	}
	if known.N == 0 {
		return nil, nil
	}
	body, err := served.get("/proofs/consistency", url.Values{"from": {fmt.Sprint(known.N)}, "to": {fmt.Sprint(tree.N)}})
	if err != nil {
		return nil, err
	}
	var proof struct{ Path tlog.TreeProof }
	if err := json.Unmarshal(body, &proof); err != nil {
		return nil, err
	}
	if err := tlog.CheckTree(proof.Path, tree.N, tree.Hash, known.N, known.Hash); err != nil {
		return []string{fmt.Sprintf("split-view at %d", known.N)}, nil
	}
	return nil, nil
}

type minute struct {
	Minute    string
	Count     int64
	Root      tlog.Hash
	LeafIndex int64
}

// A tree in memory.
type memory []tlog.Hash

func (m memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for place, index := range indexes {
		hashes[place] = m[index]
	}
	return hashes, nil
}

func rootOf(leaves []tlog.Hash) (tlog.Hash, error) {
	var hashes memory
	for index, leaf := range leaves {
		stored, err := tlog.StoredHashesForRecordHash(int64(index), leaf, hashes)
		if err != nil {
			return tlog.Hash{}, err
		}
		hashes = append(hashes, stored...)
	}
	return tlog.TreeHash(int64(len(leaves)), hashes)
}

func recordOf(minute string, count int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s", minute, count, hex.EncodeToString(root[:]))
}

// Reads all minutes of a log, whose root must be that of its checkpoint, and returns those of the range.
func readMinutes(one checkpoint, before []checkpoint) (wanted []minute, found []string, err error) {
	var leaves []tlog.Hash
	if len(before) > 0 {
		leaves = append(leaves, before[len(before)-1].asLeaf())
	}
	served := one.tree
	for begin := firstLog; begin.Before(time.Now()) && int64(len(leaves)) < served.N; begin = begin.Add(window) {
		query := url.Values{"from": {begin.Format(time.RFC3339)}, "to": {begin.Add(window).Format(time.RFC3339)}}
		body, err := one.get("/minutes", query)
		if err != nil {
			return nil, nil, err
		}
		var page struct{ Minutes []minute }
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, nil, err
		}
		for _, its := range page.Minutes {
			if int64(len(leaves)) == served.N {
				break
			}
			leaves = append(leaves, tlog.RecordHash([]byte(recordOf(its.Minute, its.Count, its.Root))))
			if its.Minute >= *from && its.Minute < *to {
				wanted = append(wanted, its)
			}
		}
	}
	root, err := rootOf(leaves)
	if err != nil {
		return nil, nil, err
	}
	if int64(len(leaves)) != served.N || root != served.Hash {
		found = append(found, "wrong-root of the checkpoint of "+one.origin)
	}
	return wanted, found, nil
}

func compareMinute(one minute, its checkpoint, copied *copyOfEvents) ([]string, error) {
	var leaves []tlog.Hash
	var found []string
	query := url.Values{}
	for {
		body, err := its.get("/minutes/"+url.PathEscape(one.Minute), query)
		if err != nil {
			return nil, err
		}
		var page struct {
			Leaves []string
			// Of erased events only the hash of the leaf is left.
			Erased []erased
			Cursor string
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, err
		}
		copied.countErased(page.Erased)
		for _, leaf := range page.Leaves {
			for len(page.Erased) > 0 && page.Erased[0].LeafIndex == len(leaves) {
				leaves = append(leaves, page.Erased[0].Hash)
				page.Erased = page.Erased[1:]
			}
			id, digest, _ := strings.Cut(leaf, " ")
			leaves = append(leaves, tlog.RecordHash([]byte(id+"\n"+digest)))
			found = append(found, compareLeaf(strings.ToLower(id), digest, copied.byID)...)
		}
		for _, one := range page.Erased {
			leaves = append(leaves, one.Hash)
		}
		if page.Cursor == "" {
			break
		}
		query.Set("cursor", page.Cursor)
	}
	root, err := rootOf(leaves)
	if err != nil {
		return nil, err
	}
	if int64(len(leaves)) != one.Count || root != one.Root {
		found = append(found, "wrong-root of "+one.Minute)
	}
	return found, nil
}

// An event of which only the hash of the leaf is left in the log.
type erased struct {
	LeafIndex int
	Hash      tlog.Hash
}

// Erased events are counted: the tenant has the counts in its UserErasedEvents.
func (c *copyOfEvents) countErased(leaves []erased) {
	if len(leaves) == 0 {
		return
	}
	known := map[tlog.Hash]*event{}
	for _, events := range c.byID {
		for _, one := range events {
			known[one.leaf] = one
		}
	}
	for _, leaf := range leaves {
		if one := known[leaf.Hash]; one != nil {
			one.found = true
		} else {
			c.erased++
		}
	}
}

func compareLeaf(id, digest string, copied map[string][]*event) []string {
	same := copied[id]
	if one := find(same, digest); one != nil {
		one.found = true
		return nil
	}
	for _, one := range same {
		if !one.found {
			one.found = true
			return []string{"edited " + id}
		}
	}
	return []string{"removed " + id}
}

var errNotThere = errors.New("the log does not have it")

func get(path string, query url.Values) ([]byte, error) {
	address := *base + "/omi/exports/" + *category + "/log" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return fetch(address, true)
}

func fetch(address string, withToken bool) ([]byte, error) {
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return nil, err
	}
	if withToken {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OMI_TOKEN"))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode == http.StatusNotFound {
		return nil, errNotThere
	}
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s: %s", address, response.Status, bytes.TrimSpace(body))
	}
	return body, err
}
