/**
 * The password of a connection, out of the file that PGPASSFILE names
 * (https://www.postgresql.org/docs/current/libpq-pgpass.html): lines of host:port:database:user:password.
 */
import fs from 'node:fs';
import path from 'node:path';

interface Wanted {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** Fields of a line; a backslash keeps the character behind it. */
function fieldsOf(line: string): string[] {
  const fields = [''];
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (letter === ':') fields.push('');
    else fields[fields.length - 1] += letter === '\\' ? (line[++at] ?? '') : letter;
  }
  return fields;
}

/** As in PostgreSQL's own programs, a socket counts as localhost, and a file that others can read is not used. */
export function passwordFromFile(file: string, { host, port, database, user }: Wanted): string | undefined {
  const status = fs.statSync(file, { throwIfNoEntry: false });
  if (!status?.isFile() || (process.platform !== 'win32' && (status.mode & 0o077) !== 0)) return undefined;
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of fs.readFileSync(file, 'utf8').split(/\r?\n/)) {
    const fields = fieldsOf(line);
    if (line.startsWith('#') || fields.length < 5) continue;
    if (wanted.every((value, place) => fields[place] === '*' || fields[place] === value)) return fields[4];
  }
  return undefined;
}

/** Where PostgreSQL's own programs look. */
export const passwordFile = (env: NodeJS.ProcessEnv, userFolder: string): string =>
  env.PGPASSFILE ||
  (env.APPDATA && process.platform === 'win32'
    ? path.join(env.APPDATA, 'postgresql', 'pgpass.conf')
    : path.join(userFolder, '.pgpass'));
