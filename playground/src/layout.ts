import { effect, signal } from '@preact/signals';
import type { Side } from './network/traffic.ts';

export const layout = {
  /** The part of the page that is visible on a narrow screen. */
  narrowView: signal<Side | 'requests'>('left'),
  /** Whether the list of requests is visible on a wide screen. */
  areRequestsShown: signal(matchMedia('(min-width: 1200px)').matches),
  /** The chosen color scheme; null to follow the system. */
  scheme: signal<'light' | 'dark' | null>(null),
};

const systemScheme = matchMedia('(prefers-color-scheme: dark)');

export const isDark = signal(systemScheme.matches);

effect(() => {
  const chosen = layout.scheme.value;
  const follow = () => {
    isDark.value = chosen === null ? systemScheme.matches : chosen === 'dark';
  };
  follow();
  document.documentElement.style.colorScheme = chosen ?? '';
  systemScheme.addEventListener('change', follow);
  return () => systemScheme.removeEventListener('change', follow);
});
