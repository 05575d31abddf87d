/** Chooses a command's home, and opens it while the command runs. */
import os from 'node:os';
import process from 'node:process';
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { homeFolder } from '../home-folder.ts';
import type { LandReader } from '../land/land-reader.ts';
import { openHomeAtStart } from '../open-home.ts';
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

interface OpenOptions {
  /** Makes the home if it does not exist. */
  readonly create?: boolean;
  /** For programs that stay. */
  readonly keepsMarkets?: boolean;
  /** The sample's home. */
  readonly isSample?: boolean;
  /** Answers operations in place of the home's own land. */
  readonly land?: LandReader;
}

export function openHome(
  home: string,
  output: Output,
  { create = false, keepsMarkets = false, isSample = false, land }: OpenOptions = {},
): Engine {
  return openHomeAtStart(
    {
      home,
      create,
      keepsMarkets,
      ...(land && { land }),
      log: (line) => output.note(faultText(line)),
    },
    { isSample, tell: (sentence) => output.note(sentence) },
  );
}

/** Opens the chosen home, runs `work`, and always closes it. @throws EngineError home_missing */
export const withEngine = async <Result>(command: Command, output: Output, work: Work<Result>): Promise<Result> =>
  runIn(openHome(chosenHome(command).folder, output), work);

/** As `withEngine`, for commands that put something into a home: they make a missing one. */
export const withNewEngine = async <Result>(command: Command, output: Output, work: Work<Result>): Promise<Result> =>
  runIn(openHome(chosenHome(command).folder, output, { create: true }), work);

type Work<Result> = (engine: Engine) => Result | Promise<Result>;

async function runIn<Result>(engine: Engine, work: Work<Result>): Promise<Result> {
  try {
    return await work(engine);
  } finally {
    engine.close();
  }
}
