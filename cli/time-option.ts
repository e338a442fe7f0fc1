import type { Option } from 'commander';
import { timestamp } from '../core/kernel/timestamp.ts';
import { checkedOption } from './options.ts';

/** A required time, in milliseconds since 1970. */
export const timeOption = (flags: string, description: string): Option =>
  checkedOption(flags, description, timestamp, {
    expected: 'a time with Z or an offset',
    example: '2026-03-01T08:30:00Z',
  }).makeOptionMandatory();
