import * as v from 'valibot';
import { noticeVariables } from '../../core/lambda/notice-environment.ts';

export const environment = v.omit(noticeVariables, ['EVENTS_TABLE']);
