/**
 * Attribute that marks users created by `npm run token`. The template omits Cognito's prefix
 * `custom:`. It is set at creation, immutable, and not writable by apps, so a user's account cannot
 * become a test user.
 */
export const testUserAttribute = 'test_user';
