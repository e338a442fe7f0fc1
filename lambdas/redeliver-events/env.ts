import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.omit(exportVariables, ['EVENTS_TABLE', 'LOG_TABLE', 'REPLAYS_QUEUE_URL']);
