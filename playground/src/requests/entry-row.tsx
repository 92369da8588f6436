import { useSignal } from '@preact/signals';
import type { Entry, RequestEntry } from '../network/traffic.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { formatTimeOfDate } from '../parts/format.ts';
import { people } from '../state/people.ts';

export function EntryRow({ entry }: { entry: Entry }) {
  const isOpen = useSignal(false);
  const shownText = entry.kind === 'push' ? entry.text : (entry.outcome?.reply ?? '');
  const name = people[entry.side].value.identity.username;
  return (
    <li class="entry" data-side={entry.side} data-kind={entry.kind}>
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>
          <span class="entry-who" title={name}>
            <span class="unseen">{name}</span>
          </span>
          {entry.kind === 'push' ? (
            <>
              <span class="method" data-method="PUSH">
                PUSH
              </span>
              <span class="entry-path">{entry.type}</span>
            </>
          ) : (
            <RequestLine entry={entry} />
          )}
        </summary>
        {isOpen.value && (
          <div class="entry-inside">
            <p class="muted">
              {name}, {formatTimeOfDate(entry.at)}
              {entry.kind === 'request' &&
                entry.outcome?.requestId !== undefined &&
                ` · ${entry.outcome.requestId}`}
            </p>
            {entry.kind === 'request' && (
              <>
                <Code label="As curl" text={entry.curl} />
                <CopyButton text={entry.curl} label="Copy as curl" />
              </>
            )}
            {shownText !== '' && (
              <Code
                label={entry.kind === 'push' ? 'Pushed' : 'Reply'}
                text={formatJson(shownText)}
              />
            )}
          </div>
        )}
      </details>
    </li>
  );
}

const RequestLine = ({ entry: { method, path, outcome } }: { entry: RequestEntry }) => (
  <>
    <span class="method" data-method={method}>
      {method}
    </span>
    <span class="entry-path" title={path}>
      {shortenPath(path)}
    </span>
    <span class="entry-status" data-class={String(outcome?.status ?? '').slice(0, 1)}>
      {outcome === undefined ? '…' : outcome.status === 'none' ? 'no reply' : outcome.status}
    </span>
    <span class="entry-time">{outcome && `${outcome.milliseconds} ms`}</span>
  </>
);

/** Shortens ids to their last four characters. The curl command contains the whole path. */
const shortenPath = (path: string) =>
  path
    .replace(/^\/v1/, '')
    .replace(/[0-9A-Z~]{22,}([0-9A-Za-z]{4})/g, '…$1')
    .replaceAll('%5B%5D', '[]');

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
