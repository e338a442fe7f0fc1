/**
 * What makes an event bus a target. Nothing here reads its arguments, so they may be placeholders that a CloudFormation
 * template fills in.
 */
import type { Statement } from '../policies/policy-document.ts';

/** The description tells whether the bus is there; nothing is ever read from it. */
export const busWriting = (busArn: string): Statement => ({
  Sid: 'SendToTheBus',
  Effect: 'Allow',
  Action: ['events:PutEvents', 'events:DescribeEventBus'],
  Resource: busArn,
});
