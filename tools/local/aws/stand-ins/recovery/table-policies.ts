import { accessKeyOf } from '../../endpoint/caller.ts';
import type { AwsRequest } from '../../endpoint/http.ts';
import { accountId } from '../../identity.ts';
import { dynamodb } from '../../protocols/dynamodb.ts';
import type { JsonObject } from '../../protocols/json.ts';
import { isAllowed, type Log } from '../iam/evaluation.ts';
import { parsePolicy, type Policy } from '../iam/policy.ts';
import type { Sessions } from '../sts/sessions.ts';

const tableIn = (input: JsonObject): string => String(input['ResourceArn']).split('/')[1] ?? '';

/** In the ARNs of DynamoDB Local. */
const regionOfEmulator = 'ddblocal';

/** What policies of identities allow here. */
const everything: Policy = [
  { effect: 'Allow', principals: { AWS: ['*'] }, actions: ['*'], resources: undefined, conditions: [] },
];

/** The resource policies of tables. */
export class TablePolicies {
  readonly #policies = new Map<string, Policy>();
  readonly #sessions: Pick<Sessions, 'identify'>;
  readonly #log: Log;

  constructor(sessions: Pick<Sessions, 'identify'>, log: Log) {
    this.#sessions = sessions;
    this.#log = log;
  }

  readonly operations: Record<string, (input: JsonObject) => Promise<JsonObject>> = {
    PutResourcePolicy: async (input) => {
      this.#policies.set(tableIn(input), parsePolicy(String(input['Policy']), 'resource'));
      return await Promise.resolve({ RevisionId: '1' });
    },
  };

  /** Policies of streams are their own. */
  refuses(request: AwsRequest): boolean {
    if (this.#policies.size === 0) return false;
    const { operation, resources, parts } = dynamodb.describe(request);
    const { account, principalArn, arn } = this.#sessions.identify(accessKeyOf(request));
    const calls = parts ?? resources.map((resource) => ({ operation, resource }));
    return calls.some(({ operation: name, resource }) => {
      const policy = this.#policies.get(resource.split('/')[0] ?? '');
      const isOfStream = /Stream|^GetRecords$|^GetShardIterator$/.test(name);
      if (!policy || isOfStream) return false;
      const asked = {
        action: `dynamodb:${name}`,
        resource: `arn:aws:dynamodb:${regionOfEmulator}:${accountId}:table/${resource}`,
        context: { 'aws:PrincipalArn': principalArn },
        caller: { account, principalArn, arn },
      };
      return !isAllowed([everything, policy], asked, this.#log);
    });
  }
}
