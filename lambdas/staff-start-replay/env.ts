import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.pick(exportVariables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'REPLAYS_QUEUE_URL']);
