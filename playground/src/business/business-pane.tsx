import { useEffect, useState } from 'preact/hooks';
import { startConversation } from '../inbox/start-conversation.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { Segments } from '../parts/segments.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Switch } from '../parts/switch.tsx';
import type { Person } from '../state/person.ts';
import { BusinessCard } from './business-card.tsx';
import { createBusinessList, type Format } from './business-list.ts';

const formats: readonly (readonly [Format, string])[] = [
  ['snake_case', 'snake_case'],
  ['camelCase', 'camelCase'],
];

export function BusinessPane({ person }: { person: Person }) {
  const [list] = useState(() => createBusinessList(person.client));
  useEffect(list.loadMore, [list]);
  const { state, error, businesses, next } = list.listState.value;
  const write = (business_id: string) => startConversation(person, { business_id, distinct: true });
  return (
    <>
      <div class="list-tools">
        <Segments
          label="Field set"
          options={formats}
          chosen={list.format.value}
          onChoose={(format) => list.setFilter({ format })}
        />
        <Switch
          label="Active only"
          isOn={list.isActiveOnly.value}
          onChange={(active) => list.setFilter({ active })}
        />
      </div>
      <div class="scroll" aria-busy={state === 'loading'}>
        <ul class="cards" aria-label="Businesses">
          {businesses.map((business) => (
            <BusinessCard
              key={'public_id' in business ? business.public_id : business.publicId}
              business={business}
              onWrite={write}
            />
          ))}
        </ul>
        {state === 'loading' && <Skeleton rows={businesses.length === 0 ? 5 : 1} />}
        {state === 'failed' && (
          <ErrorNote
            title="The businesses were not loaded."
            error={error}
            onRetry={list.loadMore}
          />
        )}
        {state === 'ready' && businesses.length === 0 && (
          <div class="empty">
            <Icon name="business" />
            <p>There are no listings.</p>
            <p class="muted">
              Import them with <code>npm run import-businesses</code>.
            </p>
          </div>
        )}
        {state === 'ready' && next && (
          <button type="button" class="button more" onClick={list.loadMore}>
            More businesses
          </button>
        )}
      </div>
    </>
  );
}
