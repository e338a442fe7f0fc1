import { OmiEnrolmentElement } from './enrolment-element.ts';
import { define } from './render/define.ts';

define('omi-enrolment', OmiEnrolmentElement);

declare global {
  interface HTMLElementTagNameMap {
    'omi-enrolment': OmiEnrolmentElement;
  }
}
