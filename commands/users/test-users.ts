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
import type { Pool } from './pool.ts';

export interface TestUser {
  name: string;
  /** What the API knows the user by: Cognito's `sub`. */
  contactId: string;
}

const marker: AttributeType = { Name: `custom:${testUserAttribute}`, Value: 'true' };

/**
 * The test user of that name, with those attributes; it is made when there is none, and nobody is sent a mail. A user whom
 * somebody else made is left alone, as anything that is done with a test user would lock a person out.
 */
export async function testUser(
  pool: Pool,
  name: string,
  attributes: AttributeType[],
): Promise<TestUser> {
  const existing = await find(pool, name);
  if (!existing) return (await make(pool, name, attributes)) ?? testUser(pool, name, attributes);
  if (attribute(existing, marker.Name) !== marker.Value) {
    throw new Problem(
      `${name} is somebody’s account: this command gives tokens only of users whom it made.`,
    );
  }
  if (attributes.length > 0) {
    const { client, UserPoolId } = pool;
    const UserAttributes = attributes;
    await client.send(
      new AdminUpdateUserAttributesCommand({ UserPoolId, Username: name, UserAttributes }),
    );
  }
  return { name, contactId: contactIdIn(existing) };
}

async function find({ client, UserPoolId }: Pool, Username: string) {
  try {
    const command = new AdminGetUserCommand({ UserPoolId, Username });
    return (await client.send(command)).UserAttributes ?? [];
  } catch (error) {
    if (error instanceof UserNotFoundException) return undefined;
    throw error;
  }
}

/** Undefined when there is one by now: another command was first. */
async function make({ client, UserPoolId }: Pool, name: string, attributes: AttributeType[]) {
  try {
    const { User } = await client.send(
      new AdminCreateUserCommand({
        UserPoolId,
        Username: name,
        MessageAction: 'SUPPRESS',
        UserAttributes: [marker, ...attributes],
      }),
    );
    return { name, contactId: contactIdIn(User?.Attributes ?? []) };
  } catch (error) {
    if (error instanceof UsernameExistsException) return undefined;
    throw error;
  }
}

function contactIdIn(attributes: AttributeType[]): string {
  const id = attribute(attributes, 'sub');
  if (id === undefined) throw new Error('Cognito gave a user without a sub.');
  return id;
}

const attribute = (attributes: AttributeType[], name: string | undefined) =>
  attributes.find(({ Name }) => Name === name)?.Value;
