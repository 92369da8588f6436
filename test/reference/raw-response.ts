import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Fetches a URL. Returns the reply's headers and its bytes before decompression. */
export const fetchRawBytes = (url: string, acceptEncoding: string) =>
  new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((settle, fail) => {
    const headers = { 'Accept-Encoding': acceptEncoding };
    request(url, { headers, agent: false })
      .once('response', (response) =>
        buffer(response).then((bytes) => settle({ headers: response.headers, bytes }), fail),
      )
      .once('error', fail)
      .end();
  });
