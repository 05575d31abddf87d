/**
 * Repairs a call by the words of its refusal or its hints, as an assistant does: by what they name, never by which question
 * it is.
 */
import type { Answer, Call, Input } from './questions.ts';

interface Refusal {
  readonly message: string;
  readonly details?: Readonly<Record<string, readonly string[]>>;
}

/** The next call; null if the answer needs none, or says nothing that helps. */
export function repaired({ tool, input }: Call, answer: Answer): Call | null {
  const { error, hints } = answer as { readonly error?: Refusal; readonly hints?: readonly string[] };
  if (!error) return byHints(tool, input, hints ?? []);
  const meant = /^There is no operation .*; did you mean (\w+)/.exec(error.message)?.[1];
  if (meant) return { tool: meant, input };
  const page = /end at page (\d+)/.exec(error.message)?.[1];
  if (page) return { tool, input: { ...input, page: Number(page) } };
  let next: Input = input;
  for (const [field, messages] of Object.entries(error.details ?? {}))
    for (const message of messages) next = byMessage(next, field, message);
  return next === input ? null : { tool, input: next };
}

/** The first JSON value after words. */
function valueAfter(words: RegExp, message: string): unknown {
  const at = words.exec(message);
  const rest = at ? message.slice(at.index + at[0].length) : '';
  const found = /^(\[.*?\]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)/.exec(rest)?.[0];
  return found === undefined ? undefined : JSON.parse(found);
}

function byMessage(input: Input, field: string, message: string): Input {
  const { [field]: given, ...rest } = input;
  const name = /^unknown field; did you mean (\w+)/.exec(message)?.[1];
  if (name) return { ...rest, [name]: given };
  const swapped = /^(\w+)_min \(.*\) is above \w+_max \(/.exec(message)?.[1];
  if (swapped)
    return { ...input, [`${swapped}_min`]: input[`${swapped}_max`], [`${swapped}_max`]: input[`${swapped}_min`] };
  const loaded = valueAfter(/; loaded: /, message);
  const scope = /^at least one scope is needed: (\w+)/.exec(message)?.[1];
  if (scope && loaded !== undefined) return { ...input, [scope]: loaded };
  const meant = valueAfter(/; did you mean |; write it in quotes: /, message) ?? loaded;
  if (meant !== undefined) return { ...input, [field]: placed(given, message, meant) };
  const [, least, most, found] = /from (-?\d+) to (-?\d+)\b.*found (-?[\d.]+)/.exec(message) ?? [];
  if (found !== undefined) return { ...input, [field]: Math.min(Math.max(Number(found), Number(least)), Number(most)) };
  if (message.includes('YYYY-MM-DD')) return withDate(input, field, String(given));
  const choices = /^expected one of ([\w, ]+), found/.exec(message)?.[1]?.split(', ') ?? [];
  const like = choices.find((one) => String(given).toLowerCase().startsWith(one.charAt(0).toLowerCase()));
  return like === undefined ? input : { ...input, [field]: like };
}

/** In a list, the item that the message names. */
function placed(given: unknown, message: string, meant: unknown): unknown {
  const item = /^item (\d+):/.exec(message)?.[1];
  return item && Array.isArray(given) ? given.with(Number(item) - 1, meant) : meant;
}

function withDate(input: Input, field: string, given: string): Input {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(given) ?? [];
  const iso = year ? `${year}-${month}-${day}` : /^\d{4}$/.test(given) ? `${given}-01-01` : null;
  return iso === null ? input : { ...input, [field]: iso };
}

/** Nothing was found: a value that was meant, or a county that is loaded. */
function byHints(tool: string, input: Input, hints: readonly string[]): Call | null {
  let next = input;
  for (const hint of hints) {
    const field = /^(\w+): no parcel has /.exec(hint)?.[1];
    const found = valueAfter(/: no parcel has /, hint);
    const meant = valueAfter(/; did you mean /, hint);
    if (field && meant !== undefined) {
      const given = next[field];
      next = {
        ...next,
        [field]: Array.isArray(given) ? given.map((one) => (String(one) === found ? meant : one)) : meant,
      };
    }
    const loaded = /^Loaded: (\d{5})/.exec(hint)?.[1];
    const place = ['county', 'fips'].find((one) => one in next);
    if (loaded && place) next = { ...next, [place]: loaded };
  }
  return next === input ? null : { tool, input: next };
}
