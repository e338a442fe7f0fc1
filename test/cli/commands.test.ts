/** What an operator does with a running service. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { clients } from './commands/clients.ts';
import { cloud } from './commands/cloud.ts';
import { contacts } from './commands/contacts.ts';
import { devices } from './commands/devices.ts';
import { doctor } from './commands/doctor.ts';
import { eventFiles } from './commands/event-files.ts';
import { externalIds } from './commands/external-ids.ts';
import { manyTenants } from './commands/many-tenants.ts';
import { confirmations } from './commands/confirmations.ts';
import { registrations } from './commands/registrations.ts';
import { replays } from './commands/replays.ts';
import { targets } from './commands/targets.ts';
import { testCallbacks } from './commands/test-callbacks.ts';
import { tenantStates } from './commands/tenant-states.ts';
import { tenants } from './commands/tenants.ts';
import { trace } from './commands/trace.ts';
import { users } from './commands/users.ts';
import { webhooks } from './commands/webhooks.ts';

// The targets that others leave behind would fail the checks of doctor.
const stack = useExclusiveStack({ untouched: 'everything' });

// Before the others, which leave targets behind that fail the checks of doctor.
describe('omi doctor', () => doctor(stack));
describe('tenants', () => tenants(stack));
describe('many tenants', () => manyTenants(stack));
describe('contacts of tenants', () => contacts(stack));
describe('a suspended or deleted tenant', () => tenantStates(stack));
describe('clients', () => clients(stack));
describe('client registrations', () => registrations(stack));
describe('test callbacks', () => testCallbacks(stack));
describe('targets', () => targets(stack));
describe('external ids', () => externalIds(stack));
describe('target webhooks', () => webhooks(stack));
describe('a replay', () => replays(stack));
describe('an export of events to a file', () => eventFiles(stack));
describe('omi device', () => devices(stack));
describe('omi confirmation', () => confirmations(stack));
describe('omi user', () => users(stack));
describe('the trace of a call', () => trace(stack));
describe('a deployment in the cloud', () => cloud(stack));
