import { Aws, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { factsOf, type LambdaName } from '../../lambdas/registered.ts';
import type { ServiceFunction } from './service-function.ts';

export type NoticesProps = { mailFrom?: string | undefined };

/** How people are told of exports: mails by SES, and events on the default event bus of the account. */
export class Notices extends Construct {
  readonly #mailFrom: string | undefined;

  constructor(scope: Construct, id: string, { mailFrom }: NoticesProps) {
    super(scope, id);
    this.#mailFrom = mailFrom;
  }

  get variables() {
    return { MAIL_FROM: this.#mailFrom };
  }

  /** Grants the Lambda what its definition states. */
  serve(lambda: ServiceFunction<LambdaName>): void {
    const { mail, operatorBus } = factsOf(lambda.name);
    if (mail && this.#mailFrom !== undefined) this.#letSend(lambda, this.#mailFrom);
    if (operatorBus) lambda.allow(['events:PutEvents'], [this.#arn('events', 'event-bus', 'default')]);
  }

  /** SES asks for the identity that it verified, which is the address or its domain. */
  #letSend(lambda: ServiceFunction, from: string): void {
    const [, domain = ''] = from.split('@');
    const identities = [from, domain].map((name) => this.#arn('ses', 'identity', name));
    lambda.allow(['ses:SendEmail'], identities, { StringEquals: { 'ses:FromAddress': from } });
  }

  #arn(service: string, resource: string, resourceName: string): string {
    return Stack.of(this).formatArn({ service, account: Aws.ACCOUNT_ID, resource, resourceName });
  }
}
