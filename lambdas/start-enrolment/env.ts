import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { ENROLMENTS_TABLE, BASE_URL, APP_LINK } = variables;

export const environment = v.object({ ENROLMENTS_TABLE, BASE_URL, APP_LINK });

export type Environment = v.InferOutput<typeof environment>;
