/** Formats and coordinate systems as people name them. */
import { formatLabel } from '../../engine/spec/import-formats.ts';
import type { LookedLayer } from '../../engine/work/import-answers.ts';

export const formatName = (format: LookedLayer['format']): string => formatLabel(format);

const plainDegrees = 'latitude and longitude (WGS84)';
const isWgs84 = /^(?:GCS_)?WGS[_ ]?(?:19)?84$/;

export const systemWords = ({ name, code }: NonNullable<LookedLayer['system']>): string => {
  if (code === 4326 || isWgs84.test(name)) return plainDegrees;
  const plain = name.replaceAll('_', ' ');
  return code === null || name.includes(String(code)) ? plain : `${plain} (EPSG:${code})`;
};

/** What becomes of the places of a file, in a sentence of its own. */
export function systemSentence(system: LookedLayer['system']): string {
  if (!system) return '';
  const words = systemWords(system);
  return words === plainDegrees ? ` In ${words}.` : ` ${words}, turned to WGS84.`;
}
