import { ApiError, NoReplyError } from '../../../client/src/index.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

interface Props {
  /** The failed action. */
  title: string;
  error: unknown;
  onRetry?: (() => void) | undefined;
  onDismiss?: (() => void) | undefined;
}

export function ErrorNote({ title, error, onRetry, onDismiss }: Props) {
  const { code, message, param, url } = describeError(error);
  return (
    <div class="note error-note" role="alert">
      <Icon name="warning" />
      <div class="note-text">
        <p class="note-title">{title}</p>
        <p>
          <code class="code">{code}</code> {message}
          {param !== null && (
            <>
              {' '}
              <span class="muted">
                (<code>{param}</code>)
              </span>
            </>
          )}
        </p>
        {(url !== null || onRetry) && (
          <p class="note-actions">
            {onRetry && (
              <button type="button" class="link" onClick={onRetry}>
                Try again
              </button>
            )}
            {url !== null && (
              <a href={url} target="_blank" rel="noreferrer">
                How to fix it
              </a>
            )}
          </p>
        )}
      </div>
      {onDismiss && <IconButton icon="close" label="Dismiss" onClick={onDismiss} />}
    </div>
  );
}

function describeError(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError) {
    return { code: error.code, message, param: error.param, url: error.documentationUrl };
  }
  const code = error instanceof NoReplyError ? 'no_reply' : 'error';
  return { code, message, param: null, url: null };
}
