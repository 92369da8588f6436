import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminUpdateUserAttributesCommand,
  type AttributeType,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { testUserAttribute } from '../../lib/constructs/identity/test-user-attribute.ts';
import { Problem } from '../../lib/problem.ts';
import type { Pool } from './user-pool.ts';

export interface TestUser {
  name: string;
  /** The contact id in the API: Cognito's `sub`. */
  contactId: string;
}

const testUserFlag: AttributeType = { Name: `custom:${testUserAttribute}`, Value: 'true' };

/**
 * Updates the attributes of the test user `name`, or creates the user without sending an email.
 * Throws a Problem if a real account has the name, because a new password would lock out the
 * account's user.
 */
export async function ensureTestUser(
  pool: Pool,
  name: string,
  attributes: AttributeType[],
): Promise<TestUser> {
  const existing = await findTestUser(pool, name);
  if (!existing)
    return (await createUser(pool, name, attributes)) ?? ensureTestUser(pool, name, attributes);
  if (attributes.length > 0) {
    const { client, UserPoolId } = pool;
    const UserAttributes = attributes;
    await client.send(
      new AdminUpdateUserAttributesCommand({ UserPoolId, Username: name, UserAttributes }),
    );
  }
  return existing;
}

/**
 * Returns the test user with this name, if any. Throws a Problem if a real account has the name.
 */
export async function findTestUser(pool: Pool, name: string): Promise<TestUser | undefined> {
  const attributes = await findAttributes(pool, name);
  if (!attributes) return undefined;
  if (getAttribute(attributes, testUserFlag.Name) !== testUserFlag.Value) {
    throw new Problem(`${name} is a real account: this command uses only test users.`);
  }
  return { name, contactId: getContactId(attributes) };
}

async function findAttributes({ client, UserPoolId }: Pool, Username: string) {
  try {
    const command = new AdminGetUserCommand({ UserPoolId, Username });
    return (await client.send(command)).UserAttributes ?? [];
  } catch (error) {
    if (error instanceof UserNotFoundException) return undefined;
    throw error;
  }
}

/** Creates a test user. Returns undefined if a user with this name already exists. */
async function createUser({ client, UserPoolId }: Pool, name: string, attributes: AttributeType[]) {
  try {
    const { User } = await client.send(
      new AdminCreateUserCommand({
        UserPoolId,
        Username: name,
        MessageAction: 'SUPPRESS',
        UserAttributes: [testUserFlag, ...attributes],
      }),
    );
    return { name, contactId: getContactId(User?.Attributes ?? []) };
  } catch (error) {
    if (error instanceof UsernameExistsException) return undefined;
    throw error;
  }
}

function getContactId(attributes: AttributeType[]): string {
  const id = getAttribute(attributes, 'sub');
  if (id === undefined) throw new Error('Cognito returned a user without a sub.');
  return id;
}

const getAttribute = (attributes: AttributeType[], name: string | undefined) =>
  attributes.find(({ Name }) => Name === name)?.Value;
