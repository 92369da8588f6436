import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { audience, issuer, openLocalIssuer } from '../../../local-cloud/issuer.ts';
import { listen } from '../../../local-cloud/listen.ts';

export interface IssuerKeys {
  url: string;
  /** Returns the number of times that the keys were fetched. */
  fetched(): number;
  /** Creates an issuer key without publishing it. */
  newKey(): Promise<{ publish(): void; token(contactId: string): Promise<string> }>;
  stop(): Promise<void>;
}

const algorithm = 'RS256';

export async function startIssuerKeys(dataDirectory: string): Promise<IssuerKeys> {
  const keys: JWK[] = [...(await openLocalIssuer(dataDirectory)).keySet.keys];
  let fetched = 0;
  let keyCount = 0;
  const server = createServer((_, response) => {
    fetched += 1;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ keys }));
  });
  const { port, close } = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}/keys.json`,
    fetched: () => fetched,
    newKey: async () => {
      const { privateKey, publicKey } = await generateKeyPair(algorithm);
      keyCount += 1;
      const kid = `key-${keyCount}`;
      return {
        publish: async () => {
          keys.push({ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' });
        },
        token: (contactId) =>
          new SignJWT({})
            .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
            .setSubject(contactId)
            .setIssuer(issuer)
            .setAudience(audience)
            .setIssuedAt()
            .setExpirationTime('1h')
            .sign(privateKey),
      };
    },
    stop: close,
  };
}
