/** The port of the listener where neither the user nor the home names one. */
export const standardPort = 4780;
