/** Chooses a command's home, and opens it while the command runs. */
import fs from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { homeFolder } from '../home-folder.ts';
import { openHomeAtStart } from '../open-home.ts';
import { EngineError } from '../spec/errors.ts';
import { faultText, type Output } from './output.ts';

/** The folder, and whether the user named it. */
export function chosenHome(command: Command): { folder: string; named: boolean } {
  const option = command.optsWithGlobals<{ home?: string }>().home;
  const env = option === undefined ? process.env : { ...process.env, PLATBOOK_HOME: option };
  return {
    folder: homeFolder({ platform: process.platform, env, userFolder: os.homedir() }),
    named: Boolean(env.PLATBOOK_HOME),
  };
}

export function openHome(home: string, output: Output): Engine {
  return openHomeAtStart(
    {
      home,
      log: (line) => output.note(faultText(line)),
    },
    { tell: (sentence) => output.note(sentence) },
  );
}

/** A read-only command must not create a home in a misspelled folder. */
export function requireHome(command: Command): void {
  const { folder } = chosenHome(command);
  if (fs.existsSync(folder)) return;
  throw new EngineError(
    'home_missing',
    `There is no home in ${folder}. "platbook import parcels" or "platbook sample" makes one.`,
  );
}

/** Opens the chosen home, runs `work`, and always closes it. */
export async function withEngine<Result>(
  command: Command,
  output: Output,
  work: (engine: Engine) => Result | Promise<Result>,
): Promise<Result> {
  const engine = openHome(chosenHome(command).folder, output);
  try {
    return await work(engine);
  } finally {
    engine.close();
  }
}
