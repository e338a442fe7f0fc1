import * as v from 'valibot';
import { streamDestination } from '../../core/export/kinds/stream/record.ts';
import { defineCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, numberOption, regionalArn, typeOption } from '../options.ts';
import type { Session } from '../session.ts';
import { exampleExternalId, exampleRole } from './external-ids.ts';
import { registerRoleTarget, roleOptions, type RoleTargetOptions } from './role-target.ts';

const { entries: fields } = streamDestination;

const exampleStream = 'arn:aws:kinesis:eu-central-1:111122223333:stream/events';

export const streamArnOption = (description: string) =>
  checkedOption('--stream-arn <arn>', description, regionalArn(fields.streamArn), {
    expected: 'the ARN of a Kinesis data stream',
    example: exampleStream,
  });

type Options = RoleTargetOptions & { streamArn: string; lanes?: number };

const exampleTarget = `${exampleTenant} public --stream-arn ${exampleStream} --role-arn ${exampleRole}`;

export const setStreamCommand = defineCommand<Options>({
  name: 'stream',
  description: 'Exports a category to a Kinesis data stream of the tenant.',
  ids: [tenantId, categoryId],
  options: [
    streamArnOption("the tenant's data stream").makeOptionMandatory(),
    ...roleOptions('write to the stream'),
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
  const { streamArn, roleArn, lanes } = options;
  await registerRoleTarget(session, options, (externalId) =>
    v.parse(streamDestination, { kind: 'stream', streamArn, roleArn, externalId, lanes }),
  );
}
