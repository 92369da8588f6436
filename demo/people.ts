/**
 * The demo data's users and their token claims. A browser loads this file, so it has no imports.
 */
export const demoPeople = {
  ann: { username: 'Ann', groups: ['team', 'friends'], phone_number: '+15550100' },
  bob: { username: 'Bob', groups: ['team'], phone_number: '+15550101' },
  carol: { username: 'Carol', groups: ['friends'], phone_number: '+15550102' },
  kim: { username: 'Kim', groups: ['business:aurora-cafe'], phone_number: '+15550103' },
} as const;
