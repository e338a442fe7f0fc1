/** What an operator does with a running service. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { clients } from './commands/clients.ts';
import { cloud } from './commands/cloud.ts';
import { devices } from './commands/devices.ts';
import { doctor } from './commands/doctor.ts';
import { eventFiles } from './commands/event-files.ts';
import { examples } from './commands/examples.ts';
import { externalIds } from './commands/external-ids.ts';
import { malformedTargets } from './commands/malformed-targets.ts';
import { notifications } from './commands/notifications.ts';
import { registrations } from './commands/registrations.ts';
import { replays } from './commands/replays.ts';
import { targets } from './commands/targets.ts';
import { testCallbacks } from './commands/test-callbacks.ts';
import { tenantStates } from './commands/tenant-states.ts';
import { tenants } from './commands/tenants.ts';
import { users } from './commands/users.ts';
import { webhooks } from './commands/webhooks.ts';

// The targets that others leave behind would fail the checks of doctor.
const stack = useExclusiveStack({ untouched: 'everything' });

// Before the others, which leave targets behind that fail the checks of doctor.
describe('doctor', () => doctor(stack));
describe('the examples of the help', () => examples(stack));
describe('tenants', () => tenants(stack));
describe('states of a tenant', () => tenantStates(stack));
describe('clients', () => clients(stack));
describe('registrations of clients', () => registrations(stack));
describe('call-backs of clients', () => testCallbacks(stack));
describe('targets', () => targets(stack));
describe('external ids', () => externalIds(stack));
describe('malformed targets', () => malformedTargets(stack));
describe('webhooks', () => webhooks(stack));
describe('replays', () => replays(stack));
describe('files of events', () => eventFiles(stack));
describe('devices', () => devices(stack));
describe('notifications', () => notifications(stack));
describe('users', () => users(stack));
describe('a deployment in the cloud', () => cloud(stack));
