export type { Action, ApprovalRequest, Arguments } from './actions/action.ts';
export type { Detail } from './omi/question.ts';
