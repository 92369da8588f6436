import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import * as v from 'valibot';
import { listen } from './listen.ts';
import { requireNotSuspended } from './suspended-people.ts';

/**
 * Issuer of local tokens, used instead of the stage's issuer. No server listens at this address.
 */
export const issuer = 'https://local.messaging.example';
export const audience = 'messaging';

const algorithm = 'RS256';
const keyPath = '/.well-known/jwks.json';
const defaultExpirySeconds = 12 * 60 * 60;

/** A local identity provider that creates tokens for any user who is not suspended. */
export interface Issuer {
  token(contactId: string, claims?: TokenClaims): Promise<string>;
  /** Public keys as a JSON Web Key Set. */
  keySet: { keys: JWK[] };
}

export interface TokenClaims {
  groups?: readonly string[];
  username?: string;
  phone_number?: string;
  picture?: string;
  /** Seconds until the token expires; negative for an expired token. Default: 12 hours. */
  expires_in?: number;
  /** Audience and issuer of the token, for tests; by default, those that the stack accepts. */
  audience?: string;
  issuer?: string;
}

const KeyFile = v.looseObject({
  kty: v.literal('RSA'),
  kid: v.string(),
  n: v.string(),
  e: v.string(),
});

/** Returns the issuer whose data is in a folder. Creates the signing key if it is missing. */
export async function openLocalIssuer(directory: string): Promise<Issuer> {
  const privateKey = await getOrCreateKey(directory);
  const { kty, kid, n, e } = privateKey;
  const signingKey = await importJWK(privateKey, algorithm);
  return {
    keySet: { keys: [{ kty, kid, n, e, alg: algorithm, use: 'sig' }] },
    token: async (contactId, claims = {}) => {
      await requireNotSuspended(directory, contactId);
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

async function getOrCreateKey(directory: string) {
  const file = join(directory, 'issuer-key.json');
  await mkdir(directory, { recursive: true });
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing !== undefined) return v.parse(KeyFile, JSON.parse(existing));
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: algorithm };
  const draft = `${file}.${key.kid}`;
  await writeFile(draft, JSON.stringify(key), { mode: 0o600 });
  // If another process has just created the key, `link` fails, and this process uses that key.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return v.parse(KeyFile, JSON.parse(await readFile(file, 'utf8')));
}

/**
 * Returns the environment variables that define accepted tokens. Only the keys' URL differs between
 * starts, so tokens from an earlier start stay valid until they expire.
 */
export const getIdentityVariables = (keysUrl: string) => ({
  TOKEN_ISSUER: issuer,
  TOKEN_AUDIENCE: audience,
  TOKEN_KEYS_URL: keysUrl,
});

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
