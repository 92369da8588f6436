/**
 * The attribute, in the template without Cognito's `custom:`, that tells users whom `npm run token` made from everybody
 * else. It is set when a user is made and never again, and no app can write it: a person's account cannot become one.
 */
export const testUserAttribute = 'test_user';
