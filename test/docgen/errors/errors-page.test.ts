import { describe, expect, test } from '@jest/globals';
import { errorsPage } from '../../../docgen/errors/errors-page.ts';
import { errorCatalog } from '../../../shared/contract/errors.ts';

describe('The errors page', () => {
  test('has a heading for each code, and `documentation_url` links to that heading', () => {
    const headings = Array.from(errorsPage.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(Object.keys(errorCatalog));
  });

  test('lists the status, meaning, remedy and retry time of an error', () => {
    expect(errorsPage).toContain(`## request_in_progress

**409** · A request with the same Idempotency-Key is still running.

Repeat the request after \`Retry-After\` seconds to get the first request's reply. The reply has \`Retry-After: 1\`.

## cursor_expired
`);
  });

  test('lists the statuses that only the gateway returns', () => {
    expect(errorsPage).toContain('**500**, or 502 from the gateway · An internal error occurred.');
  });
});
