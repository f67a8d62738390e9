import type { components } from '../../api/apiCall.ts'

type Stream = Pick<components['schemas']['Stream'], 'id' | 'webhookUrl' | 'gzip'>

export type Language = 'node' | 'python' | 'go'

/** A complete receiver that verifies a stream's webhooks. The secret comes from WEBHOOK_SECRET, so no file contains it. */
export type Receiver = {
  name: string
  file: string
  /** The command after `WEBHOOK_SECRET=… `. */
  run: string
  code: string
}

/** The receivers of a stream, with its id and the port and path of its URL. */
export function receiversOf(stream: Stream): Record<Language, Receiver> {
  const { port, path } = placeOf(stream.webhookUrl)
  const values = { id: stream.id, port, path, gzip: stream.gzip }
  return {
    node: { name: 'Node', file: 'receiver.mjs', run: 'node receiver.mjs', code: nodeCode(values) },
    python: { name: 'Python', file: 'receiver.py', run: 'python3 receiver.py', code: pythonCode(values) },
    go: { name: 'Go', file: 'receiver.go', run: 'go run receiver.go', code: goCode(values) },
  }
}

/** `path`: quoted. */
type Values = { id: string; port: string; path: string; gzip: boolean }

/** A URL without a port is behind a proxy, so the receiver gets port 3000. */
function placeOf(address: string): { port: string; path: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined
  // A path is printable ASCII, so its JSON is a valid string in all three languages.
  return { port: url?.port || '3000', path: JSON.stringify(url?.pathname ?? '/') }
}

function nodeCode({ id, port, path, gzip }: Values): string {
  return `// The package mintmark is not on npm yet. In a clone of its repository, run: npm ci && npm pack
// Then install the file here: npm install PATH/mintmark-0.1.0.tgz
import { createServer } from 'node:http'
${gzip ? "import { gunzipSync } from 'node:zlib'\n" : ''}import { verifyWebhook, WebhookVerificationError } from 'mintmark/webhook'

const secret = process.env.WEBHOOK_SECRET
const streamId = '${id}'

createServer(async (request, response) => {
  if (request.url.split('?')[0] !== ${path}) return response.writeHead(404).end()
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const sent = Buffer.concat(chunks)
  try {
    const { id, body } = verifyWebhook(${gzip ? "request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent" : 'sent'}, request.headers, secret)
    // The test webhook has an empty streamId. An id that was handled before is a repetition.
    if (body.streamId === streamId) console.log(id, body.chainId, body.block.number, body.logs.length)
    response.writeHead(200).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
  }
}).listen(${port})
`
}

function pythonCode({ id, port, path, gzip }: Values): string {
  return `# Python 3.9 or later, without packages.
import base64, ${gzip ? 'gzip, ' : ''}hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
STREAM_ID = "${id}"


def is_valid(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    right = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(right, one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
${gzip ? '        if self.headers.get("content-encoding") == "gzip":\n            body = gzip.decompress(body)\n' : ''}        if self.path.split("?")[0] != ${path}:
            return self.answer(404)
        if not is_valid(self.headers, body):
            return self.answer(401)
        webhook = json.loads(body)
        # The test webhook has an empty streamId. An id that was handled before is a repetition.
        if webhook["streamId"] == STREAM_ID:
            print(self.headers["webhook-id"], webhook["chainId"], webhook["block"]["number"], len(webhook["logs"]))
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()


ThreadingHTTPServer(("", ${port}), Receiver).serve_forever()
`
}

function goCode({ id, port, path, gzip }: Values): string {
  return `// Go 1.19 or later, without packages.
package main

import (
${gzip ? '\t"bytes"\n\t"compress/gzip"\n' : ''}	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const streamID = "${id}"

func isRight(key []byte, header http.Header, body []byte) bool {
	sentAt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	age := time.Now().Unix() - sentAt
	if err != nil || age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "."))
	mac.Write(body)
	right := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(right), []byte(given)) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("WEBHOOK_SECRET is not a webhook secret")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != ${path} {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		body, err := io.ReadAll(r.Body)
${
  gzip
    ? `		if err == nil && r.Header.Get("content-encoding") == "gzip" {
			var plain *gzip.Reader
			if plain, err = gzip.NewReader(bytes.NewReader(body)); err == nil {
				body, err = io.ReadAll(plain)
			}
		}
`
    : ''
}		if err != nil || !isRight(key, r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var webhook struct {
			StreamID, ChainID string
			Block             struct{ Number string }
			Logs              []json.RawMessage
		}
		if err := json.Unmarshal(body, &webhook); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		// The test webhook has an empty streamId. An id that was handled before is a repetition.
		if webhook.StreamID == streamID {
			log.Println(r.Header.Get("webhook-id"), webhook.ChainID, webhook.Block.Number, len(webhook.Logs))
		}
	})
	log.Fatal(http.ListenAndServe(":${port}", nil))
}
`
}
