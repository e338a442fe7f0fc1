/** Importing this module also registers both elements. */
export type { Outcome } from './confirmation/state.ts';
export type { ConfirmationTexts } from './confirmation/texts/texts.ts';
export { OmiConfirmationElement } from './confirmation-element.ts';
export type { EnrolmentTexts } from './enrolment/texts/texts.ts';
export { OmiEnrolmentElement } from './enrolment-element.ts';

import './confirmation-element-define.ts';
import './enrolment-element-define.ts';
