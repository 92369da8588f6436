import { effect, signal } from '@preact/signals';
import type { Side } from './network/traffic.ts';

/** What is where on the page. */
export const layout = {
  /** On a narrow screen: the one thing that is shown. */
  narrowView: signal<Side | 'requests'>('left'),
  /** On a wider one: whether the requests are there beside the people. */
  areRequestsShown: signal(matchMedia('(min-width: 1200px)').matches),
  /** Null as the system has it. */
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
