/** A difference between the emulator and AWS that makes scenarios fail. */
export interface KnownDifference {
  name: string;
  /** Matches the one-line messages of scenarios that fail because of the difference. */
  message: RegExp;
  /** Matches the scenarios' names, if the message alone is not specific enough. */
  scenario?: RegExp;
}

/** Differences of ministack 1.4.21 (github.com/ministackorg/ministack), as of 2026-11-23. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    name: 'The gateway ignores gateway responses: refusals lack the error format',
    message: /returned (401|403) \{"message":/i,
  },
  {
    name: 'The gateway ignores the templates of mock integrations: unknown paths and malformed preflights return 200',
    message: /returned 200 \{\}/,
  },
  {
    name: 'The gateway ignores the status of mock integrations: preflights return 200',
    message: /Expected: 204 Received: 200/,
    scenario: /preflight/,
  },
  {
    name: 'Functions receive a different URL than the client used: error links and Location headers differ',
    message: /https:\/\/127\.0\.0\.1:\d+\/dev\/docs\/errors#\w+, not |wrong version number/,
  },
  {
    name: 'A 304 has the Content-Length of the omitted body, so clients wait for the body',
    message: /^TypeError: terminated$/,
    scenario: /If-Match/,
  },
  {
    name: 'The gateway does not compress replies',
    message: /Expected: "gzip" Received: null/,
  },
  {
    name: 'CloudFormation creates no Event API: there is no push',
    message: /closed with 1006/,
    scenario: /^A listener/,
  },
  {
    name: 'Events appear in feeds late or not at all; the cause is unknown',
    message: /^Error: expect\(received\)/,
    scenario: /^A client that was offline/,
  },
];
