import { type ReadonlySignal, signal } from '@preact/signals';
import type { Business, CamelBusiness, Client, Page } from '../../../client/src/index.ts';

export type Format = 'snake_case' | 'camelCase';

export interface BusinessListState {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly businesses: readonly (Business | CamelBusiness)[];
  readonly next: Page<never>['next'];
}

export interface BusinessList {
  readonly listState: ReadonlySignal<BusinessListState>;
  readonly isActiveOnly: ReadonlySignal<boolean>;
  readonly format: ReadonlySignal<Format>;
  setFilter(choice: { active?: boolean; format?: Format }): void;
  /** Loads the next page, or retries the page that failed to load. */
  loadMore(): void;
}

const initialState: BusinessListState = {
  state: 'loading',
  error: null,
  businesses: [],
  next: null,
};

export function createBusinessList({ business }: Client): BusinessList {
  const shown = signal(initialState);
  const isActiveOnly = signal(true);
  const format = signal<Format>('snake_case');
  let requestCount = 0;

  const loadMore = async () => {
    requestCount += 1;
    const requestNumber = requestCount;
    const { businesses, next } = shown.peek();
    shown.value = { ...shown.peek(), state: 'loading', error: null };
    const active = isActiveOnly.peek() ? { active: true } : {};
    try {
      const page = await business
        .list({ ...active, format: format.peek(), limit: 10 })
        .page(next ?? undefined);
      if (requestNumber !== requestCount) return;
      shown.value = {
        state: 'ready',
        error: null,
        businesses: [...businesses, ...page.data],
        next: page.has_more ? page.next : null,
      };
    } catch (error) {
      if (requestNumber === requestCount) shown.value = { ...shown.peek(), state: 'failed', error };
    }
  };

  return {
    listState: shown,
    isActiveOnly,
    format,
    loadMore,
    setFilter: (choice) => {
      isActiveOnly.value = choice.active ?? isActiveOnly.peek();
      format.value = choice.format ?? format.peek();
      shown.value = initialState;
      loadMore();
    },
  };
}
