import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import * as v from 'valibot';
import { listen } from './listen.ts';

/** Who makes tokens here, whoever does for the stage. Nothing listens at this address: it is a name. */
export const issuer = 'https://local.messaging.example';
export const audience = 'messaging';

const algorithm = 'RS256';
const keyPath = '/.well-known/jwks.json';
const defaultExpirySeconds = 12 * 60 * 60;

/** An identity provider of one's own: it makes tokens for whoever is named. */
export interface Issuer {
  token(contactId: string, claims?: TokenClaims): Promise<string>;
  /** The public half of its keys, as identity providers publish it. */
  keySet: { keys: JWK[] };
}

export interface TokenClaims {
  groups?: readonly string[];
  username?: string;
  phone_number?: string;
  picture?: string;
  /** Seconds from now; negative for a token whose time is over. */
  expires_in?: number;
  /** Others than the ones accepted here. */
  audience?: string;
  issuer?: string;
}

const KeyFile = v.looseObject({
  kty: v.literal('RSA'),
  kid: v.string(),
  n: v.string(),
  e: v.string(),
});

/** The identity provider whose keys are kept in that folder; they are made when there are none. */
export async function localIssuer(directory: string): Promise<Issuer> {
  const privateKey = await keptKey(directory);
  const { kty, kid, n, e } = privateKey;
  const signingKey = await importJWK(privateKey, algorithm);
  return {
    keySet: { keys: [{ kty, kid, n, e, alg: algorithm, use: 'sig' }] },
    token: (contactId, claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({
        ...(claims.groups && { groups: [...claims.groups] }),
        ...(claims.username !== undefined && { username: claims.username }),
        ...(claims.phone_number !== undefined && { phone_number: claims.phone_number }),
        ...(claims.picture !== undefined && { picture: claims.picture }),
      })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setSubject(contactId)
        .setIssuer(claims.issuer ?? issuer)
        .setAudience(claims.audience ?? audience)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + (claims.expires_in ?? defaultExpirySeconds))
        .sign(signingKey);
    },
  };
}

async function keptKey(directory: string) {
  const file = join(directory, 'issuer-key.json');
  await mkdir(directory, { recursive: true });
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return v.parse(KeyFile, JSON.parse(kept));
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: algorithm };
  const draft = `${file}.${key.kid}`;
  await writeFile(draft, JSON.stringify(key), { mode: 0o600 });
  // Fails when another command has made one in this very moment: then that is the key.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return v.parse(KeyFile, JSON.parse(await readFile(file, 'utf8')));
}

/**
 * What the variables say here that tell a function whose tokens are accepted: always the same but for the keys' address, so
 * that a token of an earlier start is good as long as its time is not over.
 */
export const identityVariables = (keysUrl: string) => ({
  TOKEN_ISSUER: issuer,
  TOKEN_AUDIENCE: audience,
  TOKEN_KEYS_URL: keysUrl,
});

/** Publishes the keys, as identity providers do. */
export async function startKeyServer({ keySet }: Issuer) {
  const body = JSON.stringify(keySet);
  const server = createServer((request, response) => {
    response.statusCode = request.url === keyPath ? 200 : 404;
    response.setHeader('Content-Type', 'application/json');
    response.end(request.url === keyPath ? body : '{}');
  });
  const { port, close } = await listen(server, 0);
  return { keysUrl: `http://127.0.0.1:${port}${keyPath}`, close };
}
