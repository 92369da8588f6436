import type { Fixture } from '../run/fixture.ts';
import type { Sent } from './compile-request.ts';

const longest = 3000;

/**
 * Returns a shell command that sends the first 3,000 bytes of the request. Variables such as `$ANN`
 * replace the tokens.
 */
export function formatAsCommand({ bytes }: Sent, fixture: Fixture): string {
  const text = bytes.toString('latin1');
  const cut = text.length > longest ? `${text.slice(0, longest)}` : text;
  const escaped = cut
    .replace(/[\\%"$`]/g, (one) => (one === '%' ? '%%' : `\\${one}`))
    .replace(/\r\n/g, '\\r\\n\\\n')
    .replace(/[^\x20-\x7e\n]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const named = fixture.people.reduce(
    (all, { id, authorization }) => all.replaceAll(authorization, `Bearer $${id.toUpperCase()}`),
    escaped,
  );
  const rest = text.length > longest ? `\n(and ${text.length - longest} more bytes)` : '';
  return `printf "${named}" | nc -q 1 127.0.0.1 3000${rest}`;
}
