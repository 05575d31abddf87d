/** An assistant knows a county by its name, and not always which ones are loaded: a refusal says their codes. */
import type { Caller, Engine } from '../engine.ts';
import { type OutputOf, operationsByName } from '../operations/index.ts';
import { type EngineError, type ErrorDetails, nonFieldErrors, validationError } from '../spec/errors.ts';

const countyFields = ['county', 'counties', 'fips'];

const mostNamed = 5;

interface LoadedCounty {
  readonly fips: string;
  readonly county_name: string | null;
  readonly state: string | null;
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/,.*$/, '')
    .replace(/\b(county|parish|borough)\b/g, '')
    .trim();

/** The error with the codes of the counties that its message asks for: those of that name, else those that are loaded. */
export async function withCounties(
  engine: Engine,
  name: string,
  input: object,
  error: EngineError,
  caller: Caller,
): Promise<EngineError> {
  if (error.code !== 'validation_error' || !error.details) return error;
  const known = operationsByName.get(name)?.input.properties ?? {};
  const details: ErrorDetails = { ...error.details };
  for (const [field, other] of [['county', 'fips'] as const, ['fips', 'county'] as const])
    if (details[field] && !(field in known) && other in known)
      details[field] = [`unknown field; did you mean ${other}?`];
  const isScopeMissing = details[nonFieldErrors]?.some((message) => message.includes('scope')) ?? false;
  const asked = countyFields.filter((field) => details[field] && field in known);
  const fields = [...asked, ...(isScopeMissing ? [nonFieldErrors] : [])];
  const loaded = fields.length === 0 ? [] : await loadedCounties(engine, caller);
  if (loaded.length > 0)
    for (const field of fields) details[field] = (details[field] ?? []).map((one) => one + words(input, field, loaded));
  return validationError(details);
}

function words(input: object, field: string, loaded: readonly LoadedCounty[]): string {
  const given = [(input as Record<string, unknown>)[field]]
    .flat()
    .filter((one) => typeof one === 'string')
    .map(plain);
  const meant = loaded.filter(({ county_name: name }) => name !== null && given.includes(plain(name)));
  const named = (counties: readonly LoadedCounty[]) =>
    counties
      .slice(0, mostNamed)
      .map(({ fips, county_name: name, state }) => `"${fips}" (${[name, state].filter(Boolean).join(', ')})`);
  return meant.length > 0 ? `; did you mean ${named(meant).join(' or ')}?` : `; loaded: ${named(loaded).join(', ')}`;
}

/** Each county once; none where the key may not read. */
async function loadedCounties(engine: Engine, caller: Caller): Promise<LoadedCounty[]> {
  try {
    const { data } = await engine.callUnchecked('list_datasets', {}, { ...caller, isFree: true });
    const { datasets } = data as OutputOf<'list_datasets'>;
    return [...new Map(datasets.map((one) => [one.fips, one])).values()];
  } catch {
    return [];
  }
}
