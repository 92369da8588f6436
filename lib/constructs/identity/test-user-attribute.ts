/**
 * Name, without `custom:`, of the Cognito attribute that marks users created by `npm run token` or
 * `npm run verify`. The attribute is immutable, and apps cannot write it, so a user's account
 * cannot become a test user.
 */
export const testUserAttribute = 'test_user';
