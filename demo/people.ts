/** People to try the API with, and what their tokens say. It imports nothing, as a page in the browser reads it too. */
export const demoPeople = {
  ann: { username: 'Ann', groups: ['team', 'friends'], phone_number: '+15550100' },
  bob: { username: 'Bob', groups: ['team'], phone_number: '+15550101' },
  carol: { username: 'Carol', groups: ['friends'], phone_number: '+15550102' },
} as const;
