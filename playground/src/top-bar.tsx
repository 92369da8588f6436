import { useSignal } from '@preact/signals';
import { KeyboardHelp } from './keyboard-help.tsx';
import { isDark, layout } from './layout.ts';
import { Icon } from './parts/icon.tsx';
import { IconButton } from './parts/icon-button.tsx';

export const TopBar = () => {
  const isHelpShown = useSignal(false);
  const { areRequestsShown, scheme } = layout;
  return (
    <header class="top-bar">
      <span class="logo" aria-hidden="true" />
      <div class="top-title">
        <h1>Messaging playground</h1>
        <p>
          Two users of the API at <code>{location.host}</code>
        </p>
      </div>
      <div class="top-actions">
        <a class="button small" href="/docs" target="_blank" rel="noreferrer">
          Reference
        </a>
        <IconButton
          icon="keyboard"
          class="keys"
          label="Keyboard shortcuts"
          onClick={() => {
            isHelpShown.value = true;
          }}
        />
        <IconButton
          icon={isDark.value ? 'sun' : 'moon'}
          label={isDark.value ? 'Light colors' : 'Dark colors'}
          onClick={() => {
            scheme.value = isDark.value ? 'light' : 'dark';
          }}
        />
        <button
          type="button"
          class="button small requests-toggle"
          aria-pressed={areRequestsShown.value}
          onClick={() => {
            areRequestsShown.value = !areRequestsShown.value;
          }}
        >
          <Icon name="code" />
          Requests
        </button>
      </div>
      {isHelpShown.value && (
        <KeyboardHelp
          onClose={() => {
            isHelpShown.value = false;
          }}
        />
      )}
    </header>
  );
};
