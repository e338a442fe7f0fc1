import { OmiEnrolmentElement } from './enrolment-element.ts';
import { define } from './render/define.ts';

define('omi-enrolment', OmiEnrolmentElement);

declare global {
  interface HTMLElementTagNameMap {
    'omi-enrolment': OmiEnrolmentElement;
  }
  interface HTMLElementEventMap {
    'omi-enrolled': CustomEvent<{ device: unknown }>;
    'omi-problem': CustomEvent<{ code: string }>;
  }
}
