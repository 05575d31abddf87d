/** The server that a command names: opens a connection for it, and closes it. */
import os from 'node:os';
import process from 'node:process';
import { type ServerAccess, ServerConnection } from '../postgis/connect.ts';
import { passwordFile } from '../postgis/password-file.ts';
import { parseServerAddress } from '../postgis/server-address.ts';
import type { PasswordFlags } from './land-option.ts';

/** As PostgreSQL's own programs take a password: from PGPASSWORD, or from the file that PGPASSFILE names. */
export function serverAccess({ allowPlainPassword = false }: PasswordFlags): ServerAccess {
  const { env } = process;
  return {
    allowPlainPassword,
    passwordFile: passwordFile(env, os.homedir()),
    ...(env.PGPASSWORD !== undefined && { password: env.PGPASSWORD }),
  };
}

/** @throws EngineError usage, postgis_… */
export async function withServer<Result>(
  address: string,
  flags: PasswordFlags,
  work: (server: ServerConnection) => Promise<Result>,
): Promise<Result> {
  const server = new ServerConnection(parseServerAddress(address), serverAccess(flags));
  try {
    await server.open();
    return await work(server);
  } finally {
    await server.close();
  }
}
