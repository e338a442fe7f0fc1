/** What a device in a browser meets over HTTP. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { enrolment } from './web-device/enrolment.ts';
import { pushes } from './web-device/pushes.ts';
import { settings } from './web-device/settings.ts';
import { subscription } from './web-device/subscription.ts';

const stack = useSharedStack();

describe('the settings of web push', () => settings(stack));
describe('the enrolment of a web device', () => enrolment(stack));
describe('the subscription', () => subscription(stack));
describe('a web push', () => pushes(stack));
