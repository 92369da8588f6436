import * as v from 'valibot';

export interface Secret {
  /** Type of secret, such as `token`. */
  kind: string;
  text: string;
}

/** Minimum length of a secret, because shorter texts occur in logs by coincidence. */
const minCharacters = 8;

/**
 * Returns the secrets that the lines contain in any encoding, each with the first line that
 * contains it.
 */
export const findSecrets = (lines: readonly string[], secrets: readonly Secret[]) =>
  secrets
    .filter(({ text }) => text.length >= minCharacters)
    .flatMap(({ kind, text }) => {
      const forms = writtenForms(text);
      const line = lines.find((one) => forms.some((form) => one.includes(form)));
      return line === undefined ? [] : { kind, text, line };
    });

/** Returns the text in all encodings: raw, JSON, JSON within JSON, URL, form and base64. */
function writtenForms(text: string): string[] {
  const inJson = withinQuotes(text);
  const encoded = encodeURIComponent(text);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const base64 = Buffer.from(`${' '.repeat(before)}${text}`).toString('base64');
    // The first and last characters also encode bits of the adjacent text.
    const certain = base64.slice(before === 0 ? 0 : before + 1, -4);
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const forms = [text, inJson, withinQuotes(inJson), encoded, encoded.replaceAll('%20', '+')];
  return [...new Set([...forms, ...inBase64])];
}

const withinQuotes = (text: string) => JSON.stringify(text).slice(1, -1);

export interface SentRequest {
  headers: Readonly<Record<string, string>>;
  /** JSON or form fields. */
  body?: string;
}

/**
 * Returns the secrets of a request: the token and its profile claims, the Idempotency-Key, and all
 * strings in the body except ids.
 */
export function extractSecrets({ headers, body = '' }: SentRequest): Secret[] {
  const headersByName = new Map(
    Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]),
  );
  const token = headersByName.get('authorization')?.replace(/^Bearer +/i, '') ?? '';
  const key = headersByName.get('idempotency-key')?.replace(/^"|"$/g, '') ?? '';
  return [
    ...[token, ...token.split('.')].map((text) => ({ kind: 'token', text })),
    ...extractProfile(token),
    { kind: 'idempotency key', text: key },
    ...extractTexts(body).map((text) => ({ kind: 'body', text })),
  ].filter(({ text }) => text !== '');
}

const Claims = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const profileClaims = [
  'preferred_username',
  'username',
  'cognito:username',
  'phone_number',
  'picture',
];

function extractProfile(token: string): Secret[] {
  const claims = v.safeParse(
    Claims,
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  );
  if (!claims.success) return [];
  return profileClaims.flatMap((kind) => {
    const text = claims.output[kind];
    return typeof text === 'string' ? { kind, text } : [];
  });
}

/** Reports whether a field is an id. Ids may be printed, because they grant no access. */
const isId = (name: string) => /(^|_)id$/.test(name);

function extractTexts(body: string): string[] {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson()), body);
  if (!parsed.success) {
    return [...new URLSearchParams(body)].flatMap(([name, text]) => (isId(name) ? [] : text));
  }
  const texts: string[] = [];
  JSON.stringify(parsed.output, (name, value) => {
    if (typeof value === 'string' && !isId(name)) texts.push(value);
    return value;
  });
  return texts;
}
