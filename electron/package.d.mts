/** What `npm run dist` does. */
export function platformOf(args: readonly string[], own?: { platform: string; arch: string }): string;
export function packageApp(options: {
  stage: string;
  output: string;
  args: readonly string[];
  built?: string;
  electronDist?: string;
}): void;
