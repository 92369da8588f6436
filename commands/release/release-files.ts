import { Problem } from '../../lib/problem.ts';

/** The text of each file that contains the version, by path. */
export type ReleaseFiles = Record<(typeof releasePaths)[number], string>;

export const releasePaths = [
  'package.json',
  'package-lock.json',
  'client/package.json',
  'CHANGELOG.md',
] as const;

/**
 * Returns the files with the new version. The entries below *Unreleased* move below a heading with
 * the version and the date (`2026-11-23`). Throws a Problem if the version is not three numbers or
 * is already in the changelog, or if *Unreleased* has no entries.
 */
export function withRelease(files: ReleaseFiles, version: string, date: string): ReleaseFiles {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Problem(`Invalid version '${version}': specify three numbers, such as 0.2.0.`);
  }
  const changelog = files['CHANGELOG.md'];
  if (changelog.includes(`## [${version}]`)) {
    throw new Problem(`CHANGELOG.md already contains version ${version}.`);
  }
  const [, unreleased = ''] = /\n## \[Unreleased\]\n([\s\S]*?)(?=\n## \[)/.exec(changelog) ?? [];
  if (!unreleased.includes('\n- ')) {
    throw new Problem('CHANGELOG.md has no entries below Unreleased: add what users notice.');
  }
  return {
    'package.json': withVersion(files['package.json'], version),
    'package-lock.json': withLockVersion(files['package-lock.json'], version),
    'client/package.json': withVersion(files['client/package.json'], version),
    'CHANGELOG.md': changelog.replace(
      '\n## [Unreleased]\n',
      `\n## [Unreleased]\n\n## [${version}] - ${date}\n`,
    ),
  };
}

const withVersion = (json: string, version: string): string =>
  json.replace(/"version": "[^"]*"/, `"version": "${version}"`);

/** Replaces the first two versions in the lock file, which are this package's. */
const withLockVersion = (json: string, version: string): string => {
  let remaining = 2;
  return json.replace(/"version": "[^"]*"/g, (found) =>
    remaining-- > 0 ? `"version": "${version}"` : found,
  );
};
