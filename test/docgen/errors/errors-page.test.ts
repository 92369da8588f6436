import { describe, expect, test } from '@jest/globals';
import { errorsPage } from '../../../docgen/errors/errors-page.ts';
import { errorCatalog } from '../../../shared/contract/errors.ts';

describe('The page of errors', () => {
  test('has a heading for each code, where the documentation_url of a reply leads', () => {
    const headings = Array.from(errorsPage.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(Object.keys(errorCatalog));
  });

  test('tells of an error its status, what it means, what to do and how long to wait', () => {
    expect(errorsPage).toContain(`## request_in_progress

**409** · A request with the same Idempotency-Key is still running.

Repeat the request after \`Retry-After\` seconds to get the reply of the first one. The reply has \`Retry-After: 1\`.

## cursor_expired
`);
  });

  test('has the statuses that only the gateway gives', () => {
    expect(errorsPage).toContain('| 400, 431 | [`request_invalid`](#request_invalid) |');
    expect(errorsPage).toContain('**500**, from the gateway also 502 · An internal error.');
  });
});
