/** Headers as they came. `request.headers` joins or drops repeated ones, and a guard must see them. */
import type { IncomingMessage } from 'node:http';

/** Every value of a header, in the order sent. @param name in lower case */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) values.push(request.rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** One to 128 characters that can be seen: no spaces, no controls, nothing that could break a log or a header. */
export const isVisibleText = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);
