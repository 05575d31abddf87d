/** Formats and coordinate systems as people name them. */
import { formatLabel } from '../../engine/spec/import-formats.ts';
import type { LookedLayer } from '../../engine/work/import-answers.ts';

export const formatName = (format: LookedLayer['format']): string => formatLabel(format);

export const systemWords = ({ name, code }: NonNullable<LookedLayer['system']>): string =>
  code === null || name.includes(String(code)) ? name : `${name} (EPSG:${code})`;
