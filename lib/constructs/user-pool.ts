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
import { refreshTokenDays, tokenHours } from '../lifetimes.ts';
import type { Stage } from '../stages.ts';
import { removalPolicy } from './removal-policy.ts';
import { testUserAttribute } from './test-user-attribute.ts';

/**
 * The people of a stage: whoever signs in is a contact, by the `sub` that Cognito gave them, and the pool's groups are the
 * groups of conversations. What cannot be changed later without losing everybody is chosen here once: how one signs in,
 * and that letter case makes no difference.
 */
export class MessagingUserPool extends UserPool {
  /** What apps sign in with, and `npm run token`. */
  readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      // Whoever has an account can write to everybody whose id they know, so accounts are given out by whoever runs the
      // service. An app that is open to the public sets this to true, and thinks of how to keep out spam.
      selfSignUpEnabled: false,
      signInAliases: { username: true, email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // Sent to confirm a new address, and when a password is forgotten.
      userVerification: {
        emailSubject: 'Your confirmation code',
        emailBody: 'Your confirmation code is {####}.',
      },
      // A new address counts once it is confirmed; until then the old one gets the mail.
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
      // For each person to choose, with an authenticator app. Not by text message: those cost, and numbers are stolen.
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      // All that is used here is in the cheapest plan. Threat protection is in PLUS, for each active user a month.
      featurePlan: FeaturePlan.LITE,
      deletionProtection: stage.keepsData,
      removalPolicy: removalPolicy(stage),
    });

    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'A second factor is for each person to choose, and asks for an authenticator app.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason: 'The PLUS plan costs for each active user a month; nothing of it is used here.',
      },
    );

    this.client = this.addClient('Client', {
      // An app on somebody's phone or in a page cannot keep a secret.
      generateSecret: false,
      // Apps prove that they know the password and do not send it (SRP). The other way in takes AWS credentials.
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
      // Not the phone number: others see it beside messages, and nothing here confirms it.
      writeAttributes: new ClientAttributes().withStandardAttributes({
        preferredUsername: true,
        profilePicture: true,
        email: true,
      }),
    });
    // Its id is in every installed app.
    this.client.applyRemovalPolicy(removalPolicy(stage));
  }
}
