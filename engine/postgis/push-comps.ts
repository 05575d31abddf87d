/** The comps of a county into PostgreSQL. They are few: where one differs, all are written again. */
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { CompLinks } from './comp-links.ts';
import type { ServerConnection } from './connect.ts';
import { brokenText, type ServerIdentity } from './home-county.ts';
import { compServerColumns } from './server-columns.ts';
import { Spool } from './spool.ts';
import { hashSql, misfit } from './tuple-writer.ts';

const names = compServerColumns.map(({ name }) => `"${name}"`);
const idAt = compServerColumns.findIndex(({ name }) => name === 'comp_id');
const parcelAt = compServerColumns.findIndex(({ name }) => name === 'property_id');
const homeSql = `SELECT ${names.join(', ')} FROM comps WHERE fips = ? ORDER BY comp_id`;
const sumSql = `SELECT count(*) AS n, coalesce(sum(${hashSql(names)}), 0)::text AS sum FROM comps WHERE fips = $1`;

interface PushedComps {
  readonly count: number;
  readonly changed: number;
  /** Comps without their parcel, because the server does not have it. */
  readonly lost: number;
}

/** A home without comps of the county leaves those of the server alone. @throws EngineError push_refused */
export async function pushComps(
  server: ServerConnection,
  file: SqliteFile,
  fips: string,
  identities: ReadonlyMap<number, ServerIdentity>,
): Promise<PushedComps> {
  const [standing = { n: 0, sum: '0' }] = await server.rows<{ n: number; sum: string }>(sumSql, [fips]);
  const links = await CompLinks.of(server, file, fips, identities);
  const spool = new Spool('comps', compServerColumns);
  try {
    let sum = 0n;
    for (const row of file.rawRows(homeSql, fips)) {
      expectFit(file, row);
      row[parcelAt] = links.parcelOf(row[idAt] as string, row[parcelAt] as number | null);
      sum += BigInt(spool.add(row));
    }
    if (spool.rows === 0 || (standing.n === spool.rows && standing.sum === String(sum)))
      return { count: standing.n, changed: 0, lost: links.lost };
    await server.rows('DELETE FROM comps WHERE fips = $1', [fips]);
    await spool.send(server);
    const [arrived] = await server.rows<{ n: number; sum: string }>(sumSql, [fips]);
    if (arrived?.n !== spool.rows || arrived.sum !== String(sum))
      throw new EngineError(
        'push_refused',
        `${counted(spool.rows, 'comp was', 'comps were')} sent, and not those arrived. The county on the server is as it was.`,
      );
    return { count: spool.rows, changed: Math.max(spool.rows, standing.n), lost: links.lost };
  } finally {
    spool.close();
  }
}

function expectFit(file: SqliteFile, row: readonly unknown[]): void {
  for (const [place, { name, type }] of compServerColumns.entries()) {
    const value = row[place];
    if (value === null) continue;
    const why = misfit(type, value) ?? brokenText(file, 'comps', 'comp_id', row[idAt], name, value);
    if (why)
      throw new EngineError(
        'push_refused',
        `Comp ${JSON.stringify(row[idAt])}, ${name}: ${why}. The county on the server is as it was.`,
      );
  }
}
