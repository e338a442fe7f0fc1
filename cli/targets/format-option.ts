import { Option } from 'commander';
import { format } from '../../core/export/kinds/record-fields.ts';

const formats = format.wrapped.options;

export type FormatOptions = { format?: (typeof formats)[number] };

export const formatOption = (): Option =>
  new Option('--format <format>', 'how events are written (default: as they were recorded)').choices(formats);
