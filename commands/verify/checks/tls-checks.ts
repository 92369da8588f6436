import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { getErrorCode, Problem, toErrorMessage } from '../../../lib/problem.ts';
import { type Check, NotCheckable } from '../target/check.ts';
import type { VerifyTarget } from '../target/target.ts';

/** Error codes of a connection to a server that does not support the TLS version. */
const protocolErrors = ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ECONNRESET'];

export const tlsChecks = ({ url }: VerifyTarget): Check[] => [
  {
    name: 'TLS: 1.1 is rejected',
    expected: 'no connection',
    cure: 'see requireTls12 in lib/constructs/api/messaging-api.ts, and the security policy of the domain name',
    run: async () => {
      const { protocol, hostname, port } = new URL(url);
      if (protocol !== 'https:') throw new NotCheckable(`${url} is plain HTTP`);
      return connectByTls11(hostname, Number(port || 443));
    },
  },
];

const connectByTls11 = (host: string, port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // At its default security level, OpenSSL itself would reject the TLS version.
      ciphers: 'DEFAULT@SECLEVEL=0',
      // Accepts any certificate, because only the handshake matters and nothing is sent.
      rejectUnauthorized: false,
      timeout: 10_000,
    });
    socket.once('secureConnect', () => {
      reject(new Problem(`connected with ${socket.getProtocol()}`));
      socket.destroy();
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(new NotCheckable('no response within ten seconds'));
    });
    socket.once('error', (error) => {
      socket.destroy();
      const code = String(getErrorCode(error));
      if (protocolErrors.includes(code)) resolve(`no connection (${code})`);
      else reject(new NotCheckable(`connection failed: ${toErrorMessage(error)}`));
    });
  });
