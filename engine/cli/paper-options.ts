/** Options that all printed maps share. */
import { EngineError } from '../spec/errors.ts';
import { type PaperName, paperNames } from '../spec/sheet-paper.ts';
import { nearNames } from '../spec/validate.ts';

const usage = (message: string): EngineError => new EngineError('usage', message);

/** @throws EngineError usage */
export function paperOf(name: string): PaperName {
  const found = paperNames.find((one) => one === name.toLowerCase());
  if (found) return found;
  const [near] = nearNames(name.toLowerCase(), paperNames);
  throw usage(
    `--paper: expected ${paperNames.join(', ')}, found ${JSON.stringify(name)}${near ? `; did you mean ${near}?` : ''}`,
  );
}

/** @throws EngineError usage */
export function parseScale(text: string): number {
  const number = Number(text.replace(/^1:/, '').replaceAll(',', ''));
  if (Number.isInteger(number)) return number;
  throw usage(`--scale: expected a number like 6000 or 1:6,000, found ${JSON.stringify(text)}`);
}
