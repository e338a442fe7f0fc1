import * as v from 'valibot';
import { streamDestination } from '../../core/export/kinds/stream/record.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, numberOption, regionalArn, typeOption } from '../options.ts';
import { requireKnownTypes } from '../event-types.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/profile-store.ts';
import {
  exampleExternalId,
  exampleRole,
  externalIdOption,
  type ExternalIdOptions,
  newExternalIdOption,
  requireExternalId,
  roleArnOption,
} from './external-ids.ts';
import { registerTarget } from './register-target.ts';
import { refOf, type TargetOptions } from './target-record.ts';

const { entries: fields } = streamDestination;

const exampleStream = 'arn:aws:kinesis:eu-central-1:111122223333:stream/events';

export const streamArnOption = (description: string) =>
  checkedOption('--stream-arn <arn>', description, regionalArn(fields.streamArn), {
    expected: 'the ARN of a Kinesis data stream',
    example: exampleStream,
  });

type Options = TargetOptions &
  ExternalIdOptions & { streamArn: string; roleArn: string; lanes?: number; type?: string[] };

const exampleTarget = `${exampleTenant} public --stream-arn ${exampleStream} --role-arn ${exampleRole}`;

export const setStreamCommand = defineCommand<Options>({
  name: 'stream',
  description: 'Exports a category to a Kinesis data stream of the tenant.',
  ids: [tenantId, categoryId],
  options: [
    streamArnOption("the tenant's data stream").makeOptionMandatory(),
    roleArnOption("the role in the tenant's account that may write to the stream").makeOptionMandatory(),
    externalIdOption("the tenant's random string (default: the target's current one)"),
    newExternalIdOption(),
    numberOption('--lanes <count>', 'ordering lanes; each can fill a shard (default: 2)', {
      from: 1,
      to: 128,
      example: 2,
    }),
    typeOption('only events of these types (default: all)'),
  ],
  examples: [
    `target set stream ${exampleTarget} --external-id ${exampleExternalId}`,
    `target set stream ${exampleTarget} --new-external-id --type UserSignedInEvent`,
  ],
  run: setStream,
});

async function setStream(session: Session, options: Options): Promise<void> {
  requireKnownTypes(options);
  const deployment = await session.deployment();
  await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const externalId = await requireExternalId(deployment, ref, options);
  const { streamArn, roleArn, lanes, type } = options;
  const stream = v.parse(streamDestination, { kind: 'stream', streamArn, roleArn, externalId, lanes });
  await registerTarget(session, deployment, ref, { destination: stream, types: type });
}
