/** `--land postgres://…`: operations answered by the land of a server; account and people stay in the home. */
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { chosenHome, openHome, withEngine } from './home.ts';
import type { Output } from './output.ts';

const password =
  'The password stands in the file that PGPASSFILE names (~/.pgpass), or in PGPASSWORD, never in the address.';

export const landOption = [
  '--land <address>',
  'read the land from PostgreSQL, postgres://user@host/database; account and contacts stay in the home',
] as const;

export const plainPasswordOption = [
  '--allow-plain-password',
  'give the password without encryption to a server that does not know scram-sha-256',
] as const;

export interface PasswordFlags {
  readonly allowPlainPassword?: boolean;
}

export const landHelp = `\n${password}`;

export interface LandFlags extends PasswordFlags {
  readonly land?: string;
  /** Memory for counties; 0, where one question alone is asked. */
  readonly keptBytes?: number;
}

type Work = (engine: Engine) => Promise<void>;

/**
 * Opens the home, and with `--land` a connection, which is the only one to another program.
 * @throws EngineError usage for an address with a password; postgis_…; home_missing
 */
export async function withLand(command: Command, output: Output, flags: LandFlags, work: Work): Promise<void> {
  const { land, keptBytes } = flags;
  if (land === undefined) return withEngine(command, output, work);
  // Loaded only for this option: the driver is a package of its own.
  const { serverAccess } = await import('./land-server.ts');
  const { parseServerAddress } = await import('../postgis/server-address.ts');
  const { PostgisLand } = await import('../postgis/postgis-land.ts');
  const server = new PostgisLand(parseServerAddress(land), serverAccess(flags), keptBytes);
  try {
    await server.expect();
    const engine = openHome(chosenHome(command).folder, output, { create: true, land: server });
    try {
      await work(engine);
    } finally {
      engine.close();
    }
  } finally {
    await server.close();
  }
}
