/** The default port of the HTTP API. */
export const usualPort = 4780;
