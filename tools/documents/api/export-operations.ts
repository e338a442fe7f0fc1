import { categoryPath, deliveriesQuery } from '../../../core/http/request-schemas.ts';
import type { TenantLambda } from '../../../lambdas/routes.ts';
import { requestLimits } from '../../../core/export/targets/request-limit-store.ts';
import { exportPath, exportsQuery, replayPath } from '../../../core/http/export-request.ts';
import { exampleExportRequests, exampleExports } from './export-examples.ts';
import { ledgerOperations } from './ledger-operations.ts';
import { logOperations } from './log-operations.ts';
import type { WebsiteOperation } from './operation.ts';

const example = (summary: string, value: unknown) => ({ summary, value });

/** A body may be left out. A member in it is refused. */
const noBody: WebsiteOperation['body'] = {
  schema: 'NoMembers',
  isOptional: true,
  examples: { empty: example('As good as no body', {}) },
};

/** By which tenants see and steer their own export. */
export const exportOperations: Record<TenantLambda, WebsiteOperation> = {
  'list-exports': {
    tag: 'exports',
    summary: 'List your exports',
    description:
      "Where your tenant's events go, in which state each export is, why, and what has to be done by whom. The counts are about right: " +
      'the ledger is exact.\n\n' +
      'With `samples=true` each export also has an event of each type that it gets.',
    query: exportsQuery,
    success: {
      status: 200,
      description:
        'At most one export for each category. A category without an export has never had a destination.',
      content: {
        schema: 'ExportList',
        examples: {
          active: example('A stream and a bucket, both active', exampleExports.listed),
          refused: example('The role may not write any more', exampleExports.refused),
        },
      },
    },
  },
  'test-export': {
    tag: 'exports',
    summary: 'Test an export',
    description:
      'Asks for a test of what the service needs to deliver: the role, the policies, the key, the bucket, or the answer of your URL. A test takes a few ' +
      'seconds. Poll `listExports` until `lastTest` has ended and its `requestedAt` is not older than the one of this answer.\n\n' +
      'A bucket is proven to be yours before its first event: the service writes a text into it, and `reason` names the object. Pass the text as `proof`.\n\n' +
      'With `type` the service also sends an event of this type when the test has passed. Consumers know it by its `producerId`, `omi-test`, and neither ledger nor log has it. `lastTest.event` has its id. If the destination refuses it, ' +
      'the test has failed; the export goes on as before, and the event is not sent again.\n\n' +
      `At most ${requestLimits.tests} tests in any hour for each export. The service also tests by itself, daily and after a failure.`,
    path: exportPath,
    body: {
      schema: 'TestRequest',
      isOptional: true,
      examples: {
        test: example('A test', {}),
        event: example('A test with an event', exampleExportRequests.testEvent),
        proof: example('The text that the service wrote into the bucket', exampleExportRequests.proof),
      },
    },
    success: {
      status: 202,
      description: 'The export. Its test waits.',
      content: {
        schema: 'Export',
        examples: { waiting: example('The test waits', exampleExports.waitingForTest) },
      },
    },
  },
  'pause-export': {
    tag: 'exports',
    summary: 'Pause an export',
    description:
      'Events wait until the export is resumed, by you or by the operator. Events that wait for more than 14 days are lost.\n\n' +
      'Safe to repeat. What the operator paused stays paused by the operator.',
    path: exportPath,
    body: noBody,
    success: {
      status: 200,
      description: 'The export, which is paused.',
      content: { schema: 'Export', examples: { paused: example('Paused', exampleExports.paused) } },
    },
  },
  'resume-export': {
    tag: 'exports',
    summary: 'Resume an export',
    description:
      'The events that waited are delivered first, in order. Only the operator can resume what the operator paused.\n\n' +
      'Safe to repeat.',
    path: exportPath,
    body: noBody,
    success: {
      status: 200,
      description: 'The export. It is `degraded` while events wait, and `active` otherwise.',
      content: { schema: 'Export', examples: { active: example('No event waited', exampleExports.active) } },
    },
  },
  'start-replay': {
    tag: 'exports',
    summary: 'Send events again',
    description:
      'Sends events that were accepted in a time range to the destination again. They keep their ids and their order, so consumers drop what they already ' +
      'have. Only types that the export has are sent. With `eventIds`, only these events of the range are. New events do not wait for a replay.\n\n' +
      `At most ${requestLimits.replays} replays in any hour for each export. Not idempotent: a repeated call is another replay.\n\n` +
      'Checked in this order: the path, the body and the range (400), the export (404, 409), the limit (429).',
    path: exportPath,
    body: {
      schema: 'ReplayRequest',
      examples: {
        replay: example('Sign-ins of two hours', exampleExportRequests.replay),
        one: example('One event of two hours', exampleExportRequests.replayOfOne),
      },
    },
    success: {
      status: 202,
      description: 'The replay, which runs. Poll `getReplay`.',
      content: {
        schema: 'Replay',
        examples: { running: example('It begins', exampleExports.replayStarted) },
      },
    },
  },
  'get-replay': {
    tag: 'exports',
    summary: 'Poll a replay',
    description: 'Poll every few seconds. A replay waits while the destination takes no events.',
    path: replayPath,
    success: {
      status: 200,
      description: 'How far the replay is.',
      content: {
        schema: 'Replay',
        examples: {
          running: example('It begins', exampleExports.replayStarted),
          done: example('Everything is queued', exampleExports.replayDone),
        },
      },
    },
  },
  'list-deliveries': {
    tag: 'exports',
    summary: 'List the last deliveries',
    description:
      'The last attempts to deliver events of the export, newest first: when, how long, what the destination answered, and which events. Kept for 3 days. Every ' +
      'attempt that failed is listed, and one success a minute at most. Repeat the call with `cursor` for the next page.',
    path: categoryPath,
    query: deliveriesQuery,
    success: {
      status: 200,
      description: 'A page of attempts. The last page has no `cursor`.',
      content: {
        schema: 'Deliveries',
        examples: {
          refused: example('A receiver that refuses, and did not before', exampleExports.deliveries),
        },
      },
    },
  },
  ...ledgerOperations,
  ...logOperations,
};
