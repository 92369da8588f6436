import { Duration, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  BooleanAttribute,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  UserPool,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import { refreshTokenDays, tokenHours } from '../../lifetimes.ts';
import type { Stage } from '../../stages.ts';
import { removalPolicy } from '../removal-policy.ts';
import { testUserAttribute } from './test-user-attribute.ts';

/**
 * User pool of a stage. A user's contact id is Cognito's `sub`. The `group_id` of a conversation
 * can name a group of the pool. Changing the sign-in aliases or the case-insensitivity of user
 * names would lose all users.
 */
export class MessagingUserPool extends UserPool {
  /** App client, used by apps and by `npm run token`. */
  readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      // Users can write to any user whose id they have, so only the operator creates accounts. A
      // public app sets this to true and must prevent spam.
      selfSignUpEnabled: false,
      signInAliases: { username: true, email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // Cognito sends this message to verify a new address, and to reset a password.
      userVerification: {
        emailSubject: 'Your confirmation code',
        emailBody: 'Your confirmation code is {####}.',
      },
      // A new address takes effect when the user confirms it. Until then, Cognito uses the old
      // address.
      keepOriginal: { email: true },
      customAttributes: { [testUserAttribute]: new BooleanAttribute({ mutable: false }) },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      // Users can opt in to a second factor. The second factor requires an authenticator app,
      // because text messages cost money and attackers can take over phone numbers.
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      // The cheapest plan includes every feature used here.
      featurePlan: FeaturePlan.LITE,
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicy(stage),
    });

    acknowledgeFindings(this);
    this.client = addClient(this);
    // Retained with the users, because every installed app contains the client's id.
    this.client.applyRemovalPolicy(removalPolicy(stage));
  }
}

function acknowledgeFindings(pool: UserPool): void {
  Validations.of(pool).acknowledge(
    {
      id: 'AwsSolutions-COG2',
      reason: 'Users can opt in to a second factor, which requires an authenticator app.',
    },
    {
      id: 'AwsSolutions-COG8',
      reason:
        'The PLUS plan costs more per monthly active user, and its features are not used here.',
    },
  );
}

const addClient = (pool: UserPool): UserPoolClient =>
  pool.addClient('Client', {
    // An app on a device or in a page cannot keep a secret.
    generateSecret: false,
    // Apps use SRP, which does not send the password. `adminUserPassword` requires AWS credentials.
    authFlows: { userSrp: true, adminUserPassword: true },
    disableOAuth: true,
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    authSessionValidity: Duration.minutes(3),
    idTokenValidity: Duration.hours(tokenHours),
    accessTokenValidity: Duration.hours(tokenHours),
    refreshTokenValidity: Duration.days(refreshTokenDays),
    readAttributes: new ClientAttributes().withStandardAttributes({
      preferredUsername: true,
      profilePicture: true,
      phoneNumber: true,
      phoneNumberVerified: true,
      email: true,
      emailVerified: true,
    }),
    // Excludes the phone number, because it is unverified and other users see it next to messages.
    writeAttributes: new ClientAttributes().withStandardAttributes({
      preferredUsername: true,
      profilePicture: true,
      email: true,
    }),
  });
