/** What the commands call of AWS Backup, over the wire: vaults with recovery points, and jobs that restore them. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export type RecoveryPoint = {
  arn: string;
  /** ARN of the table. */
  table: string;
  /** Milliseconds since 1970. */
  at: number;
  status?: 'COMPLETED' | 'PARTIAL';
};

type Job = { id: string; token: string; point: string; status: string; message?: string };
type StartedJob = {
  RecoveryPointArn: string;
  IdempotencyToken: string;
  Metadata: { targetTableName: string };
};

export type AwsBackup = {
  url: string;
  points: RecoveryPoint[];
  /** Whether AWS Backup has its own backups of DynamoDB tables, which it can copy. */
  managed: boolean;
  /** Jobs by id. */
  jobs: Job[];
  close: () => Promise<void>;
};

/** @param restore makes a table of this name */
export async function startAwsBackup(
  restore: (point: RecoveryPoint, tableName: string) => Promise<void>,
): Promise<AwsBackup> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status >= 400 && { 'x-amzn-errortype': 'ResourceNotFoundException' }),
      });
      response.end(JSON.stringify(body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const service: AwsBackup = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ points: [], managed: true, jobs: [] },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  /** AWS begins a job once for each token. */
  function start({ RecoveryPointArn, IdempotencyToken: token, Metadata }: StartedJob): Job {
    const begun = service.jobs.find((job) => job.token === token);
    if (begun) return begun;
    const point = service.points.find(({ arn }) => arn === RecoveryPointArn);
    if (!point) throw new Error(`There is no recovery point ${RecoveryPointArn}`);
    const job: Job = { id: `job-${service.jobs.length}`, token, point: point.arn, status: 'RUNNING' };
    service.jobs.push(job);
    void restore(point, Metadata.targetTableName).then(
      () => (job.status = 'COMPLETED'),
      (error: unknown) => Object.assign(job, { status: 'FAILED', message: String(error) }),
    );
    return job;
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const { method, url = '' } = request;
    const [path = ''] = url.split('?');
    if (method === 'GET' && path === '/account-settings') {
      const preference = { DynamoDB: service.managed };
      return ok({ ResourceTypeManagementPreference: preference, ResourceTypeOptInPreference: preference });
    }
    if (method === 'GET' && /^\/backup-vaults\/[\w-]+\/recovery-points\/?$/.test(path))
      return ok({
        RecoveryPoints: service.points.map(({ arn, table, at, status = 'COMPLETED' }) => ({
          ...{ RecoveryPointArn: arn, ResourceArn: table, ResourceType: 'DynamoDB' },
          ...{ CreationDate: at / 1_000, Status: status },
        })),
      });
    if (method === 'PUT' && path === '/restore-jobs')
      return ok({ RestoreJobId: start((await json(request)) as StartedJob).id });
    if (method === 'GET' && /^\/restore-jobs\/?$/.test(path))
      return ok({ RestoreJobs: service.jobs.map(described) });
    const job = service.jobs.find(({ id }) => path === `/restore-jobs/${id}`);
    if (method === 'GET' && job) return ok(described(job));
    return { status: 404, body: { message: `${method} ${path} is not part of this stand-in` } };
  }
  return service;
}

const ok = (body: object) => ({ status: 200, body });

const described = ({ id, point, status, message }: Job): object => ({
  ...{ RestoreJobId: id, RecoveryPointArn: point, Status: status, StatusMessage: message },
});
