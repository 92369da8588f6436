import type { Business, CamelBusiness, Hours, WorkTime } from '../../../client/src/index.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Code } from '../parts/code.tsx';

const days = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const satisfies (keyof WorkTime)[];

/** Shows a business, whose field names are in snake_case or camelCase. */
export const BusinessCard = ({
  business,
  onWrite,
}: {
  business: Business | CamelBusiness;
  onWrite: (publicId: string) => void;
}) => {
  const id = 'public_id' in business ? business.public_id : business.publicId;
  const title = business.title ?? id;
  return (
    <li class="card">
      <Avatar id={id} name={title} />
      <div class="card-text">
        <h2>{title}</h2>
        {'public_id' in business ? <SnakeFacts {...business} /> : <CamelFacts {...business} />}
        {business.status === 'active' && (
          <button type="button" class="button small" onClick={() => onWrite(id)}>
            Write a message <span class="unseen">to {title}</span>
          </button>
        )}
        <details>
          <summary>
            All fields <span class="unseen">of {title}</span>
          </summary>
          <Code label={`All fields of ${title}`} text={JSON.stringify(business, null, 2)} />
        </details>
      </div>
    </li>
  );
};

const SnakeFacts = (business: Business) => (
  <>
    <Tags words={[business.status, business.type, business.industry]} />
    {business.description !== null && <p>{business.description}</p>}
    <p class="muted">
      {[
        business.address,
        business.phone,
        business.price_level?.replace('_', ' '),
        business.work_time && today(business.work_time),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </>
);

const CamelFacts = (business: CamelBusiness) => (
  <>
    <Tags words={[business.status, business.type, ...business.tags]} />
    <p class="muted">
      {[business.address, business.timezone, business.claimed && 'claimed by its owner']
        .filter(Boolean)
        .join(' · ')}
    </p>
  </>
);

const Tags = ({ words }: { words: readonly (string | null)[] }) => (
  <p class="tags">
    {[...new Set(words)].map((word) =>
      word === null ? null : (
        <span key={word} class="tag" data-word={word}>
          {word}
        </span>
      ),
    )}
  </p>
);

function today(times: WorkTime): string {
  const hours = times[days[new Date().getDay()] ?? 'sunday'];
  return hours ? `open today ${hours.map(span).join(', ')}` : 'closed today';
}

const span = ({ open, close }: Hours) => `${hour(open)}–${hour(close)}`;

const hour = (time: Hours['open']) =>
  `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`;
