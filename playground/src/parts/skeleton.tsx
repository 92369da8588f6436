export const Skeleton = ({ rows }: { rows: number }) => (
  <div class="skeleton" role="status">
    <span class="unseen">Loading</span>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} class="skeleton-row" aria-hidden="true">
        <span class="skeleton-avatar" />
        <span class="skeleton-lines" />
      </div>
    ))}
  </div>
);
