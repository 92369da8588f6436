import { expect, test } from '@jest/globals';
import { exposedHeaders, requestHeaders } from '../../shared/contract/headers.ts';
import { read } from './pages.ts';

test('docs/api.md lists exactly the headers that browsers may send and read', () => {
  const [, sent, readable] =
    /They may\s+send\s+([^.]*), and\s+read\s+([^.]*)\./.exec(read('docs/api.md')) ?? [];
  const headersIn = (text = '') =>
    [...text.matchAll(/`([A-Z][A-Za-z-]*)`/g)].map(([, name]) => name);
  expect([headersIn(sent), headersIn(readable)]).toEqual([
    [...requestHeaders],
    [...exposedHeaders],
  ]);
});
