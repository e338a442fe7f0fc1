import { DeviceStore } from '../../core/adapters/device-store.ts';
import { DeviceRules } from '../../core/adapters/device-rules.ts';
import { documentClient } from '../../core/adapters/dynamodb.ts';
import { EnrolmentStore } from '../../core/adapters/enrolment-store.ts';
import { parseEnvironment } from '../../core/environment.ts';
import { signedLambda } from '../../core/http/lambda.ts';
import { ledger, pushGateway } from '../../core/wiring.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const enrolments = new EnrolmentStore(client, env.ENROLMENTS_TABLE);
const devices = new DeviceStore(client, env.DEVICES_TABLE);
const rules = new DeviceRules(client, env.TENANTS_TABLE);
const deps = { enrolments, devices, rules, ledger: ledger(client, env), gateway: pushGateway(env) };

export const handler = signedLambda(createHandler({ ...deps, baseUrl: env.BASE_URL }));
