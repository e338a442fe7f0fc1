import { noticeVariables } from '../../core/lambda/notice-environment.ts';

export const environment = noticeVariables;
