"""Receives events, and verifies them with the standard library alone."""
import base64, hashlib, hmac, http.server, json, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        id, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = hmac.new(KEY, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
        own = "v1," + base64.b64encode(signed).decode()
        sent = self.headers["webhook-signature"].split()
        ok = any(hmac.compare_digest(own, one) for one in sent) and abs(time.time() - int(at)) < 300
        if ok:
            event = json.loads(body)
            print(event["id"], event["type"], event["version"], flush=True)
        self.send_response(204 if ok else 401)
        self.end_headers()


http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
