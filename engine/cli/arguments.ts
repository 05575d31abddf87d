/** Arguments that several commands read alike. */
import { EngineError } from '../spec/errors.ts';
import { normalFips } from '../spec/value-schemas.ts';

/** `8023` → `08023`. @throws EngineError usage */
export function parseFips(text: string): string {
  if (!/^\d{4,5}$/.test(text))
    throw new EngineError('usage', `expected a county FIPS code of 4 or 5 digits, found ${JSON.stringify(text)}`);
  return normalFips(text);
}
