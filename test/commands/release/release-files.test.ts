import { expect, test } from '@jest/globals';
import { withRelease } from '../../../commands/release/release-files.ts';

const files = {
  'package.json': '{\n  "name": "service",\n  "version": "0.1.0",\n  "x": { "version": "9" }\n}\n',
  'package-lock.json':
    '{ "version": "0.1.0", "packages": { "": { "version": "0.1.0" }, "a": { "version": "3.0.0" } } }',
  'client/package.json': '{ "version": "0.1.0" }',
  'CHANGELOG.md':
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-11-20\n\n- First.\n',
};

test('A release sets the version in all packages and dates the unreleased entries', () => {
  expect(withRelease(files, '0.2.0', '2026-11-23')).toEqual({
    'package.json':
      '{\n  "name": "service",\n  "version": "0.2.0",\n  "x": { "version": "9" }\n}\n',
    'package-lock.json':
      '{ "version": "0.2.0", "packages": { "": { "version": "0.2.0" }, "a": { "version": "3.0.0" } } }',
    'client/package.json': '{ "version": "0.2.0" }',
    'CHANGELOG.md':
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-11-20\n\n- First.\n',
  });
});

test.each([
  ['a version with a prefix', 'v0.2.0', files, /Invalid version/],
  ['a released version', '0.1.0', files, /already contains/],
  [
    'a changelog without unreleased entries',
    '0.2.0',
    { ...files, 'CHANGELOG.md': '\n## [Unreleased]\n\n## [0.1.0] - 2026-11-20\n\n- First.\n' },
    /no entries/,
  ],
])('A release rejects %s', (_, version, input, problem) => {
  expect(() => withRelease(input, version, '2026-11-23')).toThrow(problem);
});
